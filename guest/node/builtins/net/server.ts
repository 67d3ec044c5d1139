import type { ConnectionEnd } from '../../../shared/connection.ts';
import { inheritable, plainBase } from '../callable.ts';
import type { LoadBuiltin, NodeHost, ServedRequest } from '../builtin.ts';
import { EventEmitter } from '../internal/emitter.ts';
import { argTypeError, nodeError } from '../internal/errors.ts';
import { familyOf } from './addresses.ts';
import { listenArgs } from './arguments.ts';
import type { EndAddress } from './errors.ts';
import { KeepAlive } from './keep-alive.ts';
import { Listening } from './listening.ts';
import { ATTACH, type Socket, type SocketClass } from './socket.ts';

type Listener = (...args: unknown[]) => void;

export interface ServerOptions {
  readonly allowHalfOpen?: boolean;
  readonly highWaterMark?: number;
  readonly pauseOnConnect?: boolean;
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
    readonly #listening = new Listening(host, load);
    readonly #alive = new KeepAlive(host);

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
      return this.#listening.handle !== undefined;
    }

    get _handle(): object | null {
      return this.#listening.handle ?? null;
    }

    listen(...args: unknown[]): this {
      const done = args.findLast((arg) => typeof arg === 'function') as Listener | undefined;
      if (this.listening)
        throw nodeError(
          'ERR_SERVER_ALREADY_LISTEN',
          'Listen method has been called more than once without closing.',
        );
      const options = listenArgs(args);
      if (options.signal) {
        const { signal } = options;
        if (signal.aborted) host.process.nextTick(() => this.close());
        else signal.addEventListener('abort', () => this.close(), { once: true });
      }
      if (done) this.once('listening', done);
      const error = this.#listening.listen(options, {
        accept: (end, name, port) => this.#accept(end, name, port),
        serve: (request) => answer(request, (end) => this.#accept(end, 'localhost', 0)),
      });
      if (!error) this.#alive.hold();
      host.process.nextTick(() => {
        if (error) this.emit('error', error);
        else if (this.listening) this.emit('listening');
      });
      return this;
    }

    #accept(end: ConnectionEnd, name: string, port: number): void {
      const { local, remote } = this.#listening.endsOf(name, port);
      if (this.maxConnections !== undefined && this._connections >= this.maxConnections) {
        end.hear(() => {});
        end.say({ kind: 'gone' });
        this.emit('drop', droppedConnection(local, remote));
        return;
      }
      const socket = new Socket({ ...this.#options, allowHalfOpen: this.allowHalfOpen });
      socket.server = this;
      this._connections++;
      socket.once('close', () => {
        this._connections--;
        this._emitCloseIfDrained();
      });
      socket[ATTACH](end, local, remote);
      if (this.#options.pauseOnConnect) socket.pause();
      this.emit('connection', socket satisfies Socket);
    }

    address(): unknown {
      return this.#listening.info();
    }

    close(done?: (error?: Error) => void): this {
      const wasOpen = this.listening;
      if (typeof done === 'function')
        this.once('close', () =>
          wasOpen ? done() : done(nodeError('ERR_SERVER_NOT_RUNNING', 'Server is not running.')),
        );
      this.#listening.close();
      this._emitCloseIfDrained();
      return this;
    }

    _emitCloseIfDrained(): void {
      if (this.listening || this._connections > 0) return;
      const release = this.#alive.leave();
      host.process.nextTick(() => {
        release();
        this.emit('close');
      });
    }

    getConnections(done: (error: Error | null, count: number) => void): this {
      host.process.nextTick(() => done(null, this._connections));
      return this;
    }

    ref(): this {
      this.#alive.ref();
      return this;
    }

    unref(): this {
      this.#alive.unref();
      return this;
    }

    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')](): Promise<void> {
      if (!this.listening) return Promise.resolve();
      return new Promise((resolve) => this.close(() => resolve()));
    }
  }
  return inheritable(Server);
}

/** The data of the event `drop`. */
function droppedConnection(local: EndAddress, remote: EndAddress): object {
  return {
    localAddress: local.address,
    localPort: local.port,
    localFamily: local.address && familyOf(local.address),
    remoteAddress: remote.address,
    remotePort: remote.port,
    remoteFamily: remote.address && familyOf(remote.address),
  };
}
