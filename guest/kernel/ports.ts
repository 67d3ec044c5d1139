import type { FromServer, NetRequest, ToServer } from '../shared/protocol.ts';
import { Connection, type ConnectionMessage } from '../shared/connection.ts';
import { isFromServer, isConnectionMessage, isToServer } from './checked.ts';

/** Passes a request to a server's process, with the channel for the answer. */
export type Serve = (request: NetRequest, channel: MessagePort) => void;

/** Sends a request through the app to a host outside the workspace. The app answers EACCES where it is not allowed. */
export type AskOutside = Serve;

/** The functions of a process that serve its clients. */
export interface Listener {
  readonly serve: Serve;
  /** Accepts a connection. `host` is the name that the client used, `port` the client's own. */
  accept(host: string, port: number, channel: MessagePort): void;
}

type Server = Partial<Listener> & Pick<Listener, 'serve'> & { readonly owner: object };

/** A port number, or the path of a socket. */
export type Address = number | string;

interface Exchange {
  readonly client: object;
  readonly server: object;
  /** Ends it for both sides. */
  end(failed?: Refusal): void;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

const FIRST_FREE = 32768;
const LAST = 65535;
/** How many connections all processes together may have: each takes memory of the kernel. */
const MAX_CONNECTIONS = 4096;
const HTTP = 80;
const HTTPS = 443;

/** Knows which process listens on which port of the workspace, and which exchanges and connections are open. */
export class PortTable {
  readonly #servers = new Map<Address, Server>();
  readonly #exchanges = new Set<Exchange>();
  readonly #links = new Set<{ readonly ends: readonly [object, object]; leave(side: 0 | 1): void }>();
  readonly #outside: Server | undefined;
  readonly #changed: (ports: readonly number[]) => void;
  #nextFree = FIRST_FREE;

  /** `changed` is called with all ports whenever a process begins or stops listening on one. */
  constructor(outside?: AskOutside, changed: (ports: readonly number[]) => void = () => {}) {
    this.#changed = changed;
    this.#outside = outside && { owner: {}, serve: outside };
  }

