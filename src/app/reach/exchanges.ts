import { faultOf } from '../../base/fault.ts';
import type { Policed } from '../../base/policed.ts';
import type { Timer } from '../../base/timer.ts';
import {
  EXCHANGE_WINDOW,
  GITHUB_TOKEN_HEADER,
  Window,
  type FromServer,
  type NetHeaders,
  type NetRequest,
  type ToServer,
} from '../../protocol/exchange.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { GitHubTokens } from './github-token.ts';
import { AllowedHosts, isLoopback } from './hosts.ts';

export interface ExchangesDeps {
  /** The hosts that may be reached now. */
  hosts(): Promise<readonly string[]>;
  /** Resolves to whether the person now allows a host that was not allowed. */
  ask?(url: URL): Promise<boolean>;
  /** Adds the person's GitHub token to the requests that ask for it and may have it. */
  readonly tokens?: Pick<GitHubTokens, 'headers'>;
  /** The page's own address. */
  readonly own: URL;
  policed(sources: string): Promise<Policed>;
  readonly timer: Timer;
  readonly limits?: Readonly<Record<'exchanges' | 'exchangeBytes' | 'bodiesBytes' | 'silentMs', number>>;
}

/** Sends messages to the program that made a request, and tracks how much it has yet to read. */
interface Requester {
  say(message: FromServer, transfer?: Transferable[]): void;
  readonly window: Window;
}

interface PolicedRoute {
  readonly sources: string;
  readonly policed: Promise<Policed>;
  users: number;
}

/** Makes the requests of workspace programs to outside hosts: without cookies and without the page's name. */
export class Exchanges {
  readonly #deps: ExchangesDeps;
  readonly #limits: NonNullable<ExchangesDeps['limits']>;
  #route: PolicedRoute | undefined;
  #running = 0;
  /** The total size of the bodies of all running requests. */
  #bodiesBytes = 0;

  constructor(deps: ExchangesDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? LIMITS;
  }

  /**
   * Makes a request for a program of a workspace. Resolves when the whole answer, or a failure, was sent and the channel
   * is closed; never rejects.
   */
  async run(request: NetRequest, channel: MessagePort, signal: AbortSignal, workspaceID = ''): Promise<void> {
    const left = new AbortController();
    const window = new Window(EXCHANGE_WINDOW);
    channel.onmessage = ({ data }: MessageEvent<ToServer>) => {
      if (data.kind !== 'used') return left.abort();
      window.used(Math.max(0, Number(data.bytes) || 0));
    };
    const say = (message: FromServer, transfer: Transferable[] = []) =>
      channel.postMessage(message, transfer);
    const bytes = request.body?.byteLength ?? 0;
    const hasRoom = this.#bodiesBytes + bytes <= this.#limits.bodiesBytes;
    this.#running++;
    if (hasRoom) this.#bodiesBytes += bytes;
    try {
      if (!hasRoom && bytes > 0) throw noRoom(this.#limits.bodiesBytes);
      const over = AbortSignal.any([signal, left.signal]);
      await this.#answer(request, { say, window }, over, workspaceID);
      say({ kind: 'end' });
    } catch (error) {
      const { code, message } =
        error instanceof ExchangeError ? error : new ExchangeError('EIO', faultOf(error).what);
      say({ kind: 'failed', code, message });
    } finally {
      this.#running--;
      if (hasRoom) this.#bodiesBytes -= bytes;
      channel.close();
    }
  }

  async #answer(
    given: NetRequest,
    { say, window }: Requester,
    signal: AbortSignal,
    workspaceID: string,
  ): Promise<void> {
    const { exchanges, exchangeBytes } = this.#limits;
    if (this.#running > exchanges)
      throw new ExchangeError('EMFILE', `${exchanges} requests to outside hosts are running already`);
    const hosts = await this.#hostsFor(given.url, signal);
    const url = this.#allowed(given.url, hosts);
    const request = await this.#withToken(given, workspaceID, signal);
    if ((request.body?.byteLength ?? 0) > exchangeBytes)
      throw tooLarge(`the request to ${url.host}`, exchangeBytes);
    const route = this.#routeFor(hosts.sources);
    const silence = new SilenceTimer(this.#deps.timer, this.#limits.silentMs);
    try {
      const policed = await route.policed.catch((error: unknown) => {
        throw new ExchangeError('EACCES', `${url.host} cannot be reached: ${faultOf(error).what}`);
      });
      const response = await this.#request(policed, url, request, AbortSignal.any([signal, silence.signal]));
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
        // While the program reads slowly, the host is not silent.
        silence.stop();
        await untilAborted(full, signal);
        silence.start();
      }
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      if (silence.signal.aborted)
        throw new ExchangeError(
          'ETIMEDOUT',
          `${url.host} sent nothing for ${this.#limits.silentMs / 1000} seconds`,
        );
      throw new ExchangeError('ECONNRESET', `the connection to ${url.host} was lost`);
    } finally {
      silence.stop();
      this.#leave(route);
    }
  }

  /** The hosts that may be reached, after the person was asked where that can change the outcome. */
  async #hostsFor(given: string, signal: AbortSignal): Promise<AllowedHosts> {
    const { hosts, ask, own } = this.#deps;
    const now = new AllowedHosts(await hosts(), own);
    if (!ask || !URL.canParse(given) || now.allows(new URL(given))) return now;
    let isAllowed = false;
    const asked = ask(new URL(given)).then((allowed) => void (isAllowed = allowed));
    await untilAborted(asked, signal);
    return isAllowed ? new AllowedHosts(await hosts(), own) : now;
  }

