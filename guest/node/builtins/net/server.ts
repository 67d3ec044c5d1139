import type { ConnectionEnd } from '../../../shared/connection.ts';
import { inheritable, plainBase } from '../callable.ts';
import type { HostHandle, LoadBuiltin, NodeHost, ServedRequest } from '../builtin.ts';
import { EventEmitter } from '../internal/emitter.ts';
import { systemError } from '../internal/errno.ts';
import { argTypeError, argValueError, nodeError } from '../internal/errors.ts';
import { familyOf, isOwnHost, isIPv4, isIPv6 } from './addresses.ts';
import { ATTACH, isPort, needPort, type Socket, type SocketClass } from './socket.ts';

type Listener = (...args: unknown[]) => void;

export interface ServerOptions {
  readonly allowHalfOpen?: boolean;
  readonly highWaterMark?: number;
  readonly pauseOnConnect?: boolean;
}

interface ListenOptions {
  readonly port?: number | string | null;
  readonly host?: string | null;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

export type NetServerClass = ReturnType<typeof makeNetServer>;

/** `answer`: gives who asks without a connection what the server says to one. */
export function makeNetServer(
  host: NodeHost,
  load: LoadBuiltin,
  Socket: SocketClass,
  answer: (request: ServedRequest, connect: (end: ConnectionEnd) => void) => void,
) {
  class Server extends plainBase(EventEmitter) {
    maxConnections: number | undefined;
    allowHalfOpen: boolean;
    _connections = 0;
    readonly #options: ServerOptions;
    #bound: { readonly address: number | string; close(): void } | undefined;
    #host = '';
    #path: string | undefined;
    #handle: HostHandle | undefined;
    #counts = true;

    constructor(options?: unknown, listener?: unknown) {
      super();
      const onConnection = typeof options === 'function' ? options : listener;
      if (!['function', 'object', 'undefined'].includes(typeof options))
        throw argTypeError('options', 'Object', options);
      this.#options = typeof options === 'object' && options !== null ? options : {};
      this.allowHalfOpen = this.#options.allowHalfOpen ?? false;
      if (typeof onConnection === 'function') this.on('connection', onConnection as Listener);
    }

    get listening(): boolean {
      return this.#bound !== undefined;
    }

    get _handle(): object | null {
      return this.#bound ?? null;
    }

    listen(...args: unknown[]): this {
      const done = args.findLast((arg) => typeof arg === 'function') as Listener | undefined;
      if (this.#bound)
        throw nodeError(
          'ERR_SERVER_ALREADY_LISTEN',
          'Listen method has been called more than once without closing.',
        );
      const options = listenOptions(args);
      if (options.signal) {
        const { signal } = options;
        if (signal.aborted) host.process.nextTick(() => this.close());
        else signal.addEventListener('abort', () => this.close(), { once: true });
      }
      if (done) this.once('listening', done);
      if (options.path !== undefined) this.#listenPath(options.path);
      else this.#listenPort(needPort(options.port ?? 0, 'options.port'), options.host ?? undefined);
      return this;
    }

    #listenPort(port: number, given: string | undefined): void {
      const address =
        given === undefined || given === '' ? '::' : given === 'localhost' ? '127.0.0.1' : given;
      const about = { address, port };
      if (!isOwnHost(address)) {
        const isAddress = isIPv4(address) || isIPv6(address);
        return this.#failed(
          isAddress
            ? listenError('EADDRNOTAVAIL', `${address}:${port}`, about)
            : systemError('ENOTFOUND', 'getaddrinfo', address, { hostname: address, errno: -3008 }),
        );
      }
      this.#host = address;
      this.#bind(port, (code) => listenError(code, `${address}:${port}`, about));
    }

    #listenPath(path: string): void {
      const full = (load('path') as { resolve(path: string): string }).resolve(path);
      const fs = load('fs');
      try {
        // Others see by it that somebody listens there.
        fs.writeFileSync(full, '', { flag: 'wx', mode: 0o755 });
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'EADDRINUSE' : 'EACCES';
        return this.#failed(listenError(code, path, { address: path, port: -1 }));
      }
      this.#path = path;
      this.#bind(full, (code) => listenError(code, path, { address: path, port: -1 }));
    }

