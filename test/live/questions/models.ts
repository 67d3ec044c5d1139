import { isObject, type Json } from '../../../src/base/json.ts';
import { LOCAL_SERVERS, PROVIDERS } from '../../../src/models/providers/ids.ts';
import { NotHere, NotReached, type Question } from '../question.ts';
import { listIn } from './bodies.ts';

/** Each provider refuses a key that is none. A page has to read that, to say that it is the key. */
const providers: readonly Question[] = Object.entries(PROVIDERS).flatMap(
  ([id, { name, baseURL, protocol }]) =>
    baseURL === undefined
      ? []
      : {
          id: `key-${id}`,
          asks: `Can a page read that ${name} refuses a wrong key?`,
          async ask(world) {
            const headers: Record<string, string> =
              protocol === 'anthropic'
                ? {
                    'x-api-key': 'none',
                    'anthropic-version': '2023-06-01',
                    'anthropic-dangerous-direct-browser-access': 'true',
                  }
                : protocol === 'google'
                  ? { 'x-goog-api-key': 'none' }
                  : { Authorization: 'Bearer none' };
            const address = id === 'openrouter' ? `${baseURL}/key` : `${baseURL}/models`;
            const { status, text, readable } = await world.fetch(address, { headers });
            return {
              says: `It answers ${status}; a page ${readable ? 'can' : 'cannot'} read that.`,
              asExpected: readable && status >= 400 && status < 500,
              facts: { status, readable, body: text.slice(0, 500) },
            };
          },
        },
);

const localServers: Question = {
  id: 'local-servers',
  asks: 'Which model servers run on this machine, and do they let a page read them?',
  async ask(world) {
    const found: Json[] = [];
    const names: string[] = [];
    for (const { name, baseURL } of LOCAL_SERVERS) {
      try {
        const { status, text, readable } = await world.fetch(`${baseURL}/models`);
        const models = listIn(text, 'data').map(({ id }) => id ?? null);
        found.push({ name, baseURL, status, readable, models });
        names.push(`${name} (${readable ? 'lets pages in' : 'lets no page in'}, ${models.length} models)`);
      } catch (error) {
        if (!(error instanceof NotReached)) throw error;
      }
    }
    if (names.length === 0) throw new NotHere('No model server answers at the usual ports of this machine.');
    return { says: `${names.join(', ')}.`, asExpected: null, facts: { found } };
  },
};

const promptAPI: Question = {
  id: 'prompt-api',
  asks: 'Which browsers of this machine have a language model of their own?',
  async ask(world) {
    const answers = await world.inBrowsers(`(async () => {
      if (typeof LanguageModel === 'undefined') return 'no Prompt API';
      const languages = { expectedInputs: [{ type: 'text', languages: ['en'] }], expectedOutputs: [{ type: 'text', languages: ['en'] }] };
      const availability = await LanguageModel.availability(languages);
      if (availability !== 'available') return availability;
      const session = await LanguageModel.create(languages);
      const schema = { type: 'object', properties: { say: { type: 'string' } }, required: ['say'], additionalProperties: false };
      const answer = await session.prompt('Say hello.', { responseConstraint: schema });
      const { contextWindow } = session;
      session.destroy();
      return { availability, contextWindow, answer };
    })()`);
    const browsers = Object.entries(answers);
    if (browsers.length === 0) throw new NotHere('No browser could be opened.');
    const isThere = browsers.some(([, answer]) => isObject(answer));
    const texts = browsers.map(
      ([name, answer]) => `${name}: ${isObject(answer) ? 'it answers' : String(answer)}`,
    );
    return {
      says: `${texts.join('; ')}.`,
      asExpected: isThere ? browsers.some(([, answer]) => hasAnswer(answer)) : null,
      facts: {
        browsers: Object.fromEntries(browsers.map(([name, answer]) => [name, JSON.stringify(answer)])),
      },
    };
  },
};

/** Whether the model has kept to the schema. */
function hasAnswer(answer: unknown): boolean {
  if (!isObject(answer) || typeof answer['answer'] !== 'string') return false;
  try {
    const said: unknown = JSON.parse(answer['answer']);
    return isObject(said) && typeof said['say'] === 'string';
  } catch {
    return false;
  }
}

export const modelQuestions: readonly Question[] = [...providers, localServers, promptAPI];