  /** Where a request asks for the GitHub token, returns it with the token. It is not sent on by a redirect then. */
  async #withToken(request: NetRequest, workspaceID: string, signal: AbortSignal): Promise<NetRequest> {
    if (!request.headers.some(([name]) => name.toLowerCase() === GITHUB_TOKEN_HEADER)) return request;
    const refuse = (reason: string) => new ExchangeError('ENOTOKEN', reason);
    const { tokens } = this.#deps;
    if (!tokens) throw refuse('There is no GitHub token here.');
    let headers = request.headers;
    let failure: unknown;
    const asked = tokens.headers(request, workspaceID, refuse).then(
      (all) => void (headers = all),
      (error: unknown) => void (failure = error),
    );
    await untilAborted(asked, signal);
    if (failure !== undefined) throw failure;
    return { ...request, headers, redirect: 'error' };
  }

  #allowed(given: string, hosts: AllowedHosts): URL {
    if (!URL.canParse(given)) throw new ExchangeError('ERR_INVALID_URL', 'Invalid URL');
    const url = new URL(given);
    if (!hosts.allows(url)) throw notAllowed(url);
    if (url.username !== '' || url.password !== '')
      throw new ExchangeError('EINVAL', 'an address with a user name or password cannot be requested');
    if (url.protocol === 'http:' && this.#deps.own.protocol === 'https:' && !isLoopback(url.hostname))
      throw new ExchangeError(
        'ERR_MIXED_CONTENT',
        `${url.host} cannot be asked over http, because this page came over https: use https`,
      );
    // The policy knows only the name without its final dot.
    url.hostname = url.hostname.replace(/\.$/, '');
    return url;
  }

  async #request(policed: Policed, url: URL, asked: NetRequest, signal: AbortSignal): Promise<Response> {
    let request: Request;
    const { method, body } = asked;
    try {
      const headers = asked.headers.filter(([name]) => isSent(name.toLowerCase(), asked));
      const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
      request = new Request(url, {
        ...init,
        ...(body && { body: body.slice() }),
        ...ANONYMOUS,
        ...(asked.redirect && { redirect: 'manual' }),
        signal,
      });
    } catch (error) {
      throw new ExchangeError('EINVAL', `a browser cannot ask ${url.host} this: ${faultOf(error).what}`);
    }
    let response: Response;
    try {
      response = await policed.fetch(request);
    } catch {
      signal.throwIfAborted();
      throw await unanswered(policed, url, signal);
    }
    if (!asked.redirect || !isRedirect(response)) return response;
    throw new ExchangeError(
      'ERR_REDIRECT',
      `${url.host} redirects, which this request does not follow; a browser does not say where to`,
    );
  }

  #routeFor(sources: string): PolicedRoute {
    const now = this.#route;
    if (now?.sources !== sources) {
      this.#route = { sources, policed: this.#deps.policed(sources), users: 0 };
      if (now) closeUnused(now);
    }
    const route = this.#route as PolicedRoute;
    route.users++;
    return route;
  }

  #leave(route: PolicedRoute): void {
    route.users--;
    // If it could not be created, the next request tries again.
    route.policed.catch(() => this.#route === route && (this.#route = undefined));
    if (route !== this.#route) closeUnused(route);
  }
}