    #bind(address: number | string, failure: (code: string) => Error): void {
      try {
        this.#bound = host.listen(address, {
          accept: (end, name, port) => this.#accept(end, name, port),
          serve: (request) => answer(request, (end) => this.#accept(end, 'localhost', 0)),
        });
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'EADDRINUSE';
        return this.#failed(failure(code));
      }
      this.#handle ??= host.handle();
      if (!this.#counts) this.#handle.unref();
      host.process.nextTick(() => {
        if (this.#bound) this.emit('listening');
      });
    }

    #failed(error: Error): void {
      host.process.nextTick(() => this.emit('error', error));
    }

    #accept(end: ConnectionEnd, name: string, port: number): void {
      const places = this.#places(name, port);
      if (this.maxConnections !== undefined && this._connections >= this.maxConnections) {
        end.hear(() => {});
        end.say({ kind: 'gone' });
        this.emit('drop', {
          localAddress: places.local.address,
          localPort: places.local.port,
          localFamily: places.local.address && familyOf(places.local.address),
          remoteAddress: places.remote.address,
          remotePort: places.remote.port,
          remoteFamily: places.remote.address && familyOf(places.remote.address),
        });
        return;
      }
      const socket = new Socket({ ...this.#options, allowHalfOpen: this.allowHalfOpen });
      socket.server = this;
      this._connections++;
      socket.once('close', () => {
        this._connections--;
        this._emitCloseIfDrained();
      });
      socket[ATTACH](end, places.local, places.remote);
      if (this.#options.pauseOnConnect) socket.pause();
      this.emit('connection', socket satisfies Socket);
    }

    #places(name: string, port: number) {
      const bound = this.#bound?.address;
      if (typeof bound === 'string' || this.#path !== undefined) return { local: {}, remote: {} };
      const asked = isIPv6(name.replace(/^\[|\]$/g, '')) ? '::1' : '127.0.0.1';
      const address = familyOf(this.#host) === 'IPv6' && asked === '127.0.0.1' ? `::ffff:${asked}` : asked;
      return { local: { address, port: bound ?? 0 }, remote: { address, port } };
    }

    address(): unknown {
      if (!this.#bound) return null;
      const { address } = this.#bound;
      if (this.#path !== undefined) return this.#path;
      return { address: this.#host, family: familyOf(this.#host), port: address };
    }

    close(done?: (error?: Error) => void): this {
      const wasOpen = this.#bound !== undefined;
      if (typeof done === 'function')
        this.once('close', () =>
          wasOpen ? done() : done(nodeError('ERR_SERVER_NOT_RUNNING', 'Server is not running.')),
        );
      this.#bound?.close();
      this.#bound = undefined;
      if (this.#path !== undefined) load('fs').rmSync(this.#path, { force: true });
      this.#path = undefined;
      this._emitCloseIfDrained();
      return this;
    }

    _emitCloseIfDrained(): void {
      if (this.#bound || this._connections > 0) return;
      const handle = this.#handle;
      this.#handle = undefined;
      host.process.nextTick(() => {
        handle?.release();
        this.emit('close');
      });
    }

    getConnections(done: (error: Error | null, count: number) => void): this {
      host.process.nextTick(() => done(null, this._connections));
      return this;
    }

    ref(): this {
      this.#counts = true;
      this.#handle?.ref();
      return this;
    }

    unref(): this {
      this.#counts = false;
      this.#handle?.unref();
      return this;
    }

    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')](): Promise<void> {
      if (!this.#bound) return Promise.resolve();
      return new Promise((resolve) => this.close(() => resolve()));
    }
  }
  return inheritable(Server);
}

function listenOptions(args: readonly unknown[]): ListenOptions {
  const [first, second] = args;
  if (first === undefined || first === null || typeof first === 'function') return { port: 0 };
  if (typeof first === 'string' && !isPort(first)) return { path: first };
  if (typeof first === 'number' || typeof first === 'string')
    return { port: first, ...(typeof second === 'string' && { host: second }) };
  const options = first as ListenOptions;
  if (options.port === undefined && options.path === undefined)
    throw argValueError('options', first, 'must have the property "port" or "path"');
  return options;
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available',
};

function listenError(code: string, place: string, about: object): Error {
  const error = systemError(code, 'listen', '', about);
  error.message = `listen ${code}: ${WORDS[code] ?? 'invalid argument'} ${place}`;
  return error;
}
