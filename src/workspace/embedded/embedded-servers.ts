import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import { connectionOver } from '../servers/connection.ts';
import type { Server, ServerConnection, Servers } from '../workspace.ts';

/**
 * How many milliseconds a process must have listened on a port before that is reported. Vite and others listen for
 * a moment only to see whether a port is free, seconds before their server starts.
 */
const STEADY_MS = 100;

/** The servers that programs of the embedded workspace run. */
export class EmbeddedServers implements Servers {
  readonly #ask: (port: number, channel: MessagePort) => Promise<void>;
  readonly #timer: Timer;
  readonly #listeners = new Listeners<void>();
  readonly #reported = new Set<number>();
  /** Cancels the report of a port that has been open for less than {@link STEADY_MS}. */
  readonly #waiting = new Map<number, Unlisten>();
  #ports: readonly number[] = [];

  /** `ask` gives the kernel its end of the channel of a new connection. */
  constructor(ask: (port: number, channel: MessagePort) => Promise<void>, timer: Timer) {
    this.#ask = ask;
    this.#timer = timer;
  }

  list(): readonly Server[] {
    return this.#ports.map((port) => ({ port }));
  }

  onChange(listener: () => void): Unlisten {
    return this.#listeners.add(listener);
  }

  async connect(port: number): Promise<ServerConnection | null> {
    const { port1, port2 } = new MessageChannel();
    const opened = connectionOver(port1);
    await this.#ask(port, port2);
    return opened;
  }

  /** The kernel has told which ports processes listen on, or is gone, and its servers with it. */
  heard(ports: readonly number[]): void {
    this.#ports = ports;
    for (const [port, cancel] of this.#waiting)
      if (!ports.includes(port)) {
        cancel();
        this.#waiting.delete(port);
      }
    for (const port of ports)
      if (!this.#reported.has(port) && !this.#waiting.has(port))
        this.#waiting.set(
          port,
          this.#timer.after(STEADY_MS, () => this.#report(port)),
        );
    const closed = [...this.#reported].filter((port) => !ports.includes(port));
    for (const port of closed) this.#reported.delete(port);
    if (closed.length > 0) this.#listeners.emit();
  }

  #report(port: number): void {
    this.#waiting.delete(port);
    this.#reported.add(port);
    this.#listeners.emit();
  }
}
