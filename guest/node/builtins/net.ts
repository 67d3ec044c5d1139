import type { LoadBuiltin, MakeBuiltin } from './builtin.ts';
import { EventEmitter } from './internal/emitter.ts';
import { refusals, unavailable } from './internal/errors.ts';

const why =
  'a browser opens no sockets; node:http and fetch work, with servers of the workspace and with allowed hosts';

export function isIPv4(text: unknown): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(String(text));
}

export function isIPv6(text: unknown): boolean {
  const value = String(text).replace(/%[0-9a-zA-Z-.:]+$/, '');
  if (!value.includes(':') || /[^0-9a-fA-F:.]/.test(value)) return false;
  try {
    return new URL(`http://[${value}]`).hostname !== '';
  } catch {
    return false;
  }
}

/** The class of what has the look of a connection and carries nothing. */
export function makeIdleSocket(load: LoadBuiltin) {
  const { Duplex } = load('stream');
  return class IdleSocket extends Duplex {
    connecting = false;
    constructor(options: object = {}) {
      super({ ...options, read() {}, write: (_chunk, _encoding, done) => done() });
    }
    setTimeout(): this {
      return this;
    }
    setNoDelay(): this {
      return this;
    }
    setKeepAlive(): this {
      return this;
    }
    ref(): this {
      return this;
    }
    unref(): this {
      return this;
    }
  };
}

export const makeNet: MakeBuiltin = (host, load) => {
  /** Only ever fails to connect: nothing but HTTP leaves the workspace. */
  class Socket extends makeIdleSocket(load) {
    readonly pending = true;
    connect(..._args: unknown[]): this {
      host.process.nextTick(() => this.destroy(unavailable('net.Socket', why)));
      return this;
    }
    address(): object {
      return {};
    }
  }

  class Server extends EventEmitter {
    listen(..._args: unknown[]): this {
      host.process.nextTick(() => this.emit('error', unavailable('net.Server', why)));
      return this;
    }
    close(done?: () => void): this {
      if (done) host.process.nextTick(done);
      return this;
    }
    address(): unknown {
      return null;
    }
    ref(): this {
      return this;
    }
    unref(): this {
      return this;
    }
  }

  const connect = (...args: unknown[]) => new Socket().connect(...args);
  return {
    ...refusals('net', ['BlockList'], why),
    Server,
    Socket,
    Stream: Socket,
    connect,
    createConnection: connect,
    createServer: (...args: unknown[]) => {
      const server = new Server();
      const listener = args.find((arg) => typeof arg === 'function');
      if (listener) server.on('connection', listener as (...args: unknown[]) => void);
      return server;
    },
    getDefaultAutoSelectFamily: () => true,
    setDefaultAutoSelectFamily: () => undefined,
    getDefaultAutoSelectFamilyAttemptTimeout: () => 250,
    setDefaultAutoSelectFamilyAttemptTimeout: () => undefined,
    isIP: (text: unknown) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0),
    isIPv4,
    isIPv6,
  };
};

export const makeTls: MakeBuiltin = () => {
  return {
    ...refusals('tls', ['connect', 'createServer', 'createSecureContext', 'TLSSocket', 'Server'], why),
    checkServerIdentity: () => undefined,
    getCiphers: () => [],
    rootCertificates: [],
    DEFAULT_MIN_VERSION: 'TLSv1.2',
    DEFAULT_MAX_VERSION: 'TLSv1.3',
  };
};
