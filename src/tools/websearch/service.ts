import type * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import type { Web } from '../webfetch/web.ts';

/** The search services; each needs a key from the person. */
export type SearchService = 'exa' | 'github';

/** Access to the search services. The app provides it; tests provide their own. */
export interface SearchAccess {
  readonly web: Pick<Web, 'fetch' | 'reachable'>;
  /** The address of a service, without a trailing slash. */
  address(service: SearchService): string;
  /** The key of a service, or `undefined`: then the tools that need it are not offered. */
  key(service: SearchService): string | undefined;
}

export const SERVICE_ADDRESSES: Readonly<Record<SearchService, string>> = {
  exa: 'https://api.exa.ai',
  github: 'https://api.github.com',
};

const NAMES: Readonly<Record<SearchService, string>> = { exa: 'Exa', github: 'GitHub' };

export interface ServiceRequest<T> {
  readonly service: SearchService;
  readonly path: string;
  readonly init: RequestInit;
  readonly answer: z.ZodType<T>;
  readonly signal: AbortSignal;
  readonly seconds: number;
}

/** Sends a request and checks the answer. Throws faults for the model; none of them contains a key. */
export async function request<T>(access: SearchAccess, asked: ServiceRequest<T>): Promise<T> {
  const { service, path, init, seconds } = asked;
  const url = new URL(access.address(service) + path);
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([asked.signal, limit]);
  try {
    const response = await send(access, service, url, { ...init, signal });
    if (!response.ok) throw await statusFault(service, response);
    const parsed = asked.answer.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    throw new FaultError({
      code: 'bad-answer',
      what: `${NAMES[service]} gave an answer that cannot be read.`,
      next: 'Try again later, or do without it.',
    });
  } catch (error) {
    if (!limit.aborted || asked.signal.aborted) throw error;
    throw new FaultError({
      code: 'timeout',
      what: `${NAMES[service]} did not answer within ${seconds} seconds.`,
      next: 'Try again with a simpler query.',
    });
  }
}

async function send(
  { web }: SearchAccess,
  service: SearchService,
  url: URL,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  try {
    // A redirect would send the key to another server.
    return await web.fetch(url, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
    });
  } catch (cause) {
    if (init.signal.aborted) throw cause;
    const reachable = await web.reachable(url, init.signal);
    const cors = `${url.host} answers, but does not allow pages like this one to read it (CORS).`;
    const what =
      reachable === true
        ? cors
        : reachable === undefined
          ? `${url.host} gave no answer that this page can read. The server is down, or does not allow pages of other origins (CORS).`
          : `${url.host} cannot be reached: nothing answers there.`;
    throw new FaultError(
      {
        code: reachable === true ? 'cors' : 'unreachable',
        what,
        next: `Do without ${NAMES[service]}, and tell the user.`,
      },
      { cause },
    );
  }
}

async function statusFault(service: SearchService, response: Response): Promise<FaultError> {
  const { status } = response;
  const name = NAMES[service];
  const wait = Number(response.headers.get('retry-after'));
  // GitHub answers with 403 both for a key without rights and for too many requests.
  const limited = status === 429 || (status === 403 && response.headers.get('x-ratelimit-remaining') === '0');
  await response.body?.cancel();
  if (limited)
    return new FaultError({
      code: 'rate-limit',
      what: `${name} takes no more requests for now.`,
      next: wait > 0 ? `Try again in ${wait} seconds.` : 'Try again in a minute.',
    });
  if (status === 401 || status === 403)
    return new FaultError({
      code: 'key-refused',
      what: `${name} refused the key (${status}).`,
      next: 'Tell the user to check it under Settings, Tools and servers.',
    });
  return new FaultError({
    code: `http-${status}`,
    what: `${name} answered with ${status}.`,
    next:
      status === 422 || status === 400 ? 'Word the query differently.' : 'Try again later, or do without it.',
  });
}
