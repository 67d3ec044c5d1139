import { messageOf } from '../base/message-of.ts';
import { FaultError } from '../base/fault.ts';
import { addressSpace } from './addresses.ts';
import { errorIn } from './error-bodies.ts';
import { FAULT_TEXTS } from '../base/fault-texts.ts';
import { address } from './http-faults.ts';

export type Fetch = typeof globalThis.fetch;

/** A request that got no answer; its cause is the error of `fetch`. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

/**
 * All requests to providers go through this. It drops the SDK's `user-agent` header, which Firefox and Safari send
 * and strict servers fail the preflight over; it sends no cookies and no referrer; and it throws when a request for
 * a stream gets something else.
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
      throw new FetchFailed(messageOf(error), { cause: error });
    }
    return response.ok && wantsStream(init, url) ? await asStream(response, url) : response;
  };
}

/** Whether the request asks for a stream of events. */
export function wantsStream(init: RequestInit | undefined, url: URL): boolean {
  return (
    url.searchParams.get('alt') === 'sse' ||
    (typeof init?.body === 'string' && /"stream":true/.test(init.body))
  );
}

/** Lets an https page reach a server on the local network over http, in browsers that know the option. */
function targetSpace(url: URL): object {
  const secure = globalThis.location?.protocol === 'https:';
  return secure && url.protocol === 'http:' && addressSpace(url) === 'local'
    ? { targetAddressSpace: 'local' }
    : {};
}

/**
 * Rejects a web page or a single JSON value, which would look like an empty stream: hosts of single-page apps answer
 * any address with their page, and some servers send errors as plain JSON. A stream with a wrong content type passes.
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
      what: FAULT_TEXTS.webPage,
      where: address(url.href),
      next: FAULT_TEXTS.checkBaseURL,
      retryable: false,
    });
  }
  if (head.startsWith('{')) throw new NotAStream((await rest().text()).slice(0, MAX_ANSWER_LENGTH));
  return rest();
}

/** How many characters of such an answer are searched for an error message. */
const MAX_ANSWER_LENGTH = 100_000;

/** A single JSON value in answer to a request for a stream. An error in it is given in the SDK's shape of a refusal. */
export class NotAStream extends Error {
  override readonly name = 'NotAStream';
  readonly statusCode: number | undefined;
  readonly responseBody: string;
  constructor(body: string) {
    const { message, code } = errorIn(body);
    super(message ?? FAULT_TEXTS.notAStream);
    this.responseBody = body;
    this.statusCode = code !== undefined && code >= 400 && code < 600 ? code : undefined;
  }
}

/** Returns the first text of a stream and an equivalent of the unread stream. */
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
