import { FaultError } from '../base/fault.ts';
import { addressSpace } from './addresses.ts';
import { errorIn } from './error-bodies.ts';
import { address } from './http-faults.ts';

export type Fetch = typeof globalThis.fetch;

/** A request that got no answer: what `fetch` says about it is the cause. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

/**
 * The one way to a provider. Takes off `user-agent`, which the SDK sets and Firefox and Safari send, so that strict
 * servers fail the preflight over it; sends no cookies and no referrer; refuses what is no stream where one is asked for.
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
    return response.ok && wantsStream(init, url) ? await asStream(response, url) : response;
  };
}

function wantsStream(init: RequestInit | undefined, url: URL): boolean {
  return (
    url.searchParams.get('alt') === 'sse' ||
    (typeof init?.body === 'string' && /"stream":true/.test(init.body))
  );
}

/** Lets an https page ask for a server on the local network over http, where the browser knows the option. */
function targetSpace(url: URL): object {
  const secure = globalThis.location?.protocol === 'https:';
  return secure && url.protocol === 'http:' && addressSpace(url) === 'local'
    ? { targetAddressSpace: 'local' }
    : {};
}

/**
 * A single-page host answers any address with its page, and some servers answer a request for a stream with one JSON
 * value, mostly an error: as a stream both would only look empty. A stream under a wrong content type is let through.
 */
async function asStream(response: Response, url: URL): Promise<Response> {
  const type = /^(text\/html|application\/json)/i.exec(response.headers.get('content-type') ?? '')?.[1];
  if (!type || !response.body) return response;
  const [head, body] = await peek(response.body);
  const rest = () => new Response(body, { status: response.status, headers: response.headers });
  if (head.startsWith('<')) {
    void body.cancel().catch(() => {});
    throw new FaultError({
      code: 'wrong-base-url',
      what: 'The server answered with a web page, not as a model server does.',
      where: address(url.href),
      next: 'Check the base URL in Settings; it usually ends in /v1.',
      retryable: false,
    });
  }
  if (head.startsWith('{')) throw new NotAStream((await rest().text()).slice(0, LONGEST_ANSWER));
  return rest();
}

/** Characters of an answer that are looked at for what it says. */
const LONGEST_ANSWER = 100_000;

/** One JSON value where a stream was asked for; in the shape in which the SDK throws a refusal if it is one. */
export class NotAStream extends Error {
  override readonly name = 'NotAStream';
  readonly statusCode: number | undefined;
  readonly responseBody: string;
  constructor(body: string) {
    const { message, code } = errorIn(body);
    super(message ?? 'The server answered in one piece, where a stream was asked for.');
    this.responseBody = body;
    this.statusCode = code !== undefined && code >= 400 && code < 600 ? code : undefined;
  }
}

/** The first text of a stream, and the whole stream again. */
async function peek(stream: ReadableStream<Uint8Array>): Promise<[string, ReadableStream<Uint8Array>]> {
  const reader = stream.getReader();
  const first = await reader.read();
  const head = new TextDecoder().decode(first.value?.subarray(0, 200)).trimStart();
  const whole = new ReadableStream<Uint8Array>({
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
  return [head, whole];
}
