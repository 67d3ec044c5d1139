import type { FromShell, ToShell, WorkerPeer } from '../protocol.ts';
import { ShellWorker } from './shell-worker.ts';

/** So many wait at rest; while one of them works, one that is left is enough. */
const WARM = 2;
const REST_MS = 300;

/** Shell workers kept warm: loading the shell costs some 90 ms, which no command should wait for. */
export class ShellPool {
  readonly #start: () => WorkerPeer<ToShell, FromShell>;
  readonly #idle: ShellWorker[] = [];

  constructor(start: () => WorkerPeer<ToShell, FromShell>) {
    this.#start = start;
    this.#keep(1);
    // One after the other: two at once would both come later.
    this.#idle[0]?.commands.then(
      () => this.#keep(WARM),
      () => {},
    );
  }

  /** Names that can be run in the shell. */
  async commands(): Promise<readonly string[]> {
    this.#keep(1);
    return (await this.#idle[0]?.commands) ?? [];
  }

  take(): ShellWorker {
    let worker = this.#idle.shift();
    while (worker?.failure !== undefined) worker = this.#idle.shift();
    worker ??= new ShellWorker(this.#start());
    this.#keep(1);
    return worker;
  }

  /** Takes back a worker whose script has ended, once it has come to rest; one that does not is ended. */
  giveBack(worker: ShellWorker): void {
    const timer = setTimeout(() => worker.terminate(), REST_MS);
    worker.rest(() => {
      clearTimeout(timer);
      if (this.#idle.length >= WARM || worker.failure !== undefined) worker.terminate();
      // In front: it has run before and is warmer than the others.
      else this.#idle.unshift(worker);
    });
  }

  #keep(count: number): void {
    while (this.#idle.length < count) this.#idle.push(new ShellWorker(this.#start()));
  }
}
