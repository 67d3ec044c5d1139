import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { connectionOver } from '../servers/connection.ts';
import type { Server, ServerConnection, Servers } from '../workspace.ts';

/** The servers that programs of the embedded workspace run. */
export class EmbeddedServers implements Servers {
  readonly #ask: (port: number, channel: MessagePort) => Promise<void>;
  readonly #listeners = new Listeners<void>();
  #ports: readonly number[] = [];

  /** `ask` gives the kernel its end of the channel of a new connection. */
  constructor(ask: (port: number, channel: MessagePort) => Promise<void>) {
    this.#ask = ask;
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
    if (ports.length === this.#ports.length && ports.every((port, at) => port === this.#ports[at])) return;
    this.#ports = ports;
    this.#listeners.emit();
  }
}
