import type {
  SpawnOptions as ClientSpawnOptions,
  WebContainer,
  WebContainerProcess,
} from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';
import { fromRoot } from '../../protocol/paths.ts';
import { WorkspaceError } from '../workspace.ts';
import { workspaceErrorOf } from './errors.ts';

/** The parts of the client that are used. */
export type Client = Pick<
  WebContainer,
  'fs' | 'spawn' | 'mount' | 'export' | 'on' | 'teardown' | 'path' | 'workdir'
>;

const CALL_MS = 15_000;
/** How long a call may take that does the work of many. */
const BULK_MS = 60_000;
/** How many bytes of files are laid out in a millisecond at the very least, besides the time of a small call. */
const LEAST_BYTES_A_MS = 100;
/** How often the container is pinged while a process runs and no call is open. */
const BEAT_MS = 20_000;
/** How many calls may run at once. More would be slower, because each adds a listener to the one port. */
export const POOL = 4;

export interface ContainerOptions {
  readonly client: Client;
  readonly timer: Timer;
  readonly callMs?: number;
  /** Called once, when the container does not answer in time. */
  readonly died: (reason: string) => void;
}

/** The calls to one container. Each has a deadline, because a dead container never answers. Paths are real and absolute. */
export class Container {
  readonly client: Client;
  readonly #timer: Timer;
  readonly #callMs: number;
  readonly #beatMs: number;
  readonly #pulseMs: number;
  readonly #died: (reason: string) => void;
  readonly #waiting = new Set<PendingCall>();
  readonly #running = new Set<WebContainerProcess>();
  #beating = false;
  #watching = false;
  #over: string | undefined;
  #busy = 0;
  readonly #queue: (() => void)[] = [];

  constructor({ client, timer, callMs = CALL_MS, died }: ContainerOptions) {
    this.client = client;
    this.#timer = timer;
    this.#callMs = callMs;
    this.#beatMs = Math.min(BEAT_MS, callMs * 2);
    this.#pulseMs = Math.min(BULK_MS, callMs * 4);
    this.#died = died;
  }

  get over(): boolean {
    return this.#over !== undefined;
  }

  read(path: string): Promise<Uint8Array> {
    return this.#pooled(path, () => this.client.fs.readFile(relative(path)));
  }

  write(path: string, content: Uint8Array): Promise<void> {
    return this.#pooled(path, () => this.client.fs.writeFile(relative(path), content));
  }

  makeDirectory(path: string): Promise<unknown> {
    return this.#pooled(path, () => this.client.fs.mkdir(relative(path), { recursive: true }));
  }

  remove(path: string, recursive: boolean): Promise<void> {
    const ms = recursive ? BULK_MS : this.#callMs;
    return this.#pooled(path, () => this.client.fs.rm(relative(path), { recursive }), ms);
  }

  rename(from: string, to: string): Promise<void> {
    return this.#pooled(from, () => this.client.fs.rename(relative(from), relative(to)));
  }

  mount(tree: Uint8Array<ArrayBuffer>): Promise<void> {
    const ms = Math.min(BULK_MS, this.#callMs + tree.length / LEAST_BYTES_A_MS);
    return this.#within('', () => this.client.mount(tree), ms);
  }

  async save(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(
      await this.#within('', () => this.client.export('.', { format: 'binary' }), BULK_MS),
    );
  }

  /** Checks that the container answers. */
  ping(ms?: number): Promise<unknown> {
    return this.#within('', () => this.client.fs.readdir('.'), ms);
  }

  async spawn(program: string, args: string[], options: ClientSpawnOptions): Promise<WebContainerProcess> {
    const process = await this.#within('', async () => {
      const spawned = await this.client.spawn(program, args, options);
      // This applies even if the call has timed out meanwhile.
      const ended = () => void this.#running.delete(spawned);
      spawned.exit.then(ended, ended);
      return spawned;
    });
    this.#running.add(process);
    this.#beat();
    return process;
  }

  /**
   * Settles as `work` does, or rejects once the container is over: `work` may wait for something that never comes, such as
   * the output of a process. Meanwhile the container is pinged now and then.
   */
  whileAlive<T>(work: () => Promise<T>): Promise<T> {
    let isWaiting = true;
    let cancel = () => {};
    const ask = () => {
      if (isWaiting) cancel = this.#timer.after(this.#callMs / 3, () => void this.ping().then(ask, () => {}));
    };
    ask();
    return this.#within('', work, Infinity).finally(() => {
      isWaiting = false;
      cancel();
    });
  }

  /** Ends the container and rejects all open calls. With a `reason`, it counts as having died. */
  end(reason?: string): void {
    if (this.#over !== undefined) return;
    this.#over = reason ?? 'The container was ended.';
    for (const { fail } of this.#waiting) fail(new WorkspaceError('EGONE', '', this.#over));
    this.#waiting.clear();
    this.#running.clear();
    if (reason !== undefined) this.#died(reason);
  }

  /** Pings the container while processes run: in a dead one they would never end, and nothing else might call it. */
  #beat(): void {
    if (this.#beating || this.#running.size === 0) return;
    this.#beating = true;
    this.#timer.after(this.#beatMs, () => {
      this.#beating = false;
      if (this.#running.size === 0) return;
      // An installation may keep it busy for a long time.
      this.ping(this.#pulseMs).then(
        () => this.#beat(),
        () => this.#beat(),
      );
    });
  }

  #pooled<T>(path: string, work: () => Promise<T>, ms?: number): Promise<T> {
    const run = () => this.#within(path, work, ms, this.#next);
    if (this.#busy >= POOL) return new Promise<void>((resolve) => this.#queue.push(resolve)).then(run);
    this.#busy++;
    return run();
  }

  #next = (): void => {
    const next = this.#queue.shift();
    if (next) next();
    else this.#busy--;
  };

  #within<T>(
    path: string,
    work: () => Promise<T>,
    ms = this.#callMs,
    over: () => void = () => {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: WorkspaceError) => {
        over();
        reject(error);
      };
      if (this.#over !== undefined) return fail(new WorkspaceError('EGONE', path, this.#over));
      const call: PendingCall = { due: performance.now() + ms, ms, fail };
      this.#waiting.add(call);
      this.#watchDeadlines();
      // The result of a call that has timed out is ignored.
      work().then(
        (value) => {
          if (!this.#waiting.delete(call)) return;
          over();
          resolve(value);
        },
        (error: unknown) => {
          if (this.#waiting.delete(call)) fail(workspaceErrorOf(error, path));
        },
      );
    });
  }

  /** One timer watches all deadlines, because setting one for each call would cost as much as the call. */
  #watchDeadlines(): void {
    if (this.#watching || this.#waiting.size === 0 || this.over) return;
    this.#watching = true;
    this.#timer.after(Math.min(1_000, this.#callMs / 4), () => {
      this.#watching = false;
      const late = [...this.#waiting].find(({ due }) => due < performance.now());
      if (late) this.end(`The container has not answered for ${Math.ceil(late.ms / 1000)} seconds.`);
      else this.#watchDeadlines();
    });
  }
}

interface PendingCall {
  /** The deadline, in the time of `performance.now()`. */
  readonly due: number;
  readonly ms: number;
  fail(error: WorkspaceError): void;
}

/** Turns a path into one for the client, whose paths are relative to the root. */
function relative(path: string): string {
  return fromRoot(path) || '.';
}
