import { CONNECTION_WINDOW, type ConnectionEnd, type ConnectionMessage } from '../../../shared/connection.ts';
import { inheritable, plainBase } from '../callable.ts';
import { keep } from '../async/context.ts';
import type { HostHandle, LoadBuiltin, NodeHost } from '../builtin.ts';
import { systemError } from '../internal/errno.ts';
import {
  abortError,
  needFunction,
  needNumber,
  needString,
  nodeError,
  outOfRange,
} from '../internal/errors.ts';
import { addressOf, familyOf, isOwnHost, isIPv4, isIPv6 } from './addresses.ts';
import { httpEnd } from './http-end.ts';

type Done = (error?: Error | null) => void;
type Lookup = (host: string, options: object, done: (error: Error | null, found: unknown) => void) => void;

export interface SocketOptions {
  readonly allowHalfOpen?: boolean;
  readonly highWaterMark?: number;
  readonly readableHighWaterMark?: number;
  readonly writableHighWaterMark?: number;
  readonly signal?: AbortSignal;
  readonly host?: string | null;
  readonly port?: number | string | null;
  readonly path?: string | null;
  readonly socketPath?: string | null;
  readonly lookup?: Lookup;
  readonly timeout?: number;
  /** The end that it is connected to, in place of its address. */
  readonly [CONNECTED]?: ConnectionEnd;
}

