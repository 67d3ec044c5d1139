import { inheritable, plainBase } from '../callable.ts';
import { EventEmitter } from '../internal/emitter.ts';
import { needNumber, outOfRange } from '../internal/errors.ts';
import { withoutPrototype } from '../internal/without-prototype.ts';
import { openingForHttp, type HttpEnd } from '../net/http-end.ts';
import { connectArgs, type SocketOptions } from '../net/arguments.ts';
import type { HttpSocket } from './connection.ts';

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
export interface PooledRequest {
  readonly shouldKeepAlive: boolean;
  reusedSocket: boolean;
  onSocket(socket: HttpSocket | null, error?: Error): void;
  readonly destroyed: boolean;
}

export type PooledSocket = HttpSocket & {
  ref?(): unknown;
  unref?(): unknown;
  setKeepAlive?(on?: boolean, ms?: number): unknown;
};
type Done = (error: Error | null, socket?: PooledSocket) => void;
type Lists<Value> = Record<string, Value[] | undefined>;

export type AgentClass = ReturnType<typeof makeAgent>;
export type Agent = InstanceType<AgentClass>;

/**
 * Makes the class `http.Agent`, which keeps connections and the requests that wait for one. `endTo` connects the
 * sockets that a program opens for requests by itself.
 */
export function makeAgent(connect: (options: AgentOptions) => PooledSocket, endTo?: HttpEnd) {
  class Agent extends plainBase(EventEmitter) {
    declare defaultPort: number;
    declare protocol: string;
    readonly options: AgentOptions;
    readonly requests = withoutPrototype<PooledRequest[] | undefined>();
    readonly sockets = withoutPrototype<PooledSocket[] | undefined>();
    readonly freeSockets = withoutPrototype<PooledSocket[] | undefined>();
    readonly keepAliveMsecs: number;
    readonly keepAlive: boolean;
    readonly maxSockets: number;
    readonly maxFreeSockets: number;
    readonly scheduling: 'fifo' | 'lifo';
    readonly maxTotalSockets: number;
    totalSocketCount = 0;
    readonly #optionsOf = new WeakMap<PooledRequest, AgentOptions>();

    constructor(options: AgentOptions = {}) {
      super();
      // Assigned, as in node, because classes of programs have accessors of these names.
      this.defaultPort = 80;
      this.protocol = 'http:';
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
      checkTotal(options.maxTotalSockets);
      this.on('free', (socket, given) => this.#freed(socket as PooledSocket, given as AgentOptions));
    }

    createConnection(...args: [options: AgentOptions, done?: Done]): PooledSocket | undefined {
      return connectBy(connect, args);
    }

    getName(options: AgentOptions = {}): string {
      return nameOf(options);
    }

    addRequest(request: PooledRequest, given: AgentOptions): void {
      const options = merged(given, this.options);
      const name = this.getName(options);
      const socket = this.#takeFree(name);
      if (socket) {
        this.reuseSocket(socket, request);
        (this.sockets[name] ??= []).push(socket);
        return this.#give(request, socket);
      }
      const open = this.sockets[name]?.length ?? 0;
      if (open < this.maxSockets && this.totalSocketCount < this.maxTotalSockets)
        return this.#open(request, options);
      this.#optionsOf.set(request, options);
      (this.requests[name] ??= []).push(request);
    }

    #takeFree(name: string): PooledSocket | undefined {
      const free = this.freeSockets[name];
      while (free?.length) {
        const socket = this.scheduling === 'fifo' ? free.shift() : free.pop();
        if (free.length === 0) delete this.freeSockets[name];
        socket?.off('error', destroyFailed);
        if (socket && !socket.destroyed && socket.writable) return socket;
      }
      return undefined;
    }

    #open(request: PooledRequest, options: AgentOptions): void {
      this.createSocket(request, options, (error, socket) => {
        if (error || !socket) request.onSocket(null, error ?? undefined);
        else this.#give(request, socket);
      });
    }

    createSocket(_request: PooledRequest, given: AgentOptions, done: Done): void {
      const options = merged(given, this.options);
      const name = this.getName(options);
      let isDone = false;
      const made: Done = (error, socket) => {
        if (isDone) return;
        isDone = true;
        if (error || !socket) return done(error ?? new Error('no connection was made'));
        (this.sockets[name] ??= []).push(socket);
        this.totalSocketCount++;
        watchSocket(this, socket, options);
        done(null, socket);
      };
      const open = () => this.createConnection(options, made);
      const socket = endTo ? openingForHttp(endTo, open) : open();
      if (socket) made(null, socket);
    }

    #give(request: PooledRequest, socket: PooledSocket): void {
      request.onSocket(socket);
      if (this.options.timeout) socket.setTimeout?.(this.options.timeout);
    }

    #freed(socket: PooledSocket, options: AgentOptions): void {
      const name = this.getName(options);
      if (!socket.writable) return void socket.destroy();
      const next = nextRequest(this.requests, name);
      if (next) return this.#give(next, socket);
      const asked = socket._httpMessage as PooledRequest | undefined;
      if (!asked?.shouldKeepAlive || !this.keepAlive) return void socket.destroy();
      const count = this.freeSockets[name]?.length ?? 0;
      const isFull = this.totalSocketCount > this.maxTotalSockets || count >= this.maxFreeSockets;
      if (isFull || !this.keepSocketAlive(socket)) return void socket.destroy();
      this.#keep(socket, name);
    }

    #keep(socket: PooledSocket, name: string): void {
      socket._httpMessage = null;
      takeSocket(this.sockets, name, socket);
      socket.once('error', destroyFailed);
      (this.freeSockets[name] ??= []).push(socket);
    }

    removeSocket(socket: PooledSocket, options: AgentOptions): void {
      const name = this.getName(options);
      const wasUsed = takeSocket(this.sockets, name, socket);
      if (takeSocket(this.freeSockets, name, socket) || wasUsed) this.totalSocketCount--;
      const next = nextRequest(this.requests, name);
      if (next) this.#open(next, this.#optionsOf.get(next) ?? options);
    }

    keepSocketAlive(socket: PooledSocket): boolean {
      socket.setKeepAlive?.(true, this.keepAliveMsecs);
      socket.unref?.();
      return true;
    }

    reuseSocket(socket: PooledSocket, request: PooledRequest): void {
      request.reusedSocket = true;
      socket.ref?.();
    }

    destroy(): void {
      for (const lists of [this.freeSockets, this.sockets])
        for (const socket of Object.values(lists).flat()) socket?.destroy();
    }
  }
  return inheritable(Agent);
}