  /** Returns the address that the process now listens on, or undefined where it is taken. */
  listen(owner: object, address: Address, listener: Listener): Address | undefined {
    const chosen = address === 0 ? this.#free() : address;
    if (chosen === undefined || this.#servers.has(chosen)) return undefined;
    this.#servers.set(chosen, { ...listener, owner });
    if (typeof chosen === 'number') this.#changed(this.ports);
    return chosen;
  }

  /** The ports on which any process listens, in ascending order. */
  get ports(): number[] {
    const ports = [...this.#servers.keys()].filter((address) => typeof address === 'number');
    return ports.sort((one, other) => one - other);
  }

  /** The ports on which a process listens. */
  portsOf(owner: object): number[] {
    return [...this.#servers].flatMap(([address, server]) =>
      server.owner === owner && typeof address === 'number' ? address : [],
    );
  }

  /** Stops listening. Open exchanges and connections continue. */
  close(owner: object, address: Address): void {
    if (this.#servers.get(address)?.owner === owner) this.#remove([address]);
  }

  /** Connects a client to the process that listens there. The client learns over `channel` whether that worked. */
  connect(client: object, address: Address, host: string, channel: MessagePort): void {
    const server = this.#servers.get(address);
    const port = this.#free();
    const tell = (to: MessagePort) => (message: ConnectionMessage) =>
      to.postMessage(message, message.kind === 'data' ? [message.bytes.buffer] : []);
    if (!server?.accept || port === undefined || this.#links.size >= MAX_CONNECTIONS) {
      const code = server?.accept ? 'EMFILE' : 'ECONNREFUSED';
      tell(channel)({ kind: 'reset', code });
      return channel.close();
    }
    const { port1: own, port2: theirs } = new MessageChannel();
    const ports = [channel, own] as const;
    const connection = new Connection([tell(channel), tell(own)], () => {
      this.#links.delete(link);
      for (const each of ports) each.close();
    });
    const link = {
      ends: [client, server.owner] as const,
      leave: (side: 0 | 1) => connection.say(side, { kind: 'gone' }),
    };
    this.#links.add(link);
    for (const side of [0, 1] as const)
      ports[side].onmessage = ({ data }: MessageEvent<unknown>) =>
        connection.say(side, isConnectionMessage(data) ? data : { kind: 'reset', code: 'EPROTO' });
    tell(channel)({ kind: 'open', port });
    server.accept(host, port, theirs);
  }

  /** Called when a process is over. Closes its servers, its connections and its exchanges. */
  drop(owner: object): void {
    this.#remove(
      [...this.#servers].flatMap(([address, server]) => (server.owner === owner ? [address] : [])),
    );
    for (const link of [...this.#links])
      for (const side of [0, 1] as const) if (link.ends[side] === owner) link.leave(side);
    for (const exchange of [...this.#exchanges]) {
      if (exchange.client === owner) exchange.end();
      else if (exchange.server === owner)
        exchange.end({ code: 'ECONNRESET', message: 'the server has ended' });
    }
  }

  fetch(client: object, request: NetRequest, channel: MessagePort): void {
    const fail = (code: string, message: string) => {
      channel.postMessage({ kind: 'failed', code, message } satisfies FromServer);
      channel.close();
    };
    let url: URL;
    try {
      url = new URL(request.url);
    } catch {
      return fail('ERR_INVALID_URL', 'Invalid URL');
    }
    const port = Number(url.port || (url.protocol === 'https:' ? HTTPS : HTTP));
    const isOwn = isOwnHost(url.hostname);
    const server = isOwn && url.protocol === 'http:' ? this.#servers.get(port) : undefined;
    const refused: Refusal = isOwn
      ? {
          code: 'ECONNREFUSED',
          message: `nothing in this workspace listens on port ${port}, and ${url.host} is not among the hosts that programs may reach. The user can add it under Settings, Tools and servers`,
        }
      : {
          code: 'EACCES',
          message: `${url.hostname} cannot be reached: this workspace has no access to other hosts`,
        };
    // Another server on this computer may be among the hosts that the app allows.
    const asked = server ?? this.#outside;
    if (!asked) return fail(refused.code, refused.message);
    this.#exchange(client, asked, request, channel, isOwn && !server ? refused : undefined);
  }

  /** Passes the messages of an exchange between client and server. `refused` is sent in place of the app's EACCES. */
  #exchange(
    client: object,
    server: Server,
    request: NetRequest,
    channel: MessagePort,
    refused: Refusal | undefined,
  ): void {
    const { port1: own, port2: theirs } = new MessageChannel();
    const exchange: Exchange = {
      client,
      server: server.owner,
      end: (failed) => {
        this.#exchanges.delete(exchange);
        if (failed) channel.postMessage({ kind: 'failed', ...failed } satisfies FromServer);
        else own.postMessage({ kind: 'gone' } satisfies ToServer);
        own.close();
        channel.close();
      },
    };
    this.#exchanges.add(exchange);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isToServer(data) && data.kind === 'used') own.postMessage(data);
      else exchange.end();
    };
    own.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isFromServer(data))
        return exchange.end({ code: 'EPROTO', message: 'the server sent an invalid answer' });
      if (refused && data.kind === 'failed' && data.code === 'EACCES') return exchange.end(refused);
      channel.postMessage(data, data.kind === 'body' ? [data.bytes.buffer] : []);
      if (data.kind !== 'end' && data.kind !== 'failed') return;
      this.#exchanges.delete(exchange);
      own.close();
      channel.close();
    };
    server.serve(request, theirs);
  }

  #remove(addresses: readonly Address[]): void {
    for (const address of addresses) this.#servers.delete(address);
    if (addresses.some((address) => typeof address === 'number')) this.#changed(this.ports);
  }

  #free(): number | undefined {
    for (let tried = FIRST_FREE; tried <= LAST; tried++) {
      const port = this.#nextFree;
      this.#nextFree = port === LAST ? FIRST_FREE : port + 1;
      if (!this.#servers.has(port)) return port;
    }
    return undefined;
  }
}

/** Whether a host name stands for the workspace itself. */
export function isOwnHost(hostname: string): boolean {
  return /^((.*\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
