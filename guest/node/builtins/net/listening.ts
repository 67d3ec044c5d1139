import type { LoadBuiltin, NodeHost, ServerEvents } from '../builtin.ts';
import { systemError } from '../internal/errno.ts';
import { familyOf, isIPv6, isOwnHost } from './addresses.ts';
import { needPort, type ListenOptions } from './arguments.ts';
import { listenError, type EndAddress } from './errors.ts';
import { isAddress } from './resolve.ts';

/** The address where a server listens: a port of a host, or the path of a socket. */
export class Listening {
  readonly #host: NodeHost;
  readonly #load: LoadBuiltin;
  #bound: { readonly address: number | string; close(): void } | undefined;
  #hostName = '';
  #path: string | undefined;

  constructor(host: NodeHost, load: LoadBuiltin) {
    this.#host = host;
    this.#load = load;
  }

  /** Undefined while the server does not listen. */
  get handle(): object | undefined {
    return this.#bound;
  }

  /** Begins to listen. Returns the error if that is not possible; throws if the port is not a number of a port. */
  listen(options: ListenOptions, events: ServerEvents): Error | undefined {
    if (options.path !== undefined) return this.#listenPath(options.path, events);
    return this.#listenPort(needPort(options.port ?? 0, 'options.port'), options.host || '::', events);
  }

  #listenPort(port: number, name: string, events: ServerEvents): Error | undefined {
    const address = name === 'localhost' ? '127.0.0.1' : name;
    const failure = (code: string) => listenError(code, `${address}:${port}`, { address, port });
    if (!isOwnHost(address))
      return isAddress(address)
        ? failure('EADDRNOTAVAIL')
        : systemError('ENOTFOUND', 'getaddrinfo', address, { hostname: address, errno: -3008 });
    this.#hostName = address;
    return this.#bind(port, events, failure);
  }

  #listenPath(path: string, events: ServerEvents): Error | undefined {
    const full = this.#load('path').resolve(path);
    const failure = (code: string) => listenError(code, path, { address: path, port: -1 });
    try {
      // Other programs see by this file that somebody listens there.
      this.#load('fs').writeFileSync(full, '', { flag: 'wx', mode: 0o755 });
    } catch (error) {
      return failure((error as NodeJS.ErrnoException).code === 'EEXIST' ? 'EADDRINUSE' : 'EACCES');
    }
    this.#path = path;
    return this.#bind(full, events, failure);
  }

  #bind(address: number | string, events: ServerEvents, failure: (code: string) => Error): Error | undefined {
    try {
      this.#bound = this.#host.listen(address, events);
      return undefined;
    } catch (error) {
      return failure(error instanceof Error && 'code' in error ? String(error.code) : 'EADDRINUSE');
    }
  }

  /** The address as `server.address()` returns it. */
  info(): unknown {
    if (!this.#bound) return null;
    if (this.#path !== undefined) return this.#path;
    return { address: this.#hostName, family: familyOf(this.#hostName), port: this.#bound.address };
  }

  /** The addresses of both ends of a connection that was made to the host `name` from this port. */
  endsOf(name: string, port: number): { local: EndAddress; remote: EndAddress } {
    const bound = this.#bound?.address;
    if (typeof bound === 'string' || this.#path !== undefined) return { local: {}, remote: {} };
    const asked = isIPv6(name.replace(/^\[|\]$/g, '')) ? '::1' : '127.0.0.1';
    const isMapped = familyOf(this.#hostName) === 'IPv6' && asked === '127.0.0.1';
    const address = isMapped ? `::ffff:${asked}` : asked;
    return { local: { address, port: bound ?? 0 }, remote: { address, port } };
  }

  close(): void {
    this.#bound?.close();
    this.#bound = undefined;
    if (this.#path !== undefined) this.#load('fs').rmSync(this.#path, { force: true });
    this.#path = undefined;
  }
}
