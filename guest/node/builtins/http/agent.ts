import { inheritable, plainBase } from '../callable.ts';
import type { ConnectionEnd, ConnectionMessage } from '../../../shared/connection.ts';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { EventEmitter } from '../internal/emitter.ts';
import { needNumber, outOfRange } from '../internal/errors.ts';
import { isOwnHost } from '../net/addresses.ts';
import { openingForHttp, type HttpEnd } from '../net/http-end.ts';
import { CONNECTED, connectArgs, type SocketOptions } from '../net/socket.ts';
import type { HttpSocket } from './connection.ts';
import { outsideEnd } from './outside.ts';

export interface AgentOptions extends SocketOptions {
  readonly keepAlive?: boolean;
  readonly keepAliveMsecs?: number;
  readonly maxSockets?: number;
  readonly maxTotalSockets?: number;
  readonly maxFreeSockets?: number;
  readonly scheduling?: 'fifo' | 'lifo';
  readonly localAddress?: string;
  readonly family?: number;
  readonly protocol?: string | null;
  readonly [other: string]: unknown;
}

/** A request that waits for a connection. */
export interface Asking {
  readonly shouldKeepAlive: boolean;
  reusedSocket: boolean;
  onSocket(socket: HttpSocket | null, error?: Error): void;
  readonly destroyed: boolean;
}

export type Pooled = HttpSocket & {
  ref?(): unknown;
  unref?(): unknown;
  setKeepAlive?(on?: boolean, ms?: number): unknown;
};
type Done = (error: Error | null, socket?: Pooled) => void;
type Lists<Value> = Record<string, Value[] | undefined>;

const withoutPrototype = <Value>(): Lists<Value> => Object.create(null) as Lists<Value>;

/** A socket to where options say, by http or https: servers of the workspace, else hosts outside over the app. */
export function makeConnect(host: NodeHost, load: LoadBuiltin, protocol: 'http:' | 'https:') {
  const { Socket } = load('net');
  const endTo = makeEnd(host, load, protocol);
  return (options: AgentOptions): Pooled => {
    const socket = new Socket(options);
    const { path: _request, socketPath, ...rest } = options;
    if (socketPath) return socket.connect({ ...rest, path: socketPath });
    const hostname = options.host || 'localhost';
    if (protocol === 'https:')
      Object.assign(socket, { encrypted: true, authorized: true, getPeerCertificate: () => ({}) });
    const end = endTo(options, (error) => socket.destroy(error as Error));
    return socket.connect({ ...rest, port: Number(options.port ?? ''), host: hostname, [CONNECTED]: end });
  };
}

/** Makes the connection end to which the requests for some options are written. */
export function makeEnd(host: NodeHost, load: LoadBuiltin, protocol: 'http:' | 'https:') {
  return (options: SocketOptions, fail: (error: unknown) => void): ConnectionEnd => {
    const hostname = options.host || 'localhost';
    const port = String(options.port ?? '');
    const outside = () => {
      const usual = port === (protocol === 'https:' ? '443' : '80');
      return outsideEnd(host, load, { protocol, hostname, port: usual ? '' : port }, fail);
    };
    const isOwn = protocol === 'http:' && isOwnHost(hostname);
    return isOwn ? firstOf(host.connect(Number(port), hostname), outside) : outside();
  };
}

/** The one, or the other where it is refused: a server of this machine may be among the hosts that are allowed. */
function firstOf(first: ConnectionEnd, second: () => ConnectionEnd): ConnectionEnd {
  let end = first;
  let isOpen = false;
  return {
    say: (message) => end.say(message),
    hear(listener) {
      first.hear((message: ConnectionMessage) => {
        isOpen ||= message.kind === 'open';
        if (message.kind !== 'reset' || isOpen) return listener(message);
        end = second();
        end.hear(listener);
      });
    },
  };
}

export type AgentClass = ReturnType<typeof makeAgent>;
export type Agent = InstanceType<AgentClass>;