/** The address of one end of a connection. */
export interface Place {
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

export const CONNECTED = Symbol('connected');
/** A socket takes over its end of a connection. */
export const ATTACH = Symbol('attach');

export type SocketClass = ReturnType<typeof makeSocket>;
export type Socket = InstanceType<SocketClass>;

const MAX_TIMEOUT = 2 ** 31 - 1;

/** As node takes what connects: options, a path, or a port and a host; then a listener. */
export function connectArgs(args: readonly unknown[]): { options: SocketOptions; done: unknown } {
  const [first, second] = args;
  const done = args.findLast((each) => typeof each === 'function');
  if (typeof first === 'object' && first !== null) return { options: first, done };
  if (typeof first === 'string' && !isPort(first)) return { options: { path: first }, done };
  const port = first as number | string;
  return { options: { port, ...(typeof second === 'string' && { host: second }) }, done };
}

export function isPort(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number(value) >= 0;
}

export function needPort(value: unknown, name: string): number {
  const port = typeof value === 'string' && isPort(value) ? Number(value) : value;
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  const shown =
    typeof value === 'string' ? `type string ('${value}')` : `type ${typeof value} (${String(value)})`;
  throw nodeError(
    'ERR_SOCKET_BAD_PORT',
    `${name} should be >= 0 and < 65536. Received ${shown}.`,
    RangeError,
  );
}

/** Connections between processes of the workspace, as streams. */
export function makeSocket(host: NodeHost, load: LoadBuiltin) {
  const { Duplex } = load('stream');
  const { Buffer } = load('buffer');

  class Socket extends plainBase(Duplex) {
    connecting = false;
    server: object | null = null;
    bytesRead = 0;
    timeout: number | undefined;
    autoSelectFamilyAttemptedAddresses: string[] | undefined;
    #end: ConnectionEnd | undefined;
    #handle: HostHandle | undefined;
    #counts = true;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #local: Place = {};
    #remote: Place = {};
    /** Read, and not said to be. */
    #owed = 0;
    #unread = 0;
    #sent = 0;
    #written: Done | undefined;
    #hasEnded = false;

    constructor(options: SocketOptions | number = {}) {
      const given = typeof options === 'object' ? options : {};
      for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode'])
        if (Reflect.get(given, name))
          throw nodeError(
            'ERR_INVALID_ARG_VALUE',
            `The property 'options.${name}' is not supported. Received true`,
            TypeError,
          );
      const { highWaterMark, readableHighWaterMark, writableHighWaterMark } = given;
      super({
        ...(highWaterMark !== undefined && { highWaterMark }),
        ...(readableHighWaterMark !== undefined && { readableHighWaterMark }),
        ...(writableHighWaterMark !== undefined && { writableHighWaterMark }),
        allowHalfOpen: given.allowHalfOpen ?? false,
        autoDestroy: true,
        emitClose: false,
      });
      this.on('end', () => {
        if (!this.allowHalfOpen) this.write = this.#afterEnd;
      });
      const { signal } = given;
      if (signal?.aborted) this.#aborted(signal);
      else signal?.addEventListener('abort', () => this.#aborted(signal), { once: true });
    }

    get pending(): boolean {
      return !this.#end || this.connecting;
    }
    get readyState(): string {
      if (this.connecting) return 'opening';
      if (this.readable && this.writable) return 'open';
      return this.readable ? 'readOnly' : this.writable ? 'writeOnly' : 'closed';
    }
    get bytesWritten(): number {
      return this.#sent + this.writableLength;
    }
    get bufferSize(): number {
      return this.writableLength;
    }
    get remoteAddress(): string | undefined {
      return this.connecting ? undefined : this.#remote.address;
    }
    get remotePort(): number | undefined {
      return this.connecting ? undefined : this.#remote.port;
    }
    get remoteFamily(): string | undefined {
      return this.remoteAddress && familyOf(this.remoteAddress);
    }
    get localAddress(): string | undefined {
      return this.#local.address;
    }
    get localPort(): number | undefined {
      return this.#local.port;
    }
    get localFamily(): string | undefined {
      return this.#local.address && familyOf(this.#local.address);
    }
    /** Present while the socket is connected. Programs only check whether it is. */
    get _handle(): object | null {
      return this.#end ?? null;
    }

    address(): object {
      const { address, port } = this.#local;
      return address === undefined ? {} : { address, family: familyOf(address), port };
    }

    connect(...args: unknown[]): this {
      const { options, done } = connectArgs(args);
      const path = options.path ?? options.socketPath ?? undefined;
      const given = options.port ?? undefined;
      if (path === undefined && given === undefined)
        throw nodeError(
          'ERR_MISSING_ARGS',
          'The "options" or "port" or "path" argument must be specified',
          TypeError,
        );
      const port = path === undefined ? needPort(given, 'Port') : 0;
      const { host: named, lookup } = options;
      if (named !== undefined && named !== null) needString(named, 'options.host');
      if (lookup !== undefined) needFunction(lookup, 'options.lookup');
      if (this.destroyed) this.#beNew();
      if (done) this.once('connect', done as () => void);
      if (options.timeout) this.setTimeout(options.timeout);
      this.connecting = true;
      this.#handle = host.handle();
      if (!this.#counts) this.#handle.unref();
      const connected =
        options[CONNECTED] ??
        (path === undefined ? httpEnd()?.(options, (error) => this.destroy(error as Error)) : undefined);
      const name = options.host || 'localhost';
      if (connected) this[ATTACH](connected, {}, { address: addressOf(name), port });
      else if (path !== undefined) this.#joinPath(String(path));
      else {
        this.#remote = { port };
        this.#resolve(name, options.lookup, (address) => this.#join(address, name, port));
      }
      return this;
    }

    /** Resets a closed socket, so that it can connect again. */
    #beNew(): void {
      (Reflect.get(this, '_undestroy') as () => void).call(this);
      Reflect.deleteProperty(this, 'write');
      this.#owed = this.#unread = this.#sent = this.#sentUsed = this.bytesRead = 0;
      this.#hasEnded = false;
      this.#written = undefined;
    }

    /** Its end of a connection, which is there already unless it is connecting. */
    [ATTACH](end: ConnectionEnd, local: Place = {}, remote: Place = {}): this {
      this.#end = end;
      this.#local = local;
      this.#remote = remote;
      if (!this.#handle) this.#handle = host.handle();
      end.hear(keep((message: ConnectionMessage) => this.#hear(message)));
      return this;
    }

    #resolve(name: string, lookup: Lookup | undefined, found: (address: string) => void): void {
      if (isIPv4(name) || isIPv6(name))
        return void host.process.nextTick(() => this.connecting && found(name));
      const told = (error: Error | null, answer: unknown) => {
        const [first] = Array.isArray(answer)
          ? (answer as { address: string }[])
          : [{ address: String(answer) }];
        const address = first?.address ?? '';
        this.emit(
          'lookup',
          error,
          error ? undefined : address,
          error ? undefined : address.includes(':') ? 6 : 4,
          name,
        );
        if (!this.connecting) return;
        if (error) this.destroy(error);
        else found(address);
      };
      if (lookup) return lookup(name, { hints: 0, all: true }, told);
      host.process.nextTick(() => {
        if (isOwnHost(name)) return told(null, addressOf(name));
        this.destroy(noWayOut(name, this.#remote.port ?? 0));
      });
    }

    #join(address: string, name: string, port: number): void {
      this.#remote = { address, port };
      if (!isOwnHost(address)) return void this.destroy(noWayOut(name, port));
      this[ATTACH](host.connect(port, name), {}, { address: addressOf(address), port });
    }

    #joinPath(path: string): void {
      const full = (load('path') as { resolve(path: string): string }).resolve(path);
      this.#remote = { path };
      host.process.nextTick(() => {
        if (!this.connecting) return;
        if (!load('fs').existsSync(full))
          this.destroy(systemError('ENOENT', 'connect', path, { address: path }));
        else this[ATTACH](host.connect(full, ''), {}, { path });
      });
    }

    #hear(message: ConnectionMessage): void {
      if (this.destroyed) return;
      this.#active();
      switch (message.kind) {
        case 'open': {
          this.connecting = false;
          const { address } = this.#remote;
          if (address !== undefined) this.#local = { address, port: message.port };
          this.emit('connect');
          this.emit('ready');
          return;
        }
        case 'data': {
          const { bytes } = message;
          this.bytesRead += bytes.byteLength;
          this.#unread += bytes.byteLength;
          if (this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
            this.#used(bytes.byteLength);
          else this.#owed += bytes.byteLength;
          return;
        }
        case 'used':
          this.#sentUsed += message.bytes;
          return this.#more();
        case 'end':
          this.#hasEnded = true;
          this.push(null);
          // One that nobody reads ends all the same, where nothing is left to read.
          this.read(0);
          return;
        case 'reset':
          this.#end = undefined;
          return void this.destroy(
            this.connecting ? this.#refused(message.code) : systemError(message.code, 'read'),
          );
        case 'gone':
      }
    }

    #refused(code: string): Error {
      const { address, port, path } = this.#remote;
      if (path !== undefined) return systemError(code, 'connect', path, { address: path });
      return systemError(code, 'connect', `${address}:${port}`, { address, port });
    }

    #sentUsed = 0;

    #used(bytes: number): void {
      this.#unread -= bytes;
      this.#end?.say({ kind: 'used', bytes });
    }

    #more(): void {
      if (this.#sent - this.#sentUsed >= CONNECTION_WINDOW) return;
      const done = this.#written;
      this.#written = undefined;
      done?.();
    }

    #active(): void {
      (this.#timer as { refresh?(): void } | undefined)?.refresh?.();
    }

    #aborted(signal: AbortSignal): void {
      host.process.nextTick(() => this.destroy(abortError(signal.reason)));
    }

    readonly #afterEnd = ((...args: Parameters<typeof Duplex.prototype.write>) => {
      if (!this.writableEnded) return Reflect.apply(super.write, this, args);
      const done = args.findLast((each: unknown) => typeof each === 'function') as Done | undefined;
      const error = nodeError('EPIPE', 'This socket has been ended by the other party');
      if (done) host.process.nextTick(done, error);
      this.destroy(error);
      return false;
    }) as typeof Duplex.prototype.write;

