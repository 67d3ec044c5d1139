import { faultOf } from '../../base/fault.ts';
import type { Policed } from '../../base/policed.ts';
import type { Timer } from '../../base/timer.ts';
import {
  EXCHANGE_WINDOW,
  GITHUB_TOKEN_HEADER,
  Window,
  type FromServer,
  type NetRequest,
  type ToServer,
} from '../../protocol/exchange.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { ExchangeError, noRoom, notAllowed, tooLarge, unanswered } from './exchange-error.ts';
import { headersOf, isSent } from './exchange-headers.ts';
import type { GitHubTokens } from './github-token.ts';
import { AllowedHosts, isLoopback } from './hosts.ts';
import { SilenceTimer } from './silence-timer.ts';

export interface ExchangesDeps {
  /** The hosts that may be reached now. */
  hosts(): Promise<readonly string[]>;
  /** Resolves to whether the person now allows a host that was not allowed. Once `over` is aborted, nothing waits for it. */
  ask?(url: URL, over: AbortSignal): Promise<boolean>;
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
    const asked = ask(new URL(given), signal).then((allowed) => void (isAllowed = allowed));
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
    const asked = tokens.headers(request, workspaceID, refuse, signal).then(
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

const ANONYMOUS = {
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  cache: 'no-store',
  redirect: 'follow',
  mode: 'cors',
} as const;

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
