import type { LoadBuiltin, MakeBuiltin, NodeHost } from './builtin.ts';
import { ANSWER } from './net.ts';
import { makeAgent, type AgentOptions, type PooledSocket } from './http/agent.ts';
import { makeConnect, makeEnd } from './http/connect.ts';
import { makeAnswer } from './http/answer.ts';
import { makeClient } from './http/client.ts';
import type { RequestArgs } from './http/request-options.ts';
import { validateHeaderName, validateHeaderValue } from './http/headers.ts';
import { makeMessages, type Messages } from './http/messages.ts';
import type { HttpSocket } from './http/connection.ts';
import { METHODS, STATUS_CODES } from './http/names.ts';
import { makeServerResponse } from './http/response.ts';
import { MAX_HEADER_SIZE } from './http/parser.ts';
import { makeServer } from './http/server.ts';
import { refusals } from './internal/errors.ts';
import type { HttpEnd } from './net/http-end.ts';
import { inheritable } from './callable.ts';

/** The options of the global agents, which keep idle connections for a while as node's do. */
const KEPT = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const;

/** The parts of http, which https shares. */
interface Parts {
  readonly messages: Messages;
  readonly connect: (options: AgentOptions) => PooledSocket;
  readonly endTo?: HttpEnd;
}

function clientOf(
  host: NodeHost,
  load: LoadBuiltin,
  parts: Parts,
  agents: { globalAgent: InstanceType<ReturnType<typeof makeAgent>> },
) {
  const ClientRequest = makeClient(host, load, { ...parts, globalAgent: () => agents.globalAgent });
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

const messagesOf = new WeakMap<object, Messages>();

export const makeHttp: MakeBuiltin = (host, load) => {
  const messages = makeMessages(host, load);
  const { IncomingMessage, OutgoingMessage } = messages;
  const connect = makeConnect(host, load, 'http:');
  const endTo = makeEnd(host, load, 'http:');
  const Agent = makeAgent(connect, endTo);
  const ServerResponse = makeServerResponse(messages);
  const Server = makeServer(host, load, messages, ServerResponse);
  const answer = makeAnswer(load);
  const exports = {
    METHODS,
    STATUS_CODES,
    Agent,
    ClientRequest: undefined as unknown,
    IncomingMessage: inheritable(IncomingMessage),
    OutgoingMessage: inheritable(OutgoingMessage),
    Server,
    ServerResponse,
    createServer: (...args: [unknown, unknown]) => new Server(...args),
    get: undefined as unknown,
    globalAgent: new Agent(KEPT),
    maxHeaderSize: MAX_HEADER_SIZE,
    request: undefined as unknown,
    setMaxIdleHTTPParsers: () => undefined,
    validateHeaderName,
    validateHeaderValue,
    _connectionListener(this: InstanceType<typeof Server>, socket: HttpSocket) {
      this._serve(socket);
    },
  };
  Object.assign(exports, clientOf(host, load, { messages, connect, endTo }, exports));
  Object.defineProperty(exports, ANSWER, {
    value: (...args: Parameters<typeof answer>) => answer(...args),
    enumerable: false,
  });
  // It is not enumerable, because an import would read it and so fetch a part of node.
  Object.defineProperty(exports, 'WebSocket', { get: () => globalThis.WebSocket, enumerable: false });
  messagesOf.set(exports, messages);
  return exports;
};

export const makeHttps: MakeBuiltin = (host, load) => {
  const messages = messagesOf.get(load('http') as object) ?? makeMessages(host, load);
  const connect = makeConnect(host, load, 'https:');
  class Agent extends makeAgent(connect) {
    override defaultPort = 443;
    override protocol = 'https:';
  }
  const SecureAgent = inheritable(Agent);
  const exports = {
    Agent: SecureAgent,
    ...refusals('https'),
    get: undefined as unknown,
    globalAgent: new SecureAgent(KEPT),
    request: undefined as unknown,
  };
  const endTo: HttpEnd = (options, fail) => makeEnd(host, load, 'https:')(options, fail);
  const { get, request } = clientOf(host, load, { messages, connect, endTo }, exports);
  return Object.assign(exports, { get, request });
};
