import type { ConnectionEnd, ConnectionMessage } from '../../../shared/connection.ts';
import { keep } from '../async/context.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { systemError } from '../internal/errno.ts';
import { nodeError } from '../internal/errors.ts';
import { addressOf, isOwnHost } from './addresses.ts';
import { CONNECTED, FOR_HTTP, type Lookup, type SocketOptions } from './arguments.ts';
import { closedBeforeConnection, refused, unreachable, type EndAddress } from './errors.ts';
import { Flow } from './flow.ts';
import { httpEnd } from './http-end.ts';
import { isAddress, resolveHost, type Resolved } from './resolve.ts';

type Done = (error?: Error | null) => void;

/** The members of a socket that its transport uses. */
export interface TransportSocket {
  connecting: boolean;
  bytesRead: number;
  readonly destroyed: boolean;
  readonly readableLength: number;
  push(chunk: unknown): boolean;
  read(size: number): unknown;
  emit(name: string, ...args: unknown[]): boolean;
  once(name: string, listener: () => void): unknown;
  off(name: string, listener: () => void): unknown;
  destroy(error?: Error): unknown;
}

/** Larger pieces would fill the window by themselves. */
const PIECE_BYTES = 64 * 1024;

/** Connects a socket, and passes bytes between its streams and its end of the connection. */
export class Transport {
  local: EndAddress = {};
  remote: EndAddress = {};
  readonly #host: NodeHost;
  readonly #load: LoadBuiltin;
  readonly #socket: TransportSocket;
  /** Called with each message, because the socket is not idle then. */
  readonly #active: () => void;
  #end: ConnectionEnd | undefined;
  #flow = new Flow();
  #hasEnded = false;

  constructor(host: NodeHost, load: LoadBuiltin, socket: TransportSocket, active: () => void) {
    this.#host = host;
    this.#load = load;
    this.#socket = socket;
    this.#active = active;
  }

  /** Undefined while the socket has no connection. */
  get end(): ConnectionEnd | undefined {
    return this.#end;
  }

  /** How many bytes were sent. */
  get sent(): number {
    return this.#flow.sent;
  }

  /** Forgets a closed connection, so that there can be another one. */
  reset(): void {
    this.#flow = new Flow();
    this.#hasEnded = false;
  }