/** Connects by the arguments of `createConnection`, which may also be a port and a host. */
function connectBy(
  connect: (options: AgentOptions) => PooledSocket,
  args: [options: AgentOptions, done?: Done],
): PooledSocket {
  const [options] = args;
  if (typeof options === 'object') return connect(options);
  const { options: given, done } = connectArgs(args);
  const socket = connect(given as AgentOptions);
  return typeof done === 'function' ? socket.once('connect', done as () => void) : socket;
}

/** The agent's own options come before those of a request. */
function merged(given: AgentOptions, own: AgentOptions): AgentOptions {
  const options: AgentOptions = { ...given, ...own };
  return options.socketPath ? { ...options, path: options.socketPath } : options;
}

function checkTotal(maxTotalSockets: number | undefined): void {
  if (maxTotalSockets === undefined) return;
  needNumber(maxTotalSockets, 'maxTotalSockets');
  if (!(maxTotalSockets >= 1)) throw outOfRange('maxTotalSockets', '> 0', maxTotalSockets);
}

/** The name under which an agent keeps its sockets to one server. */
function nameOf(options: AgentOptions): string {
  const { host: name = 'localhost', port = '', localAddress = '', family, socketPath } = options;
  const parts = [name || 'localhost', port || '', localAddress || ''];
  if (family === 4 || family === 6) parts.push(family);
  if (socketPath) parts.push(socketPath);
  return parts.join(':');
}

/** Removes and returns the next request that still waits. */
function nextRequest(requests: Lists<PooledRequest>, name: string): PooledRequest | undefined {
  const waiting = requests[name];
  for (let next = waiting?.shift(); next; next = waiting?.shift()) {
    if (waiting?.length === 0) delete requests[name];
    if (!next.destroyed) return next;
  }
  return undefined;
}

/** A socket that fails while no request uses it has nobody else to listen. */
function destroyFailed(this: { destroy(): unknown }): void {
  this.destroy();
}

/** Removes a socket from a list, and returns whether it was in it. */
function takeSocket(lists: Lists<PooledSocket>, name: string, socket: PooledSocket): boolean {
  const list = lists[name];
  const at = list?.indexOf(socket) ?? -1;
  if (at === -1) return false;
  list?.splice(at, 1);
  if (list?.length === 0) delete lists[name];
  return true;
}

interface SocketKeeper {
  readonly options: AgentOptions;
  readonly freeSockets: Lists<PooledSocket>;
  emit(name: 'free', socket: PooledSocket, options: AgentOptions): unknown;
  removeSocket(socket: PooledSocket, options: AgentOptions): void;
}

/** Tells an agent what becomes of one of its sockets, until that leaves the agent. */
function watchSocket(agent: SocketKeeper, socket: PooledSocket, options: AgentOptions): void {
  const onFree = () => agent.emit('free', socket, options);
  const onClose = () => agent.removeSocket(socket, options);
  const onTimeout = () => {
    if (Object.values(agent.freeSockets).some((list) => list?.includes(socket))) socket.destroy();
  };
  const onRemove = () => {
    agent.removeSocket(socket, options);
    socket.off('close', onClose);
    socket.off('free', onFree);
    socket.off('timeout', onTimeout);
    socket.off('agentRemove', onRemove);
  };
  socket.on('free', onFree);
  socket.on('close', onClose);
  socket.on('timeout', onTimeout);
  socket.on('agentRemove', onRemove);
  if (agent.options.timeout) socket.setTimeout?.(agent.options.timeout);
}
