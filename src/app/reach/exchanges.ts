import { faultOf } from '../../base/fault.ts';
import type { Timer } from '../../base/timer.ts';
import {
  EXCHANGE_WINDOW,
  Window,
  type FromServer,
  type NetHeaders,
  type NetRequest,
  type ToServer,
} from '../../workspace/embedded/exchange.ts';
import { LIMITS } from '../../workspace/embedded/limits.ts';
import { AllowedHosts, isLoopback } from './hosts.ts';

/** Requests that the browser itself holds to a list of hosts, wherever they are redirected. */
export interface Policed {
  readonly fetch: typeof globalThis.fetch;
  /** Whether anything answers at this host at all; `undefined` where that cannot be told. */
  reachable(url: URL, signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether the policy stopped a request for this, since it was last asked. */
  stopped(url: URL): boolean;
  close(): void;
}

export interface ExchangesDeps {
  /** The hosts that may be asked now. */
  hosts(): Promise<readonly string[]>;
  /** Where the page comes from. */
  readonly own: URL;
  policed(sources: string): Promise<Policed>;
  readonly timer: Timer;
  readonly limits?: Readonly<Record<'exchanges' | 'exchangeBytes' | 'bodiesBytes' | 'silentMs', number>>;
}

/** Who asks: what it is told, and how much of that it has yet to read. */
interface Asker {
  say(message: FromServer, transfer?: Transferable[]): void;
  readonly window: Window;
}

interface Place {
  readonly sources: string;
  readonly policed: Promise<Policed>;
  users: number;
}

/** What programs of workspaces ask hosts outside, asked by the page in their place: without cookies, and without its name. */
export class Exchanges {
  readonly #deps: ExchangesDeps;
  readonly #limits: NonNullable<ExchangesDeps['limits']>;
  #place: Place | undefined;
  #underWay = 0;
  /** Of all requests that are under way. */
  #bodiesBytes = 0;

  constructor(deps: ExchangesDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? LIMITS;
  }

