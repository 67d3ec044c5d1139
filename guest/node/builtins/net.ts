import type { ConnectionEnd } from '../../shared/connection.ts';
import type { MakeBuiltin, ServedRequest } from './builtin.ts';
import { nodeError, refusals } from './internal/errors.ts';
import { isIPv4, isIPv6 } from './net/addresses.ts';
import { makeNetServer } from './net/server.ts';
import { connectArgs, FOR_HTTP, type SocketOptions } from './net/arguments.ts';
import { makeSocket } from './net/socket.ts';

type Answer = (request: ServedRequest, connect: (end: ConnectionEnd) => void) => void;

export const makeNet: MakeBuiltin = (host, load) => {
  const Socket = makeSocket(host, load);
  const answer: Answer = (...args) => (load('http') as { [ANSWER]: Answer })[ANSWER](...args);
  const Server = makeNetServer(host, load, Socket, answer);
  const connect = (...args: unknown[]) => {
    const socket = new Socket(connectArgs(args).options);
    return socket.connect(...args);
  };
  let selects = true;
  let attemptMs = 250;
  return {
    ...refusals('net'),
    Server,
    Socket,
    Stream: Socket,
    connect,
    createConnection: connect,
    createServer: (...args: [unknown, unknown]) => new Server(...args),
    getDefaultAutoSelectFamily: () => selects,
    setDefaultAutoSelectFamily: (value: boolean) => void (selects = value),
    getDefaultAutoSelectFamilyAttemptTimeout: () => attemptMs,
    setDefaultAutoSelectFamilyAttemptTimeout: (value: number) => void (attemptMs = value),
    isIP: (text: unknown) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0),
    isIPv4,
    isIPv6,
    _createServerHandle: () => {
      throw nodeError('ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent', TypeError);
    },
  };
};

/** The key of the method with which http answers a request that came without a connection. */
export const ANSWER = Symbol('answer');

export const makeTls: MakeBuiltin = (_host, load) => {
  const refused = refusals('tls');
  return {
    ...refused,
    connect: (...args: unknown[]): object | undefined => {
      const { options, done } = connectArgs(args);
      if (!options[FOR_HTTP] || Reflect.get(options, 'socket')) return refused.connect?.();
      return connectSecurely(load('net').Socket, options, done as (() => void) | undefined);
    },
    checkServerIdentity: () => undefined,
    getCiphers: () => [],
    rootCertificates: [],
    DEFAULT_MIN_VERSION: 'TLSv1.2',
    DEFAULT_MAX_VERSION: 'TLSv1.3',
  };
};

interface SecuredSocket {
  once(name: string, listener: () => void): unknown;
  emit(name: string): boolean;
  connect(options: SocketOptions): object;
}

/** Opens the socket that an agent wants for an https request. The browser encrypts what leaves the workspace. */
function connectSecurely(
  Socket: new (options: SocketOptions) => SecuredSocket,
  options: SocketOptions,
  done: (() => void) | undefined,
): object {
  const socket = Object.assign(new Socket(options), {
    encrypted: true,
    authorized: true,
    secureConnecting: true,
    getPeerCertificate: () => ({}),
  });
  if (done) socket.once('secureConnect', done);
  socket.once('connect', () => {
    socket.secureConnecting = false;
    socket.emit('secureConnect');
  });
  return socket.connect(options);
}
