import { needFunction, needNumber, outOfRange } from '../internal/errors.ts';
import { ownTimers } from '../../loop/own-timers.ts';

const MAX_MS = 2 ** 31 - 1;

interface TimedSocket {
  emit(name: 'timeout'): boolean;
  once(name: 'timeout', listener: () => void): unknown;
  removeListener(name: 'timeout', listener: () => void): unknown;
}

/** Emits `timeout` when nothing has happened on a socket for some time. It does not keep the process alive. */
export class IdleTimer {
  readonly #socket: TimedSocket;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: TimedSocket) {
    this.#socket = socket;
  }

  /** `ms`: milliseconds; 0 switches it off. `listener` is added for the next timeout, or removed with 0. */
  set(ms: number, listener: (() => void) | undefined): void {
    needNumber(ms, 'msecs');
    if (ms < 0 || !Number.isFinite(ms)) throw outOfRange('msecs', 'a non-negative finite number', ms);
    if (listener !== undefined) needFunction(listener, 'callback');
    this.clear();
    if (ms === 0) {
      if (listener) this.#socket.removeListener('timeout', listener);
      return;
    }
    this.#timer = ownTimers().setTimeout(() => this.#socket.emit('timeout'), Math.min(ms, MAX_MS));
    this.#timer.unref();
    if (listener) this.#socket.once('timeout', listener);
  }

  refresh(): void {
    this.#timer?.refresh();
  }

  clear(): void {
    ownTimers().clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
