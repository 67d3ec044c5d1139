import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { ModelRequest } from '../session/request/model.ts';
import { streamCall, type LoadedModel } from './call.ts';
import { browserFetch, type Fetch } from './fetch.ts';

export type Rehearsal = Omit<ModelRequest, 'onBody' | 'signal' | 'onBlob'>;

/** Captures the request of a model call before it leaves the page. Rejects where the call makes no request. */
export async function rehearse(
  request: Rehearsal,
  load: (send: Fetch) => Promise<LoadedModel>,
): Promise<NetworkRequest> {
  const abort = new AbortController();
  let captured: NetworkRequest | undefined;
  let failure: unknown;
  const capturingFetch = browserFetch(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    captured = { url, method: init?.method ?? 'GET', headers, body: String(init?.body ?? '') };
    abort.abort();
    throw new Error('Nothing is sent.');
  });
  const parts = streamCall(
    { ...request, signal: abort.signal, onBody: () => {} },
    {
      load: () => load(capturingFetch),
      fault: async (error) => {
        failure = error;
        return { code: 'no-request', what: String(error) };
      },
    },
  );
  for await (const part of parts) if (part.type === 'error') break;
  if (captured) return captured;
  throw failure ?? new Error('The model made no request.');
}
