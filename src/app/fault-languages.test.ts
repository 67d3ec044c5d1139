import { expect, test } from 'vitest';
import type { Fault } from '../base/fault.ts';
import { FaultError } from '../base/fault.ts';
import { faultContext as context, networkWith as network } from '../../test/support/fault-context.ts';
import { FAULT_TEXTS } from '../base/fault-texts.ts';
import { modelFault } from '../models/faults.ts';
import { FetchFailed } from '../models/fetch.ts';
import { exchange, takeReturn } from '../models/openrouter-sign-in.ts';
import { LOCAL_SERVERS, PROVIDERS } from '../models/providers/ids.ts';
import type { ShownFault } from '../ui/conversation/fault-words.ts';
import { lookForLocal } from './local-models.ts';

/** The page tells the faults of model servers, providers and OpenRouter in its own language, from the first word to the last. */

const catalogues = import.meta.glob<{
  readonly default: { readonly fault: { shown(fault: Fault): ShownFault | undefined } };
}>('../ui/languages/*/catalogue.ts', { eager: true });
const languages = Object.entries(catalogues).map(([path, { default: catalogue }]) => ({
  tag: path.split('/').at(-2)!,
  shown: (fault: Fault) => catalogue.fault.shown(fault),
}));

const signal = new AbortController().signal;
const refusal = (status: number, message: string) =>
  Object.assign(new Error(message), { name: 'AI_APICallError', statusCode: status });
const named = (name: string, message: string) => Object.assign(new Error(message), { name });

const REFUSALS = [
  [401, 'Unauthorized'],
  [403, 'Region not supported'],
  [401, 'CORS requests are not allowed for this Organization'],
  [402, 'Insufficient credits'],
  [429, 'Rate limit reached'],
  [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  [400, 'This model does not support images.'],
  [404, 'The model `x` does not exist'],
  [404, 'page not found'],
  [400, 'messages: roles must alternate'],
  [400, 'gemma does not support tools'],
  [500, 'boom'],
  [503, 'Service Unavailable'],
  [500, ''],
] as const;

async function refused(): Promise<readonly Fault[]> {
  const contexts = [
    context(),
    context({ provider: 'anthropic', baseURL: PROVIDERS.anthropic.baseURL ?? '' }),
    context({ provider: 'openrouter', baseURL: PROVIDERS.openrouter.baseURL ?? '' }),
    context({ baseURL: LOCAL_SERVERS[0].baseURL, model: 'qwen3' }),
  ];
  return Promise.all(
    contexts.flatMap((given) =>
      REFUSALS.map(([status, message]) => modelFault(refusal(status, message), given, signal)),
    ),
  );
}

async function unanswered(): Promise<readonly Fault[]> {
  const failed = new FetchFailed('Failed to fetch');
  const networks = [
    network({ online: () => false }),
    network({ localAccessDenied: async () => true }),
    network({ reachable: async () => true }),
    network({ reachable: async () => undefined }),
    network(),
  ];
  const addresses = [
    ...LOCAL_SERVERS.map(({ baseURL }) => baseURL),
    'http://192.168.1.5:9999/v1',
    'https://models.example/v1',
    'http://models.example/v1',
  ];
  const own = { provider: 'openai', baseURL: PROVIDERS.openai.baseURL ?? '' } as const;
  const cors = context({ ...own, network: network({ reachable: async () => true }) });
  return Promise.all([
    modelFault(failed, cors, signal),
    ...networks.flatMap((given) =>
      addresses.map((baseURL) => modelFault(failed, context({ baseURL, network: given }), signal)),
    ),
  ]);
}

function broken(): Promise<readonly Fault[]> {
  const errors = [
    named('AI_JSONParseError', 'JSON parsing failed'),
    named('NotAStream', FAULT_TEXTS.notAStream),
    named('AI_InvalidPromptError', 'no messages'),
    new Error('The stream ended without a finish reason'),
    { type: 'something_new', message: 'hm' },
  ];
  return Promise.all([
    ...errors.map((error) => modelFault(error, context(), signal)),
    modelFault(new Error(''), context(), AbortSignal.abort(new DOMException('late', 'TimeoutError'))),
  ]);
}

async function signIn(): Promise<readonly Fault[]> {
  const kept = JSON.stringify({ state: 's', verifier: 'v', back: '' });
  const storage = (value: string) => () => ({
    getItem: () => value,
    setItem: () => undefined,
    removeItem: () => undefined,
  });
  const returned = { code: 'c', verifier: 'v', back: '' };
  const answers = [
    [400, 'no'],
    [400, 'code_verifier'],
    [409, ''],
    [429, ''],
    [502, ''],
    [200, ''],
  ] as const;
  const exchanges = [
    ...answers.map(
      ([status, message]) =>
        async () =>
          new Response(JSON.stringify({ error: { message } }), { status }),
    ),
    () => Promise.reject(new TypeError('Failed to fetch')),
  ].map((fetch) =>
    exchange(returned, {
      fetch,
      online: () => true,
      storage: storage(''),
      random: (bytes) => new Uint8Array(bytes),
    }).then(() => undefined, faultIn),
  );
  const returns = [storage(''), storage(kept)].map(async (each) => {
    try {
      takeReturn('?sign-in=s', { storage: each });
      return undefined;
    } catch (error) {
      return faultIn(error);
    }
  });
  return (await Promise.all([...exchanges, ...returns])).filter((fault) => fault !== undefined);
}

function faultIn(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault;
  throw error;
}

async function looked(): Promise<readonly Fault[]> {
  const unable = [
    { code: 'auth', what: 'Unauthorized', next: FAULT_TEXTS.checkKey },
    { code: 'wrong-base-url', what: FAULT_TEXTS.webPage, next: FAULT_TEXTS.checkBaseURL },
    { code: 'server-error', what: 'boom', next: FAULT_TEXTS.wait },
  ];
  const findings = await Promise.all([
    lookForLocal(LOCAL_SERVERS, async () => []),
    lookForLocal(
      LOCAL_SERVERS,
      (_url, given) =>
        new Promise((_resolve, reject) =>
          given.addEventListener('abort', () => reject(given.reason as Error)),
        ),
      1,
    ),
    ...unable.map((fault) => lookForLocal([LOCAL_SERVERS[1]], () => Promise.reject(new FaultError(fault)))),
  ]);
  return findings.flat().flatMap((each) => (each.state === 'found' ? [] : [each.fault]));
}

/** The words that a server said in these tests. */
const OF_SERVERS = new Set<string>([...REFUSALS.map(([, message]) => message), 'hm', 'boom']);

test.each([
  ['refusal', refused, 40],
  ['failed connection', unanswered, 30],
  ['broken answer', broken, 6],
  ['failed sign-in', signIn, 9],
  ['fruitless look', looked, 13],
] as const)('a %s is told in every language to its end', async (_name, make, least) => {
  const faults = await make();
  expect(faults.length).toBeGreaterThanOrEqual(least);
  const english = languages.flatMap(({ tag, shown }) =>
    faults.flatMap((fault) => {
      const { what, quote, next, nextInEnglish } = shown(fault) ?? { what: fault.what };
      const isWhole =
        what !== fault.what &&
        (quote === undefined || OF_SERVERS.has(quote)) &&
        next !== undefined &&
        !nextInEnglish &&
        next !== fault.next;
      return isWhole ? [] : [`${tag} ${fault.code}: ${what} | ${quote ?? ''} | ${next ?? ''}`];
    }),
  );
  expect(english).toEqual([]);
});
