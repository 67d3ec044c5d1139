import type * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import type { Web } from '../webfetch/web.ts';

/** Services that search for the agent, each with a key of the person's. */
export type SearchService = 'exa' | 'github';

/** The way to those services. The app brings it; tests bring their own. */
export interface Searching {
  readonly web: Pick<Web, 'fetch' | 'reachable'>;
  /** Where a service answers, without a slash at the end. */
  address(service: SearchService): string;
  /** `undefined`: what needs it is not offered. */
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

/** Asks a service and checks its answer. Throws faults in words for the model; none of them holds a key. */
export async function request<T>(searching: Searching, asked: ServiceRequest<T>): Promise<T> {
  const { service, path, init, seconds } = asked;
  const url = new URL(searching.address(service) + path);
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([asked.signal, limit]);
  try {
    const response = await send(searching, service, url, { ...init, signal });
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
  { web }: Searching,
  service: SearchService,
  url: URL,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  try {
    // A redirect would carry the key to somebody else.
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
          ? `${url.host} gave no answer that may be read: it is down, or does not allow pages of other origins (CORS).`
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
  // GitHub says 403 both for a key without rights and for too many requests.
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
      next: 'Tell the user to check it under Settings, Web.',
    });
  return new FaultError({
    code: `http-${status}`,
    what: `${name} answered with ${status}.`,
    next:
      status === 422 || status === 400 ? 'Word the query differently.' : 'Try again later, or do without it.',
  });
}
