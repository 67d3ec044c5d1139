import type { FromShell, ToShell, WorkerPeer } from '../protocol.ts';
import { ShellWorker } from './shell-worker.ts';

const WARM = 2;
const REST_MS = 300;

/** Shell workers kept warm: loading the shell costs some 90 ms, which no command should wait for. */
export class ShellPool {
  readonly #start: () => WorkerPeer<ToShell, FromShell>;
  readonly #idle: ShellWorker[] = [];

  constructor(start: () => WorkerPeer<ToShell, FromShell>) {
    this.#start = start;
    this.#warm();
  }

  /** Names that can be run in the shell. */
  async commands(): Promise<readonly string[]> {
    this.#warm();
    return (await this.#idle[0]?.commands) ?? [];
  }

  take(): ShellWorker {
    let worker = this.#idle.shift();
    while (worker?.failure !== undefined) worker = this.#idle.shift();
    worker ??= new ShellWorker(this.#start());
    this.#warm();
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

  #warm(): void {
    while (this.#idle.length < WARM) this.#idle.push(new ShellWorker(this.#start()));
  }
}
