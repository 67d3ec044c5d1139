import type { HostHandle, NodeHost } from '../builtin.ts';

/** Keeps the process alive while a socket or a server is open, unless `unref` was called on it. */
export class KeepAlive {
  readonly #host: NodeHost;
  #handle: HostHandle | undefined;
  #counts = true;

  constructor(host: NodeHost) {
    this.#host = host;
  }

  /** The socket or the server is open from here on. */
  hold(): void {
    this.#handle ??= this.#host.handle();
    if (!this.#counts) this.#handle.unref();
  }

  ref(): void {
    this.#counts = true;
    this.#handle?.ref();
  }

  unref(): void {
    this.#counts = false;
    this.#handle?.unref();
  }

  /** Returns a function that releases the handle held now, even if another is held by then. */
  leave(): () => void {
    const handle = this.#handle;
    this.#handle = undefined;
    return () => handle?.release();
  }
}