    override _read(): void {
      const owed = this.#owed;
      if (owed === 0) return;
      this.#owed = 0;
      this.#used(owed);
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      if (this.connecting) return this.#onceOpen(done, () => this._write(chunk, _encoding, done));
      if (!this.#end) return done(nodeError('ERR_SOCKET_CLOSED', 'Socket is closed'));
      this.#active();
      for (let at = 0; at < chunk.byteLength; at += PIECE) {
        const bytes = Uint8Array.from(chunk.subarray(at, at + PIECE));
        this.#sent += bytes.byteLength;
        this.#end.say({ kind: 'data', bytes });
      }
      if (this.#sent - this.#sentUsed < CONNECTION_WINDOW) done();
      else this.#written = done;
    }

    override _final(done: Done): void {
      if (this.connecting) return this.#onceOpen(done, () => this._final(done));
      this.#end?.say({ kind: 'end' });
      done();
    }

    #onceOpen(failed: Done, run: () => void): void {
      const closed = () =>
        failed(
          nodeError(
            'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
            'Socket closed before the connection was established',
          ),
        );
      this.once('connect', () => {
        this.off('close', closed);
        run();
      });
      this.once('close', closed);
    }

    override _destroy(error: Error | null, done: Done): void {
      this.connecting = false;
      clearTimeout(this.#timer);
      const end = this.#end;
      this.#end = undefined;
      // Bytes that left the stream were read; those that are still in it were not.
      const read = this.#unread - this.readableLength;
      if (read > 0 && !this.#hasEnded) end?.say({ kind: 'used', bytes: read });
      if (this.#hasEnded) end?.say({ kind: 'used', bytes: this.#unread });
      end?.say({ kind: 'gone' });
      done(error);
      setImmediate(() => {
        this.#handle?.release();
        this.emit('close', Boolean(error));
      });
    }

    destroySoon(error?: Error): void {
      if (this.writable) this.end();
      if (this.writableFinished) this.destroy(error);
      else this.once('finish', () => this.destroy(error));
    }

    resetAndDestroy(): this {
      if (this.connecting) this.once('connect', () => this.resetAndDestroy());
      else {
        this.#end?.say({ kind: 'reset', code: 'ECONNRESET' });
        this.#end = undefined;
        this.destroy();
      }
      return this;
    }

    setTimeout(ms: number, done?: () => void): this {
      if (this.destroyed) return this;
      needNumber(ms, 'msecs');
      if (ms < 0 || !Number.isFinite(ms)) throw outOfRange('msecs', 'a non-negative finite number', ms);
      if (done !== undefined) needFunction(done, 'callback');
      this.timeout = ms;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (ms === 0) {
        if (done) this.removeListener('timeout', done);
        return this;
      }
      this.#timer = setTimeout(() => this.emit('timeout'), Math.min(ms, MAX_TIMEOUT));
      (this.#timer as { unref?(): void }).unref?.();
      if (done) this.once('timeout', done);
      return this;
    }

    setNoDelay(): this {
      return this;
    }

    setKeepAlive(): this {
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
  }
  return inheritable(Socket);
}

/** Larger pieces would fill the window by themselves. */
const PIECE = 64 * 1024;

function noWayOut(name: string, port: number): Error {
  const error = systemError('EACCES', 'connect', `${name}:${port}`, { address: name, port });
  error.message +=
    ': a browser opens no sockets to hosts outside. node:http, node:https and fetch reach those that are allowed';
  return error;
}
