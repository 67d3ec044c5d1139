import type { FromShell, ToShell, WorkerPeer } from '../shared/protocol.ts';
import { ShellWorker } from './shell-worker.ts';

/** How many idle workers are kept at most. While one of them works, one other is enough. */
const WARM = 2;
/** The second one is not loaded while the page and the first turn begin, which may need neither. */
const SECOND_AFTER_MS = 1000;
const REST_MS = 300;

/** Keeps shell workers ready: loading the shell takes some 90 ms, which no command should wait for. */
export class ShellPool {
  readonly #start: () => WorkerPeer<ToShell, FromShell>;
  readonly #idle: ShellWorker[] = [];
  #second: ReturnType<typeof setTimeout> | undefined;
  #wasTaken = false;

  constructor(start: () => WorkerPeer<ToShell, FromShell>) {
    this.#start = start;
    this.#keep(1);
    // Only after the first, because two that load at once would both be later.
    this.#idle[0]?.ready.then(
      () => {
        if (!this.#wasTaken) this.#second = setTimeout(() => this.#keep(WARM), SECOND_AFTER_MS);
      },
      () => {},
    );
  }

  take(): ShellWorker {
    // There will be another one for it at once.
    this.#wasTaken = true;
    clearTimeout(this.#second);
    let worker = this.#idle.shift();
    while (worker?.failure !== undefined) worker = this.#idle.shift();
    worker ??= new ShellWorker(this.#start());
    this.#keep(1);
    return worker;
  }

  /** Takes back a worker whose script has ended, once nothing runs in it. If that takes too long, the worker is ended. */
  giveBack(worker: ShellWorker): void {
    const timer = setTimeout(() => worker.terminate(), REST_MS);
    worker.rest(() => {
      clearTimeout(timer);
      if (this.#idle.length >= WARM || worker.failure !== undefined) worker.terminate();
      // It goes to the front, because code that has run before is faster.
      else this.#idle.unshift(worker);
    });
  }

  #keep(count: number): void {
    while (this.#idle.length < count) this.#idle.push(new ShellWorker(this.#start()));
  }
}