function closeUnused({ users, policed }: PolicedRoute): void {
  if (users === 0)
    policed.then(
      (each) => each.close(),
      () => {},
    );
}

/** An exchange that failed, with the error code that the program gets. */
class ExchangeError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of the connection, and the program's name, which would need a preflight request to most servers. */
const OWN_HEADERS = new Set([
  ...'host connection keep-alive transfer-encoding content-length user-agent sec-fetch-mode accept-encoding cookie origin referer'.split(
    ' ',
  ),
  GITHUB_TOKEN_HEADER,
]);

/**
 * The headers with which npm tells a registry about itself, and those that save it an answer that it has in its cache. A
 * registry lets pages read what it answers to a plain request, but allows no preflight, which any of these would need.
 */
const ABOUT_NPM = /^(npm|pacote)-/;
const CACHED = new Set(['if-none-match', 'if-modified-since']);

function isSent(name: string, { method, headers }: NetRequest): boolean {
  if (OWN_HEADERS.has(name)) return false;
  if (method !== 'GET' && method !== 'HEAD') return true;
  if (ABOUT_NPM.test(name)) return false;
  return !CACHED.has(name) || !headers.some(([other]) => ABOUT_NPM.test(other.toLowerCase()));
}

const ANONYMOUS = {
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
  redirect: 'follow',
  mode: 'cors',
} as const;

function noRoom(limit: number): ExchangeError {
  return new ExchangeError(
    'ENOBUFS',
    `requests to hosts outside that are under way hold ${limit / 2 ** 20} MB together already`,
  );
}

/** A browser shows nothing more of a redirect that it has not followed. */
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

function notAllowed({ hostname, host }: URL): ExchangeError {
  if (hostname.startsWith('['))
    return new ExchangeError(
      'EACCES',
      `${host} cannot be reached: only hosts that have a name can be allowed`,
    );
  return new ExchangeError(
    'EACCES',
    `${hostname} cannot be reached: ${host} is not among the hosts that programs may reach. The user can add it under Settings, Tools and servers`,
  );
}

function tooLarge(what: string, limit: number): ExchangeError {
  return new ExchangeError('EMSGSIZE', `${what} is larger than ${limit / 2 ** 20} MB`);
}

/**
 * Finds the reason for a failed request. A browser reports the same error for a server that is down, one that forbids
 * reading, and a redirect that was stopped.
 */
async function unanswered(policed: Policed, url: URL, signal: AbortSignal): Promise<ExchangeError> {
  const reachable = await policed.reachable(url, signal);
  signal.throwIfAborted();
  if (policed.stopped(url))
    return new ExchangeError(
      'ERR_REDIRECT',
      `${url.host} redirects to a host that is not among those that programs may reach; the browser does not say which`,
    );
  const cors = `does not allow web pages to read it (CORS), and programs ask through this page`;
  if (reachable === true) return new ExchangeError('ERR_CORS', `${url.host} answers, but ${cors}`);
  if (reachable === undefined)
    return new ExchangeError('EHOSTUNREACH', `${url.host} gave no answer: it is down, or ${cors}`);
  const code = /^[\d.]+$/.test(url.hostname) || isLoopback(url.hostname) ? 'ECONNREFUSED' : 'ENOTFOUND';
  return new ExchangeError(code, `nothing answers at ${url.host}`);
}

/** Drops the headers about the packed body, because the browser has unpacked it. */
function headersOf(response: Response, method: string): NetHeaders {
  const misleading = method === 'HEAD' ? [] : ['content-encoding', 'content-length'];
  return [...response.headers].filter(([name]) => !misleading.includes(name));
}

async function* pieces(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      // The buffer of a chunk may be larger than the chunk, and it is transferred as a whole.
      yield read.value.byteLength === read.value.buffer.byteLength ? read.value : read.value.slice();
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Aborts its signal when nothing was received for the given time. */
class SilenceTimer {
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

  /** Starts the timer again after {@link stop}. */
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
