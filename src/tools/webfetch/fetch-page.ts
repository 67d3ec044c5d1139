import { FaultError } from '../../base/fault.ts';
import type { Policed } from '../../base/policed.ts';
import { redirectRules, type RedirectRules } from '../../permissions/redirects.ts';
import { decide } from '../../permissions/rules.ts';
import type { Action } from '../../permissions/types.ts';
import type { ToolContext } from '../tool.ts';
import { addressForms, throughProxy } from './address.ts';
import { noAnswer } from './no-answer.ts';
import type { Web } from './web.ts';

export interface PageRequest {
  /** Comes from `pageAddress` and was allowed by {@link askForAddress}. */
  readonly address: URL;
  readonly init: RequestInit;
  readonly signal: AbortSignal;
  /** The request contains a secret, so it goes to this host only, without a proxy. */
  readonly secret?: boolean;
}

/**
 * Fetches an allowed address and passes the response to `read` once the rules allow the address it came from. A page
 * cannot see where a redirect leads before the browser has followed it. So redirects are followed only by a frame that
 * the browser confines to allowed hosts, or to any host if the rules or the person allow that.
 */
export async function fetchPage<T>(
  context: ToolContext,
  web: Web,
  request: PageRequest,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { address, secret = false } = request;
  const page = new PageFetch(context, web, request);
  const rules = redirectRules(context.rules('webfetch'));
  if (rules.anywhere && !secret && page.isDirect) return read(await page.allowed(await page.send('follow')));
  const first = await page.send('manual');
  if (!isRedirect(first)) return read(await page.allowed(first));
  const { method = 'GET' } = request.init;
  if (secret) throw notFollowed(address, 'a request that carries a secret is never sent on');
  if (!/^(?:GET|HEAD)$/i.test(method)) throw notFollowed(address, `a ${method} request is not sent twice`);
  if (page.isDirect) await page.askForSameHost(rules);
  const policed = await page.policed(rules);
  try {
    const response = await page.sendPoliced(policed);
    if (response) return await read(await page.allowed(response));
  } finally {
    policed.close();
  }
  await page.askForOtherHosts(rules);
  return read(await page.allowed(await page.send('follow')));
}

export async function askForAddress(context: ToolContext, address: URL): Promise<void> {
  await context.ask({
    permission: 'webfetch',
    patterns: addressForms(address),
    always: [`${address.origin}/*`],
    subject: { kind: 'input', input: { url: address.href } },
  });
}

class PageFetch {
  readonly #context: ToolContext;
  readonly #web: Web;
  readonly #request: PageRequest;
  readonly #target: URL;

  constructor(context: ToolContext, web: Web, request: PageRequest) {
    this.#context = context;
    this.#web = web;
    this.#request = request;
    this.#target = request.secret ? request.address : throughProxy(request.address, web.proxy());
  }

  /** Whether the request does not go through a proxy. */
  get isDirect(): boolean {
    return this.#target === this.#request.address;
  }

  async send(redirect: RequestRedirect): Promise<Response> {
    const { signal } = this.#request;
    try {
      return await this.#web.fetch(this.#target, this.#init(redirect));
    } catch (error) {
      if (signal.aborted) throw error;
      throw await noAnswer(this.#web, this.#target, signal, error);
    }
  }

  /** Asks whether redirects may be followed on the same host, where only this one address was allowed. */
  async askForSameHost(rules: RedirectRules): Promise<void> {
    const { address } = this.#request;
    const { origin } = address;
    const action = rules.actionWithin(origin);
    if (action === 'deny') throw notFollowed(address, UNSEEN);
    if (action === 'allow' || this.#verdict(address) !== 'allow') return;
    await this.#askFor(`${origin}/*`, `within ${address.host}`, [`${origin}/*`]);
  }

  policed({ allowed }: RedirectRules): Promise<Policed> {
    const { origin } = this.#target;
    return this.#web.policed(this.isDirect ? [...new Set([origin, ...allowed])] : [origin]);
  }

  /** Returns `undefined` where the redirect leads to a host that the frame may not reach. */
  async sendPoliced(policed: Policed): Promise<Response | undefined> {
    const { signal } = this.#request;
    try {
      return await policed.fetch(this.#target, this.#init('follow'));
    } catch (error) {
      if (signal.aborted) throw error;
      // Once this probe has ended, the browser has reported the requests that it blocked.
      const reachable = await policed.reachable(this.#target, signal);
      signal.throwIfAborted();
      if (policed.stopped(this.#target)) return undefined;
      throw await noAnswer({ reachable: async () => reachable }, this.#target, signal, error);
    }
  }

  /** Asks whether a redirect may lead to any other host, which the browser does not name in advance. */
  async askForOtherHosts({ denies }: RedirectRules): Promise<void> {
    const { address } = this.#request;
    if (!this.isDirect) throw notFollowed(address, `the proxy ${this.#target.host} leads to another host`);
    if (denies) throw notFollowed(address, UNSEEN);
    await this.#askFor('*', 'to another host, which the browser names only once it has asked it', []);
  }

  /** Returns the response once its final address is allowed too. Its body is not read before. */
  async allowed(response: Response): Promise<Response> {
    try {
      const { address } = this.#request;
      const final = this.#finalOf(response);
      if (final.origin !== address.origin || this.#verdict(final) !== this.#verdict(address))
        await askForAddress(this.#context, final);
      return response;
    } catch (error) {
      void response.body?.cancel().catch(() => undefined);
      throw error;
    }
  }

  #finalOf(response: Response): URL {
    const { address } = this.#request;
    if (this.isDirect) return response.url === '' ? address : new URL(response.url);
    // A proxy follows redirects by itself; some report the final address.
    const named = response.headers.get('x-final-url') ?? '';
    if (URL.canParse(named)) return new URL(named);
    if (redirectRules(this.#context.rules('webfetch')).denies)
      throw notFollowed(address, `the proxy does not say where its answer is from, and ${SOME_DENIED}`);
    return address;
  }

  #init(redirect: RequestRedirect): RequestInit {
    return {
      ...this.#request.init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect,
      signal: this.#request.signal,
    };
  }

  #verdict(address: URL): Action {
    const rules = this.#context.rules('webfetch');
    return decide(rules, { permission: 'webfetch', patterns: addressForms(address) }).action;
  }

  async #askFor(pattern: string, redirect: string, always: readonly string[]): Promise<void> {
    await this.#context.ask({
      permission: 'webfetch',
      patterns: [pattern],
      always,
      opaque: true,
      subject: { kind: 'input', input: { url: this.#request.address.href, redirect } },
    });
  }
}

const SOME_DENIED = 'the rules deny some addresses';
const UNSEEN = `${SOME_DENIED}, and a browser does not say where a redirect leads before it has followed it`;

/** A browser reveals only this much about a redirect that it has not followed. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || ([301, 302, 303, 307, 308].includes(status) && headers.has('location'));
}

function notFollowed({ host }: URL, why: string): FaultError {
  return new FaultError({
    code: 'redirect',
    what: `${host} redirects, which was not followed: ${why}.`,
    next: 'Fetch the address that it leads to if you know it, or ask the user for it.',
  });
}