  /** Resolves when the channel has all of the answer, a failure included, and is closed; never rejects. */
  async run(request: NetRequest, channel: MessagePort, signal: AbortSignal): Promise<void> {
    const left = new AbortController();
    const window = new Window(EXCHANGE_WINDOW);
    channel.onmessage = ({ data }: MessageEvent<ToServer>) => {
      if (data.kind !== 'used') return left.abort();
      // Whatever a frame says, no more than what was sent can have been read.
      window.used(Math.min(Math.max(0, Number(data.bytes) || 0), EXCHANGE_WINDOW));
    };
    const say = (message: FromServer, transfer: Transferable[] = []) =>
      channel.postMessage(message, transfer);
    const bytes = request.body?.byteLength ?? 0;
    const hasRoom = this.#bodiesBytes + bytes <= this.#limits.bodiesBytes;
    this.#underWay++;
    if (hasRoom) this.#bodiesBytes += bytes;
    try {
      if (!hasRoom && bytes > 0) throw noRoom(this.#limits.bodiesBytes);
      await this.#answer(request, { say, window }, AbortSignal.any([signal, left.signal]));
      say({ kind: 'end' });
    } catch (error) {
      const { code, message } = error instanceof Failed ? error : new Failed('EIO', faultOf(error).what);
      say({ kind: 'failed', code, message });
    } finally {
      this.#underWay--;
      if (hasRoom) this.#bodiesBytes -= bytes;
      channel.close();
    }
  }

  async #answer(request: NetRequest, { say, window }: Asker, signal: AbortSignal): Promise<void> {
    const { exchanges, exchangeBytes } = this.#limits;
    if (this.#underWay > exchanges)
      throw new Failed('EMFILE', `${exchanges} requests to hosts outside are under way already`);
    const hosts = new AllowedHosts(await this.#deps.hosts(), this.#deps.own);
    const url = this.#allowed(request.url, hosts);
    if ((request.body?.byteLength ?? 0) > exchangeBytes)
      throw tooLarge(`the request to ${url.host}`, exchangeBytes);
    const place = this.#placeFor(hosts.sources);
    const silence = new Silence(this.#deps.timer, this.#limits.silentMs);
    try {
      const policed = await place.policed.catch((error: unknown) => {
        throw new Failed('EACCES', `${url.host} cannot be reached: ${faultOf(error).what}`);
      });
      const response = await this.#asked(policed, url, request, AbortSignal.any([signal, silence.signal]));
      silence.heard();
      say({
        kind: 'response',
        status: response.status,
        statusText: response.statusText,
        headers: headersOf(response, request.method),
        ...(response.redirected && { url: response.url }),
      });
      let size = 0;
      for await (const bytes of pieces(response)) {
        silence.heard();
        size += bytes.byteLength;
        if (size > exchangeBytes) throw tooLarge(`the answer of ${url.host}`, exchangeBytes);
        const { byteLength } = bytes;
        say({ kind: 'body', bytes }, [bytes.buffer]);
        const full = window.sent(byteLength);
        if (!full) continue;
        // Whoever reads slowly is no host that is silent.
        silence.stop();
        await untilAborted(full, signal);
        silence.start();
      }
    } catch (error) {
      if (error instanceof Failed) throw error;
      if (silence.signal.aborted)
        throw new Failed('ETIMEDOUT', `${url.host} said nothing for ${this.#limits.silentMs / 1000} seconds`);
      throw new Failed('ECONNRESET', `the connection to ${url.host} was lost`);
    } finally {
      silence.stop();
      this.#leave(place);
    }
  }

  #allowed(given: string, hosts: AllowedHosts): URL {
    if (!URL.canParse(given)) throw new Failed('ERR_INVALID_URL', 'Invalid URL');
    const url = new URL(given);
    if (!hosts.allows(url)) throw notAllowed(url);
    if (url.username !== '' || url.password !== '')
      throw new Failed('EINVAL', 'an address with a user name or password cannot be asked');
    if (url.protocol === 'http:' && this.#deps.own.protocol === 'https:' && !isLoopback(url.hostname))
      throw new Failed(
        'ERR_MIXED_CONTENT',
        `${url.host} cannot be asked over http, because this page came over https: use https`,
      );
    // A policy knows the name without its dot only.
    url.hostname = url.hostname.replace(/\.$/, '');
    return url;
  }

  async #asked(policed: Policed, url: URL, asked: NetRequest, signal: AbortSignal): Promise<Response> {
    let request: Request;
    const { method, body } = asked;
    try {
      const headers = asked.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
      const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
      request = new Request(url, {
        ...init,
        ...(body && { body: body.slice() }),
        ...ANONYMOUS,
        ...(asked.redirect && { redirect: 'manual' }),
        signal,
      });
    } catch (error) {
      throw new Failed('EINVAL', `a browser cannot ask ${url.host} this: ${faultOf(error).what}`);
    }
    let response: Response;
    try {
      response = await policed.fetch(request);
    } catch {
      signal.throwIfAborted();
      throw await unanswered(policed, url, signal);
    }
    if (!asked.redirect || !isRedirect(response)) return response;
    throw new Failed(
      'ERR_REDIRECT',
      `${url.host} redirects, which this request does not follow; a browser does not say where to`,
    );
  }

  #placeFor(sources: string): Place {
    const now = this.#place;
    if (now?.sources !== sources) {
      this.#place = { sources, policed: this.#deps.policed(sources), users: 0 };
      if (now) closeUnused(now);
    }
    const place = this.#place as Place;
    place.users++;
    return place;
  }

  #leave(place: Place): void {
    place.users--;
    // It could not be made: the next request tries again.
    place.policed.catch(() => this.#place === place && (this.#place = undefined));
    if (place !== this.#place) closeUnused(place);
  }
}

function closeUnused({ users, policed }: Place): void {
  if (users === 0)
    policed.then(
      (each) => each.close(),
      () => {},
    );
}

/** An exchange that failed, with the code that the program is told. */
class Failed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Those that belong to the connection, and the program's name, for which most servers would have to be asked first. */
const OWN_HEADERS = new Set(
  'host connection keep-alive transfer-encoding content-length user-agent sec-fetch-mode accept-encoding cookie origin referer'.split(
    ' ',
  ),
);

const ANONYMOUS = {
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
  redirect: 'follow',
  mode: 'cors',
} as const;

function noRoom(limit: number): Failed {
  return new Failed(
    'ENOBUFS',
    `requests to hosts outside that are under way hold ${limit / 2 ** 20} MB together already`,
  );
}

/** A browser shows nothing more of one that it has not followed. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

async function untilAborted(waits: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([waits, aborted]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}

function notAllowed({ hostname, host }: URL): Failed {
  if (hostname.startsWith('['))
    return new Failed('EACCES', `${host} cannot be reached: only hosts that have a name can be allowed`);
  return new Failed(
    'EACCES',
    `${hostname} cannot be reached: ${host} is not among the hosts that programs may reach. The user can add it under Settings, Web`,
  );
}

function tooLarge(what: string, limit: number): Failed {
  return new Failed('EMSGSIZE', `${what} is larger than ${limit / 2 ** 20} MB`);
}

/** A browser tells the page the same for a server that is down, one that does not let it read, and a redirect it stopped. */
async function unanswered(policed: Policed, url: URL, signal: AbortSignal): Promise<Failed> {
  const reachable = await policed.reachable(url, signal);
  signal.throwIfAborted();
  if (policed.stopped(url))
    return new Failed(
      'ERR_REDIRECT',
      `${url.host} redirects to a host that is not among those that programs may reach; the browser does not say which`,
    );
  const cors = `does not allow web pages to read it (CORS), and programs ask through this page`;
  if (reachable === true) return new Failed('ERR_CORS', `${url.host} answers, but ${cors}`);
  if (reachable === undefined)
    return new Failed('EHOSTUNREACH', `${url.host} gave no answer: it is down, or ${cors}`);
  const code = /^[\d.]+$/.test(url.hostname) || isLoopback(url.hostname) ? 'ECONNREFUSED' : 'ENOTFOUND';
  return new Failed(code, `nothing answers at ${url.host}`);
}

/** The browser has unpacked the body: what was said of the packed one would mislead. */
function headersOf(response: Response, method: string): NetHeaders {
  const misleading = method === 'HEAD' ? [] : ['content-encoding', 'content-length'];
  return [...response.headers].filter(([name]) => !misleading.includes(name));
}

async function* pieces(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      // A piece may be a part of more than its own bytes, and is given away whole.
      yield read.value.byteLength === read.value.buffer.byteLength ? read.value : read.value.slice();
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Aborts its signal when nothing was heard for so long. */
class Silence {
  readonly #abort = new AbortController();
  readonly #timer: Timer;
  readonly #limitMs: number;
  #last = performance.now();
  #cancel: () => void = () => {};

  constructor(timer: Timer, limitMs: number) {
    this.#timer = timer;
    this.#limitMs = limitMs;
    this.#wait(limitMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Listens again after {@link stop}. */
  start(): void {
    this.heard();
    this.#wait(this.#limitMs);
  }

  heard(): void {
    this.#last = performance.now();
  }

  stop(): void {
    this.#cancel();
  }

  #wait(ms: number): void {
    this.#cancel = this.#timer.after(ms, () => {
      const left = this.#last + this.#limitMs - performance.now();
      if (left > 0) this.#wait(left);
      else this.#abort.abort();
    });
  }
}
