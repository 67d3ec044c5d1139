import { afterEach, describe, expect, test } from 'vitest';
import { installPromptAPI, type FakeOptions } from '../../../test/support/prompt-api/fake.ts';
import type { Model, ModelRequest } from '../../session/request/model.ts';
import type { StreamPart } from '../../session/log/parts.ts';
import { builtInModel } from './built-in.ts';

const REF = { provider: 'browser', model: 'built-in' };
const READ = {
  name: 'read',
  description: 'Reads a file. Long files are cut.',
  schema: {
    type: 'object',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: {
      filePath: { type: 'string', minLength: 1, description: 'Path' },
      limit: { type: 'integer', default: 2_000 },
    },
    required: ['filePath'],
  },
};
const CALL = '{"say":"I look at it.","call":{"tool":"read","arguments":{"filePath":"note.txt"}}}';

afterEach(() => void Reflect.deleteProperty(globalThis, 'LanguageModel'));

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'Be exact.',
    messages: [{ role: 'user', content: 'What does note.txt say?' }],
    tools: [READ],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => undefined,
    ...more,
  };
}

async function model(
  options: Partial<FakeOptions>,
): Promise<Model & { calls: ReturnType<typeof installPromptAPI> }> {
  const calls = installPromptAPI({ availability: 'available', answers: ['{"say":"Yes."}'], ...options });
  return Object.assign(await builtInModel(REF), { calls });
}

async function collect(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const textOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('');
const faultOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'error' ? [part.fault] : [])).at(0);

describe('answers', () => {
  test('are said and called while they arrive', async () => {
    const parts = await collect((await model({ answers: [CALL] })).stream(request()));
    expect(textOf(parts)).toBe('I look at it.');
    expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(1);
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', tool: 'read', input: { filePath: 'note.txt' } }),
    );
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  test.for([
    ['an object without a call', '{"say":"Two lines\\nof text."}', 'Two lines\nof text.'],
    ['a block of code', '```json\n{"say":"In a block."}\n```', 'In a block.'],
    ['plain text', 'It says hello.', 'It says hello.'],
    ['JSON that is the answer itself', '{"name":"vitrine"}', '{"name":"vitrine"}'],
    ['an object that is cut off', '{"say":"It ends he', 'It ends he'],
  ] as const)('may be %s', async ([, answer, said]) => {
    const parts = await collect((await model({ answers: [answer] })).stream(request()));
    expect(textOf(parts)).toBe(said);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  test('name a tool that does not exist, and the loop is told', async () => {
    const answer = '{"say":"","call":{"tool":"open","arguments":{}}}';
    const parts = await collect((await model({ answers: [answer] })).stream(request()));
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        invalid: expect.objectContaining({ reason: 'unknown-tool' }),
      }),
    );
  });

  test('count the tokens that the browser counts', async () => {
    const parts = await collect((await model({ answers: ['{"say":"Yes."}'] })).stream(request()));
    expect(parts.at(-1)).toMatchObject({ usage: { outputTokens: 4 } });
  });
});

describe('the request', () => {
  test('describes the tools, holds earlier calls and results, and keeps the answer to a schema', async () => {
    const { stream, calls } = await model({});
    let body = '';
    const messages = [
      { role: 'user', content: 'What does note.txt say?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { filePath: 'a' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read',
            output: { type: 'text', value: 'no a' },
          },
        ],
      },
    ] as const;
    await collect(
      stream(request({ messages: [...messages] as never, onBody: (text) => (body = String(text)) })),
    );
    const [system, ...rest] = calls.created.at(-1)?.initialPrompts ?? [];
    expect(system).toMatchObject({ role: 'system' });
    expect(system?.content).toContain('Be exact.');
    expect(system?.content).toContain('- read(filePath, limit?): Reads a file.');
    expect(system?.content).not.toContain('Long files');
    expect(rest).toEqual([
      { role: 'user', content: 'What does note.txt say?' },
      { role: 'assistant', content: '{"say":"I look.","call":{"tool":"read","arguments":{"filePath":"a"}}}' },
    ]);
    expect(calls.prompted).toEqual([
      { input: [{ role: 'user', content: 'Result of read:\nno a' }], constrained: true },
    ]);
    expect(JSON.parse(body)).toMatchObject({
      responseConstraint: {
        properties: {
          call: {
            anyOf: [
              {
                properties: {
                  tool: { enum: ['read'] },
                  arguments: {
                    type: 'object',
                    properties: { filePath: { type: 'string' }, limit: { type: 'integer' } },
                    required: ['filePath'],
                    additionalProperties: false,
                  },
                },
              },
            ],
          },
        },
      },
    });
  });

  test('without tools asks for plain text', async () => {
    const { stream, calls } = await model({ answers: ['A title'] });
    expect(textOf(await collect(stream(request({ tools: [] }))))).toBe('A title');
    expect(calls.prompted).toMatchObject([{ constrained: false }]);
  });

  test('goes without a schema where the engine refuses it', async () => {
    const { stream, calls } = await model({ answers: [CALL], refusesSchemas: true });
    const parts = await collect(stream(request()));
    expect(calls.prompted.map(({ constrained }) => constrained)).toEqual([true, false]);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', tool: 'read' }));
  });

  test('is preceded by one session that tells how many tokens fit, however many steps follow', async () => {
    const { calls, contextLimit } = await model({ contextWindow: 5_000 });
    const next = await builtInModel(REF);
    expect([contextLimit, next.contextLimit]).toEqual([5_000, 5_000]);
    expect(calls.created).toHaveLength(1);
  });

  test('ends its session, so that the browser can let its memory go', async () => {
    const { stream, calls } = await model({});
    await collect(stream(request()));
    expect(calls.destroyed).toBe(calls.created.length);
  });
});

describe('a fault', () => {
  test.for([
    ['downloadable', 'browser-model-missing'],
    ['downloading', 'browser-model-missing'],
    ['unavailable', 'no-browser-model'],
  ] as const)('tells that the model is %s', async ([availability, code]) => {
    const { stream, calls } = await model({ availability });
    expect(faultOf(await collect(stream(request())))?.code).toBe(code);
    expect(calls.created).toEqual([]);
  });

  test('tells that the browser has no model at all', async () => {
    const { stream } = await builtInModel(REF);
    expect(faultOf(await collect(stream(request())))?.code).toBe('no-browser-model');
  });

  test.for([
    ['QuotaExceededError', 'context-overflow'],
    ['NotReadableError', 'browser-model-filtered'],
    ['UnknownError', 'browser-model-failed'],
  ] as const)('tells of a %s', async ([failsWith, code]) => {
    const parts = await collect(
      (await model({ answers: ['{"say":"Too much."}'], failsWith })).stream(request()),
    );
    expect(faultOf(parts)?.code).toBe(code);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'error' });
  });

  test('tells that the conversation does not fit, so that the loop can summarize it', async () => {
    const small = await model({ contextWindow: 20 });
    expect(small.contextLimit).toBe(20);
    expect(faultOf(await collect(small.stream(request())))?.code).toBe('context-overflow');
  });

  test('is none where the person stopped it: the stream just ends', async () => {
    const stop = new AbortController();
    const { stream } = await model({ answers: ['{"say":"A long answer that is not read to its end."}'] });
    const parts: StreamPart[] = [];
    for await (const part of stream(request({ signal: stop.signal }))) {
      parts.push(part);
      if (part.type === 'text-delta') stop.abort();
    }
    expect(parts.at(-1)?.type).toBe('text-delta');
  });
});
