import type { ConnectionEnd } from '../../../shared/connection.ts';
import { inheritable, plainBase } from '../callable.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { abortError, nodeError } from '../internal/errors.ts';
import { familyOf } from './addresses.ts';
import { connectArgs, connectTarget, streamOptions, type SocketOptions } from './arguments.ts';
import type { EndAddress } from './errors.ts';
import { IdleTimer } from './idle-timer.ts';
import { KeepAlive } from './keep-alive.ts';
import { Transport } from './transport.ts';
import { ownTimers } from '../../loop/own-timers.ts';

type Done = (error?: Error | null) => void;

/** A socket takes over its end of a connection. */
export const ATTACH = Symbol('attach');

export type SocketClass = ReturnType<typeof makeSocket>;
export type Socket = InstanceType<SocketClass>;

/** Makes the class `net.Socket`: connections between processes of the workspace, as streams. */
export function makeSocket(host: NodeHost, load: LoadBuiltin) {
  const { Duplex } = load('stream');

  class Socket extends plainBase(Duplex) {
    connecting = false;
    server: object | null = null;
    bytesRead = 0;
    timeout: number | undefined;
    autoSelectFamilyAttemptedAddresses: string[] | undefined;
    readonly #alive = new KeepAlive(host);
    readonly #idle = new IdleTimer(this);
    readonly #transport = new Transport(host, load, this, () => this.#idle.refresh());

    constructor(options: SocketOptions | number = {}) {
      const given = typeof options === 'object' ? options : {};
      super(streamOptions(given));
      this.on('end', () => {
        if (!this.allowHalfOpen) this.write = this.#afterEnd;
      });
      whenAborted(given.signal, (error) => host.process.nextTick(() => this.destroy(error)));
    }

    get pending(): boolean {
      return !this.#transport.end || this.connecting;
    }
    get readyState(): string {
      return this.connecting ? 'opening' : openState(this.readable, this.writable);
    }
    get bytesWritten(): number {
      return this.#transport.sent + this.writableLength;
    }
    get bufferSize(): number {
      return this.writableLength;
    }
    get remoteAddress(): string | undefined {
      return this.connecting ? undefined : this.#transport.remote.address;
    }
    get remotePort(): number | undefined {
      return this.connecting ? undefined : this.#transport.remote.port;
    }
    get remoteFamily(): string | undefined {
      return this.remoteAddress && familyOf(this.remoteAddress);
    }
    get localAddress(): string | undefined {
      return this.#transport.local.address;
    }
    get localPort(): number | undefined {
      return this.#transport.local.port;
    }
    get localFamily(): string | undefined {
      return this.localAddress && familyOf(this.localAddress);
    }
    /** Present while the socket is connected. Programs only check whether it is. */
    get _handle(): object | null {
      return this.#transport.end ?? null;
    }

    address(): object {
      return addressInfo(this.#transport.local);
    }

    connect(...args: unknown[]): this {
      const { options, done } = connectArgs(args);
      const { path, port } = connectTarget(options);
      if (this.destroyed) {
        reopen(this);
        this.#transport.reset();
      }
      if (done) this.once('connect', done as () => void);
      if (options.timeout) this.setTimeout(options.timeout);
      this.connecting = true;
      this.#alive.hold();
      this.#transport.connect(options, path, port);
      return this;
    }

    /** Its end of a connection, which is there already unless it is connecting. */
    [ATTACH](end: ConnectionEnd, local: EndAddress = {}, remote: EndAddress = {}): this {
      this.#alive.hold();
      this.#transport.attach(end, local, remote);
      return this;
    }

    /** Replaces `write` once the other end has ended the connection. */
    readonly #afterEnd: typeof Duplex.prototype.write = (...args: unknown[]) => {
      if (!this.writableEnded) return Reflect.apply(super.write, this, args);
      return failWrite(this, host, args);
    };

    override _read(): void {
      this.#transport.readMore();
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      this.#transport.write(chunk, done);
    }

    override _final(done: Done): void {
      this.#transport.endWriting(done);
    }

    override _destroy(error: Error | null, done: Done): void {
      this.connecting = false;
      this.#idle.clear();
      this.#transport.close();
      const release = this.#alive.leave();
      done(error);
      ownTimers().setImmediate(() => {
        release();
        this.emit('close', Boolean(error));
      });
    }

    destroySoon(error?: Error): void {
      destroyWhenWritten(this, error);
    }

    resetAndDestroy(): this {
      if (this.connecting) return this.once('connect', () => this.resetAndDestroy());
      this.#transport.breakOff();
      return this.destroy();
    }

    setTimeout(ms: number, done?: () => void): this {
      if (this.destroyed) return this;
      this.#idle.set(ms, done);
      this.timeout = ms;
      return this;
    }

    setNoDelay(): this {
      return this;
    }

    setKeepAlive(): this {
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
  }
  return inheritable(Socket);
}

function failWrite(
  socket: { destroy(error: Error): unknown },
  { process }: NodeHost,
  args: readonly unknown[],
): false {
  const done = args.findLast((each) => typeof each === 'function') as Done | undefined;
  const error = nodeError('EPIPE', 'This socket has been ended by the other party');
  if (done) process.nextTick(done, error);
  socket.destroy(error);
  return false;
}

/** Resets a closed socket, so that it can connect again. */
function reopen(socket: { bytesRead: number }): void {
  (Reflect.get(socket, '_undestroy') as () => void).call(socket);
  Reflect.deleteProperty(socket, 'write');
  socket.bytesRead = 0;
}

interface WritableSocket {
  readonly writable: boolean;
  readonly writableFinished: boolean;
  end(): unknown;
  destroy(error?: Error): unknown;
  once(name: 'finish', listener: () => void): unknown;
}

function destroyWhenWritten(socket: WritableSocket, error: Error | undefined): void {
  if (socket.writable) socket.end();
  if (socket.writableFinished) socket.destroy(error);
  else socket.once('finish', () => socket.destroy(error));
}

function openState(readable: boolean, writable: boolean): string {
  if (readable && writable) return 'open';
  return readable ? 'readOnly' : writable ? 'writeOnly' : 'closed';
}

function addressInfo({ address, port }: EndAddress): object {
  return address === undefined ? {} : { address, family: familyOf(address), port };
}

function whenAborted(signal: AbortSignal | undefined, aborted: (error: Error) => void): void {
  const listener = () => aborted(abortError(signal?.reason));
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
}
