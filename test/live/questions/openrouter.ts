import { faultOf } from '../../../src/base/fault.ts';
import { isObject } from '../../../src/base/json.ts';
import { beginSignIn, exchange } from '../../../src/models/openrouter-sign-in.ts';
import { PROVIDERS } from '../../../src/models/providers/ids.ts';
import type { Heard, Question, World } from '../question.ts';
import { listIn } from './bodies.ts';

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
const ADDRESSES = ['https://example.org/', 'http://localhost:3000/', 'http://localhost:4173/'] as const;

/** An exchange that OpenRouter has to refuse, by the app's own code, with what it answered. */
async function refused(world: World, code: string) {
  const heard: Heard[] = [];
  const deps = {
    storage: () => noStorage,
    random,
    online: () => true,
    fetch: async (url: RequestInfo | URL, init?: RequestInit) => {
      const answer = await world.fetch(String(url), init);
      heard.push(answer);
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  };
  const given = { code, verifier: 'v'.repeat(43), back: '' };
  const fault = await exchange(given, deps).then(
    () => null,
    (error: unknown) => error,
  );
  const [answer] = heard;
  // Without a network OpenRouter has answered nothing, whatever the app makes of that.
  if (!answer) throw fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  return {
    code,
    status: answer.status,
    readable: answer.readable,
    body: answer.text.slice(0, 500),
    became: fault === null ? 'a key' : faultOf(fault).code,
  };
}

export const openRouterQuestions: readonly Question[] = [
  {
    id: 'openrouter-refusals',
    asks: 'With which status and words does OpenRouter refuse a sign-in, and can a page read them?',
    async ask(world) {
      const cases = [];
      for (const code of ['no-such-code', '00000000-0000-4000-8000-000000000000', ' '])
        cases.push(await refused(world, code));
      const readable = cases.every((each) => each.readable);
      const statuses = cases.map(({ status, became }) => `${status} (${became})`).join(', ');
      return {
        says: `It answers ${statuses}; a page ${readable ? 'can' : 'cannot'} read that.`,
        asExpected: readable && cases.every(({ became }) => became === 'sign-in-expired'),
        facts: { cases },
      };
    },
  },
  {
    id: 'openrouter-addresses',
    asks: 'To which addresses of the app does OpenRouter lead back?',
    async ask(world) {
      const pages: { page: string; status: number; location: string; mentionsError: boolean }[] = [];
      for (const page of ADDRESSES) {
        const address = beginSignIn(new URL(page), { storage: () => noStorage, random });
        const { status, headers, text } = await world.fetch(address, { redirect: 'manual' });
        const location = (headers.get('location') ?? '').slice(0, 300);
        pages.push({ page, status, location, mentionsError: /invalid|not allowed|error/i.test(text) });
      }
      return {
        says: `The sign-in page answers ${pages.map(({ page, status }) => `${status} for ${page}`).join(', ')}. Whether it then leads back, only a person with an account can see.`,
        asExpected: pages.every(({ status }) => status < 400) ? null : false,
        facts: { pages },
      };
    },
  },
  {
    id: 'openrouter-models',
    asks: 'Does OpenRouter’s list of models have what the app reads, and are there free models with tools?',
    async ask(world) {
      const { status, text, readable } = await world.fetch(`${PROVIDERS.openrouter.baseURL}/models`);
      const models = listIn(text, 'data');
      const free = models.filter(
        ({ pricing, supported_parameters: can }) =>
          isObject(pricing) &&
          Number(pricing['prompt']) === 0 &&
          Number(pricing['completion']) === 0 &&
          Array.isArray(can) &&
          can.includes('tools'),
      );
      const complete = models.filter(
        (model) => typeof model['id'] === 'string' && typeof model['context_length'] === 'number',
      );
      return {
        says: `${models.length} models, ${free.length} of them free with tools; a page ${readable ? 'can' : 'cannot'} read the list.`,
        asExpected: readable && free.length > 0 && complete.length === models.length,
        facts: { status, models: models.length, free: free.slice(0, 20).map(({ id }) => id ?? null) },
      };
    },
  },
];
