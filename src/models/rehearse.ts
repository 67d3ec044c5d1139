import type { NetworkRequest } from '../session/inspect/inspection.ts';
import type { ModelRequest } from '../session/model.ts';
import { streamCall, type LoadedModel } from './call.ts';
import { browserFetch, type Fetch } from './fetch.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** What stands where a key would be: as a shell and a program name it. */
export const KEY_NAMES: Readonly<Record<RemoteProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  'openai-compatible': 'API_KEY',
};

export type Rehearsal = Omit<ModelRequest, 'onBody' | 'signal' | 'onBlob'>;

/** What the call of a model would send, taken at the door: nothing leaves the page. Rejects where it comes to no request. */
export async function rehearse(
  request: Rehearsal,
  load: (send: Fetch) => Promise<LoadedModel>,
): Promise<NetworkRequest> {
  const gone = new AbortController();
  let taken: NetworkRequest | undefined;
  let failure: unknown;
  const door = browserFetch(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    taken = { url, method: init?.method ?? 'GET', headers, body: String(init?.body ?? '') };
    gone.abort();
    throw new Error('Nothing is sent.');
  });
  const parts = streamCall(
    { ...request, signal: gone.signal, onBody: () => {} },
    {
      load: () => load(door),
      fault: async (error) => {
        failure = error;
        return { code: 'no-request', what: String(error) };
      },
    },
  );
  for await (const part of parts) if (part.type === 'error') break;
  if (taken) return taken;
  throw failure ?? new Error('The model made no request.');
}
