import { FaultError } from '../base/fault.ts';
import { addressSpace } from './addresses.ts';
import { address } from './http-faults.ts';

export type Fetch = typeof globalThis.fetch;

/** A request that got no answer: what `fetch` says about it is the cause. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

/**
 * The one way to a provider. Takes off `user-agent`, which the SDK sets and Firefox and Safari send, so that strict
 * servers fail the preflight over it; sends no cookies and no referrer; refuses web pages in place of answers.
 */
export function browserFetch(send: Fetch = globalThis.fetch.bind(globalThis)): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('user-agent');
    if (headers.get('authorization')?.trim() === 'Bearer') headers.delete('authorization');
    for (const name of ['x-api-key', 'x-goog-api-key']) if (headers.get(name) === '') headers.delete(name);
    const url = new URL(input instanceof Request ? input.url : input);
    let response: Response;
    try {
      response = await send(input, {
        ...init,
        headers,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        ...targetSpace(url),
      });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new FetchFailed(error instanceof Error ? error.message : String(error), { cause: error });
    }
    return response.ok ? await notAPage(response, url) : response;
  };
}

/** Lets an https page ask for a server on the local network over http, where the browser knows the option. */
function targetSpace(url: URL): object {
  const secure = globalThis.location?.protocol === 'https:';
  return secure && url.protocol === 'http:' && addressSpace(url) === 'local'
    ? { targetAddressSpace: 'local' }
    : {};
}

/**
 * A single-page host answers any address with its page, and some servers report errors as JSON with status 200: as a
 * stream both would only look empty. Streams under a wrong content type are let through.
 */
async function notAPage(response: Response, url: URL): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/html/i.test(type) || !response.body) return response;
  const reader = response.body.getReader();
  const first = await reader.read();
  const start = new TextDecoder().decode(first.value?.subarray(0, 200)).trimStart();
  if (start.startsWith('<')) {
    void reader.cancel().catch(() => {});
    throw new FaultError({
      code: 'wrong-base-url',
      what: 'The server answered with a web page, not as a model server does.',
      where: address(url.href),
      next: 'Check the base URL in Settings; it usually ends in /v1.',
      retryable: false,
    });
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.value) controller.enqueue(first.value);
      if (first.done) controller.close();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