  attach(end: ConnectionEnd, local: EndAddress, remote: EndAddress): void {
    this.#end = end;
    this.local = local;
    this.remote = remote;
    end.hear(keep((message: ConnectionMessage) => this.#hear(message)));
  }

  /** Opens a connection to the end that the options hold, to a path, or to a port of a host. */
  connect(options: SocketOptions, path: string | undefined, port: number): void {
    const name = options.host || 'localhost';
    const fail = (error: unknown) => void this.#socket.destroy(error as Error);
    const forHttp = path === undefined ? (options[FOR_HTTP] ?? httpEnd()) : undefined;
    const end = options[CONNECTED] ?? forHttp?.(options, fail);
    if (end) this.attach(end, {}, { address: addressOf(name), port });
    else if (path !== undefined) this.#connectPath(path);
    else this.#connectHost(name, port, options.lookup);
  }

  #connectPath(path: string): void {
    const full = this.#load('path').resolve(path);
    this.remote = { path };
    this.#host.process.nextTick(() => {
      if (!this.#socket.connecting) return;
      if (!this.#load('fs').existsSync(full))
        this.#socket.destroy(systemError('ENOENT', 'connect', path, { address: path }));
      else this.attach(this.#host.connect(full, ''), {}, { path });
    });
  }

  #connectHost(name: string, port: number, lookup: Lookup | undefined): void {
    const { process } = this.#host;
    this.remote = { port };
    const join = (address: string) => this.#joinHost(address, name, port);
    if (isAddress(name)) return void process.nextTick(() => this.#socket.connecting && join(name));
    const resolved = ({ error, address }: Resolved) => {
      const family = address.includes(':') ? 6 : 4;
      this.#socket.emit('lookup', error, error ? undefined : address, error ? undefined : family, name);
      if (!this.#socket.connecting) return;
      if (error) this.#socket.destroy(error);
      else join(address);
    };
    resolveHost(process, name, lookup, resolved, () => this.#socket.destroy(unreachable(name, port)));
  }

  #joinHost(address: string, name: string, port: number): void {
    this.remote = { address, port };
    if (!isOwnHost(address)) return void this.#socket.destroy(unreachable(name, port));
    this.attach(this.#host.connect(port, name), {}, { address: addressOf(address), port });
  }

  #hear(message: ConnectionMessage): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#active();
    switch (message.kind) {
      case 'open': {
        socket.connecting = false;
        const { address } = this.remote;
        if (address !== undefined) this.local = { address, port: message.port };
        socket.emit('connect');
        socket.emit('ready');
        return;
      }
      case 'data':
        return this.#receive(message.bytes);
      case 'used':
        return this.#flow.acknowledge(message.bytes);
      case 'end':
        this.#hasEnded = true;
        socket.push(null);
        // A socket that nobody reads ends all the same, if nothing is left to read.
        socket.read(0);
        return;
      case 'reset':
        this.#end = undefined;
        return void socket.destroy(
          socket.connecting ? refused(message.code, this.remote) : systemError(message.code, 'read'),
        );
      case 'gone':
    }
  }

  #receive(bytes: Uint8Array): void {
    const { Buffer } = this.#load('buffer');
    const count = bytes.byteLength;
    this.#socket.bytesRead += count;
    this.#flow.receive(count);
    if (this.#socket.push(Buffer.from(bytes.buffer, bytes.byteOffset, count))) this.#report(count);
    else this.#flow.hold(count);
  }

  /** The stream asks for more, so it has passed on what it holds. */
  readMore(): void {
    const held = this.#flow.takeHeld();
    if (held > 0) this.#report(held);
  }

  #report(count: number): void {
    this.#flow.report(count);
    this.#end?.say({ kind: 'used', bytes: count });
  }

  write(chunk: Uint8Array, done: Done): void {
    if (this.#socket.connecting) return this.#onceConnected(done, () => this.write(chunk, done));
    if (!this.#end) return done(nodeError('ERR_SOCKET_CLOSED', 'Socket is closed'));
    this.#active();
    this.#sendFrom(chunk, 0, done);
  }

  /** Sends as much as the window takes, and the rest when the other end has read: it breaks off whoever floods it. */
  #sendFrom(chunk: Uint8Array, at: number, done: Done): void {
    if (at >= chunk.byteLength) return this.#flow.whenOpen(done);
    const bytes = Uint8Array.from(chunk.subarray(at, at + PIECE_BYTES));
    this.#flow.addSent(bytes.byteLength);
    this.#end?.say({ kind: 'data', bytes });
    this.#flow.whenOpen(() => this.#sendFrom(chunk, at + PIECE_BYTES, done));
  }

  endWriting(done: Done): void {
    if (this.#socket.connecting) return this.#onceConnected(done, () => this.endWriting(done));
    this.#end?.say({ kind: 'end' });
    done();
  }

  /** Calls `run` when the socket has connected, or `failed` with an error if it is closed before. */
  #onceConnected(failed: Done, run: () => void): void {
    const closed = () => failed(closedBeforeConnection());
    this.#socket.once('connect', () => {
      this.#socket.off('close', closed);
      run();
    });
    this.#socket.once('close', closed);
  }

  /** Breaks the connection off. */
  breakOff(): void {
    this.#end?.say({ kind: 'reset', code: 'ECONNRESET' });
    this.#end = undefined;
  }

  close(): void {
    const end = this.#end;
    this.#end = undefined;
    // Bytes that left the stream were read; those that are still in it were not.
    const { unreported } = this.#flow;
    const read = unreported - this.#socket.readableLength;
    if (read > 0 && !this.#hasEnded) end?.say({ kind: 'used', bytes: read });
    if (this.#hasEnded) end?.say({ kind: 'used', bytes: unreported });
    end?.say({ kind: 'gone' });
  }
}
