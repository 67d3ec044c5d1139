import type { SpawnHow } from '../../src/workspace/embedded/protocol.ts';
import { ROOT, type Exit } from '../../src/workspace/workspace.ts';
import type { FsCall } from '../protocol.ts';
import { ReadRefused, limitedShell, shellAccess, toolAccess, type Access } from './access.ts';
import { OutputGatherer } from './output.ts';
import type { ShellPool } from './shell-pool.ts';
import type { ShellWorker } from './shell-worker.ts';
import type { FileTree } from './tree.ts';

const ENVIRONMENT = {
  HOME: '/home',
  USER: 'user',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  SHELL: '/bin/bash',
  TMPDIR: '/tmp',
};

/** How long a script that was asked to stop may take to do so; what it had printed by then is kept. */
const GRACE_MS = 300;

const START_MS = 10_000;

/** All of a process's output; what prints more would fill the page's memory, which is not the frame's. */
const OUTPUT_BYTES = 32 * 1024 * 1024;

export interface ProcessesOptions {
  readonly tree: FileTree;
  /** Resolves once the shell's program is there. */
  readonly pool: Promise<ShellPool>;
  readonly files: (call: FsCall, access: Access) => Promise<unknown>;
  readonly output: (process: string, bytes: Uint8Array) => void;
  readonly exited: (process: string, exit: Exit) => void;
  /** Nothing runs any more. */
  readonly idle: () => void;
}

const encoder = new TextEncoder();

interface Running {
  readonly id: string;
  readonly started: number;
  readonly cwd: string;
  readonly output: OutputGatherer;
  readonly timers: ReturnType<typeof setTimeout>[];
  /** Input that came before the worker was there; the worker takes it over. */
  readonly early: (Uint8Array | 'end')[];
  readonly access: Access;
  /** Real paths that it was not let read. */
  readonly refused: Set<string>;
  worker?: ShellWorker;
  outputBytes: number;
  /** Why it was told to stop. */
  stopping?: 'killed' | 'timeout';
}

/** The process table. It counts time itself: the page's timers stop when the page is hidden. */
export class Processes {
  readonly #options: ProcessesOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  async spawn(id: string, script: string, how: SpawnHow): Promise<void> {
    const running: Running = {
      id,
      access: how.reads ? limitedShell(how.reads) : shellAccess,
      refused: new Set(),
      started: performance.now(),
      cwd: how.cwd ?? ROOT,
      output: new OutputGatherer((bytes) => this.#options.output(id, bytes)),
      timers: [],
      early: [],
      outputBytes: 0,
    };
    this.#running.set(id, running);
    try {
      const cwd = this.#options.tree.directoryAt(toolAccess, running.cwd).path;
      const pool = await this.#options.pool;
      // Killed before it began.
      if (this.#running.get(id) !== running) return;
      this.#start(running, pool, script, { ...how, cwd });
    } catch (error) {
      this.#lose(running, error instanceof Error ? error.message : String(error));
    }
  }

  input(id: string, bytes: Uint8Array): void {
    const running = this.#running.get(id);
    if (running?.worker) running.worker.input(bytes);
    else running?.early.push(bytes);
  }

  endInput(id: string): void {
    const running = this.#running.get(id);
    if (running?.worker) running.worker.endInput();
    else running?.early.push('end');
  }

  kill(id: string): void {
    const running = this.#running.get(id);
    if (running) this.#stop(running, 'killed');
  }

  #start(running: Running, pool: ShellPool, script: string, how: SpawnHow & { readonly cwd: string }): void {
    const worker = pool.take();
    running.worker = worker;
    worker.run(
      {
        script,
        cwd: how.cwd,
        env: { ...ENVIRONMENT, ...how.env },
        ...(how.stdin && { stdin: how.stdin }),
        ...(how.columns !== undefined && { columns: how.columns }),
      },
      {
        output: (bytes) => this.#print(running, bytes),
        files: (call) => this.#answer(running, call),
        done: (exitCode, cwd) => {
          if (running.stopping === undefined) {
            pool.giveBack(worker);
            this.#finish(running, { exitCode, reason: 'exit', cwd, outputMayBeCut: false });
          } else {
            // It looked up, but what it had started may not have.
            worker.terminate();
            this.#finish(running, stopped(running, running.stopping, 130));
          }
        },
        lost: (reason) => this.#lose(running, `the shell died: ${reason}`),
      },
    );
    const late = setTimeout(() => this.#lose(running, 'the shell did not start'), START_MS);
    running.timers.push(late);
    // The script's time begins with the shell: loading one is not its fault.
    worker.commands.then(
      () => {
        clearTimeout(late);
        if (how.timeoutMs === undefined || this.#running.get(running.id) !== running) return;
        running.timers.push(setTimeout(() => this.#stop(running, 'timeout'), how.timeoutMs));
      },
      () => {},
    );
    for (const piece of running.early) {
      if (piece === 'end') worker.endInput();
      else worker.input(piece);
    }
  }

  async #answer(running: Running, call: FsCall): Promise<unknown> {
    try {
      return await this.#options.files(call, running.access);
    } catch (error) {
      if (error instanceof ReadRefused) running.refused.add(error.path);
      throw error;
    }
  }

  #print(running: Running, bytes: Uint8Array): void {
    if (running.outputBytes > OUTPUT_BYTES) return;
    running.outputBytes += bytes.byteLength;
    running.output.add(bytes);
    if (running.outputBytes <= OUTPUT_BYTES) return;
    running.output.add(encoder.encode('\nvitrine: stopped, because it printed more than 32 MB\n'));
    this.#stop(running, 'killed');
  }

  #stop(running: Running, reason: 'killed' | 'timeout'): void {
    if (running.stopping !== undefined) return;
    running.stopping = reason;
    if (!running.worker) return this.#finish(running, stopped(running, reason, 130));
    running.worker.stop();
    running.timers.push(
      setTimeout(() => {
        running.worker?.terminate();
        this.#finish(running, stopped(running, reason, 137));
      }, GRACE_MS),
    );
  }

  #lose(running: Running, reason: string): void {
    running.worker?.terminate();
    running.output.add(encoder.encode(`vitrine: ${reason}\n`));
    this.#finish(running, { exitCode: 137, reason: 'lost', cwd: running.cwd, outputMayBeCut: true });
  }

  #finish(running: Running, exit: Omit<Exit, 'durationMs'>): void {
    if (!this.#running.delete(running.id)) return;
    for (const timer of running.timers) clearTimeout(timer);
    running.output.flush();
    const { refused, started } = running;
    this.#options.exited(running.id, {
      ...exit,
      durationMs: performance.now() - started,
      ...(refused.size > 0 && { refusedReads: refused.size }),
    });
    if (this.#running.size === 0) this.#options.idle();
  }
}

function stopped(
  running: Running,
  reason: 'killed' | 'timeout',
  killedCode: number,
): Omit<Exit, 'durationMs'> {
  const exitCode = reason === 'timeout' ? 124 : killedCode;
  return { exitCode, reason, cwd: running.cwd, outputMayBeCut: true };
}
