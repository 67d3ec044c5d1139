import { PlainProxy } from './internal/proxies.ts';
import type { LoadBuiltin, MakeBuiltin, NodeHost } from './builtin.ts';
import { validateHeaderName, validateHeaderValue } from './http/headers.ts';
import { makeMessages, type Messages } from './http/messages.ts';
import { METHODS, STATUS_CODES } from './http/names.ts';
import { makeClient, type RequestArgs } from './http/client.ts';
import { makeServer } from './http/server.ts';
import { EventEmitter } from './internal/emitter.ts';
import { unavailable } from './internal/errors.ts';

interface AgentOptions {
  readonly keepAlive?: boolean;
  readonly maxSockets?: number;
  readonly maxFreeSockets?: number;
}

/** Connections are the kernel's: an agent has settings and holds none. */
class Agent extends EventEmitter {
  readonly options: AgentOptions;
  readonly keepAlive: boolean;
  readonly maxSockets: number;
  readonly maxFreeSockets: number;
  readonly maxTotalSockets = Infinity;
  readonly requests = {};
  readonly sockets = {};
  readonly freeSockets = {};
  readonly defaultPort: number = 80;
  readonly protocol: string = 'http:';

  constructor(options: AgentOptions = {}) {
    super();
    this.options = { ...options };
    this.keepAlive = options.keepAlive ?? false;
    this.maxSockets = options.maxSockets ?? Infinity;
    this.maxFreeSockets = options.maxFreeSockets ?? 256;
  }

  getName(options: { host?: string; port?: number; localAddress?: string } = {}): string {
    return `${options.host ?? 'localhost'}:${options.port ?? ''}:${options.localAddress ?? ''}`;
  }

  destroy(): void {}
}

class SecureAgent extends Agent {
  override readonly defaultPort = 443;
  override readonly protocol = 'https:';
}
Object.defineProperty(SecureAgent, 'name', { value: 'Agent' });

function clientOf(host: NodeHost, load: LoadBuiltin, messages: Messages, protocol: 'http:' | 'https:') {
  const ClientRequest = makeClient(host, load, messages, protocol);
  const request = (...args: RequestArgs) => new ClientRequest(...args);
  return {
    ClientRequest,
    request,
    get: (...args: RequestArgs) => {
      const made = request(...args);
      made.end();
      return made;
    },
  };
}

/** By the exports of `http`: https has the same. */
const messagesOf = new WeakMap<object, Messages>();

export const makeHttp: MakeBuiltin = (host, load) => {
  const messages = makeMessages(load);
  const { ClientRequest, request, get } = clientOf(host, load, messages, 'http:');
  const Server = makeServer(host, load, messages);
  const callable = new PlainProxy(Server, {
    apply: (_target, _self, args: unknown[]) => new Server(...args),
  });
  const exports = {
    METHODS,
    STATUS_CODES,
    Agent,
    ClientRequest,
    IncomingMessage: messages.IncomingMessage,
    OutgoingMessage: messages.OutgoingMessage,
    Server: callable,
    ServerResponse: messages.ServerResponse,
    createServer: (...args: unknown[]) => new Server(...args),
    get,
    globalAgent: new Agent({ keepAlive: true }),
    maxHeaderSize: 16384,
    request,
    setMaxIdleHTTPParsers: () => undefined,
    validateHeaderName,
    validateHeaderValue,
    WebSocket: globalThis.WebSocket,
    _connectionListener: () => undefined,
  };
  messagesOf.set(exports, messages);
  return exports;
};

export const makeHttps: MakeBuiltin = (host, load) => {
  const messages = messagesOf.get(load('http') as object) ?? makeMessages(load);
  const { request, get } = clientOf(host, load, messages, 'https:');
  const refuse = () => {
    throw unavailable('https.createServer', 'servers of a workspace speak plain HTTP; use http.createServer');
  };
  return {
    Agent: SecureAgent,
    Server: refuse,
    createServer: refuse,
    get,
    globalAgent: new SecureAgent({ keepAlive: true }),
    request,
  };
};