/** Keeps connections, and the requests that wait for one. `endTo`: what a socket of a program's own is connected by. */
export function makeAgent(connect: (options: AgentOptions) => Pooled, endTo?: HttpEnd) {
  class Agent extends plainBase(EventEmitter) {
    defaultPort = 80;
    protocol = 'http:';
    readonly options: AgentOptions;
    readonly requests = withoutPrototype<Asking>();
    readonly sockets = withoutPrototype<Pooled>();
    readonly freeSockets = withoutPrototype<Pooled>();
    readonly keepAliveMsecs: number;
    readonly keepAlive: boolean;
    readonly maxSockets: number;
    readonly maxFreeSockets: number;
    readonly scheduling: 'fifo' | 'lifo';
    readonly maxTotalSockets: number;
    totalSocketCount = 0;
    readonly #asked = new WeakMap<Asking, AgentOptions>();

    constructor(options: AgentOptions = {}) {
      super();
      this.options = Object.assign(Object.create(null) as AgentOptions, {
        noDelay: true,
        ...options,
        path: null,
      });
      this.keepAliveMsecs = options.keepAliveMsecs ?? 1000;
      this.keepAlive = options.keepAlive ?? false;
      this.maxSockets = options.maxSockets ?? Infinity;
      this.maxFreeSockets = options.maxFreeSockets ?? 256;
      this.scheduling = options.scheduling ?? 'lifo';
      this.maxTotalSockets = options.maxTotalSockets ?? Infinity;
      if (options.maxTotalSockets !== undefined) {
        needNumber(options.maxTotalSockets, 'maxTotalSockets');
        if (!(options.maxTotalSockets >= 1))
          throw outOfRange('maxTotalSockets', '> 0', options.maxTotalSockets);
      }
      this.on('free', (socket, given) => this.#freed(socket as Pooled, given as AgentOptions));
    }

    createConnection(...args: [options: AgentOptions, done?: Done]): Pooled | undefined {
      const [options] = args;
      if (typeof options === 'object') return connect(options);
      const { options: given, done } = connectArgs(args);
      const socket = connect(given as AgentOptions);
      return typeof done === 'function' ? socket.once('connect', done as () => void) : socket;
    }

    getName(options: AgentOptions = {}): string {
      const { host: name = 'localhost', port = '', localAddress = '', family, socketPath } = options;
      const parts = [name || 'localhost', port || '', localAddress || ''];
      if (family === 4 || family === 6) parts.push(family);
      if (socketPath) parts.push(socketPath);
      return parts.join(':');
    }

    addRequest(request: Asking, given: AgentOptions): void {
      const options: AgentOptions = { ...given, ...this.options };
      if (options.socketPath) Object.assign(options, { path: options.socketPath });
      const name = this.getName(options);
      const free = this.freeSockets[name];
      while (free?.length) {
        const socket = this.scheduling === 'fifo' ? free.shift() : free.pop();
        if (free.length === 0) delete this.freeSockets[name];
        if (!socket || socket.destroyed || !socket.writable) continue;
        this.reuseSocket(socket, request);
        (this.sockets[name] ??= []).push(socket);
        return this.#give(request, socket);
      }
      const open = this.sockets[name]?.length ?? 0;
      if (open < this.maxSockets && this.totalSocketCount < this.maxTotalSockets)
        return this.#open(request, options);
      this.#asked.set(request, options);
      (this.requests[name] ??= []).push(request);
    }

    #open(request: Asking, options: AgentOptions): void {
      this.createSocket(request, options, (error, socket) => {
        if (error || !socket) request.onSocket(null, error ?? undefined);
        else this.#give(request, socket);
      });
    }

    createSocket(_request: Asking, given: AgentOptions, done: Done): void {
      const options: AgentOptions = { ...given, ...this.options };
      if (options.socketPath) Object.assign(options, { path: options.socketPath });
      const name = this.getName(options);
      let isDone = false;
      const made: Done = (error, socket) => {
        if (isDone) return;
        isDone = true;
        if (error || !socket) return done(error ?? new Error('no connection was made'));
        (this.sockets[name] ??= []).push(socket);
        this.totalSocketCount++;
        this.#watch(socket, options);
        done(null, socket);
      };
      const open = () => this.createConnection(options, made);
      const socket = endTo ? openingForHttp(endTo, open) : open();
      if (socket) made(null, socket);
    }

    #watch(socket: Pooled, options: AgentOptions): void {
      const onFree = () => this.emit('free', socket, options);
      const onClose = () => this.removeSocket(socket, options);
      const onTimeout = () => {
        if (Object.values(this.freeSockets).some((list) => list?.includes(socket))) socket.destroy();
      };
      const onRemove = () => {
        this.removeSocket(socket, options);
        socket.off('close', onClose);
        socket.off('free', onFree);
        socket.off('timeout', onTimeout);
        socket.off('agentRemove', onRemove);
      };
      socket.on('free', onFree);
      socket.on('close', onClose);
      socket.on('timeout', onTimeout);
      socket.on('agentRemove', onRemove);
      if (this.options.timeout) socket.setTimeout?.(this.options.timeout);
    }

    #give(request: Asking, socket: Pooled): void {
      request.onSocket(socket);
      if (this.options.timeout) socket.setTimeout?.(this.options.timeout);
    }

    #freed(socket: Pooled, options: AgentOptions): void {
      const name = this.getName(options);
      if (!socket.writable) return void socket.destroy();
      const next = this.#next(name);
      if (next) return this.#give(next, socket);
      const asked = socket._httpMessage as Asking | undefined;
      if (!asked?.shouldKeepAlive || !this.keepAlive) return void socket.destroy();
      const free = this.freeSockets[name] ?? [];
      if (
        this.totalSocketCount > this.maxTotalSockets ||
        free.length >= this.maxFreeSockets ||
        !this.keepSocketAlive(socket)
      )
        return void socket.destroy();
      socket._httpMessage = null;
      this.#take(this.sockets, name, socket);
      socket.once('error', () => socket.destroy());
      free.push(socket);
      this.freeSockets[name] = free;
    }

    #next(name: string): Asking | undefined {
      const waiting = this.requests[name];
      for (let next = waiting?.shift(); next; next = waiting?.shift()) {
        if (waiting?.length === 0) delete this.requests[name];
        if (!next.destroyed) return next;
      }
      return undefined;
    }

    #take(lists: Lists<Pooled>, name: string, socket: Pooled): boolean {
      const list = lists[name];
      const at = list?.indexOf(socket) ?? -1;
      if (at === -1) return false;
      list?.splice(at, 1);
      if (list?.length === 0) delete lists[name];
      return true;
    }

    removeSocket(socket: Pooled, options: AgentOptions): void {
      const name = this.getName(options);
      const wasUsed = this.#take(this.sockets, name, socket);
      if (this.#take(this.freeSockets, name, socket) || wasUsed) this.totalSocketCount--;
      const next = this.#next(name);
      if (next) this.#open(next, this.#asked.get(next) ?? options);
    }

    keepSocketAlive(socket: Pooled): boolean {
      socket.setKeepAlive?.(true, this.keepAliveMsecs);
      socket.unref?.();
      return true;
    }

    reuseSocket(socket: Pooled, request: Asking): void {
      request.reusedSocket = true;
      socket.ref?.();
    }

    destroy(): void {
      for (const lists of [this.freeSockets, this.sockets])
        for (const list of Object.values(lists)) for (const socket of [...(list ?? [])]) socket.destroy();
    }
  }
  return inheritable(Agent);
}
