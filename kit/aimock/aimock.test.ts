import { expect, test } from 'vitest';
import { readAimock } from './fixtures.ts';
import { AimockPlayer } from './player.ts';
import { chatStream } from './stream.ts';

const read = (...fixtures: readonly object[]) => readAimock(JSON.stringify({ fixtures }), 'f.json');
const player = (...fixtures: readonly object[]) => new AimockPlayer(read(...fixtures), 'f.json');

const user = (content: unknown) => ({ role: 'user', content });
const assistant = { role: 'assistant', content: null };
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const request = (...messages: readonly object[]) => ({
  ...{ model: 'm', messages: [{ role: 'system', content: 'You are careful.' }, ...messages] },
  tools: [{ type: 'function', function: { name: 'read' } }],
});

const says = (content: string, match: object) => ({ match, response: { content } });

test('the first fixture that fits answers', () => {
  const all = player(
    says('tool', { toolCallId: 'c1', toolResultContains: 'yes' }),
    says('later', { userMessage: 'trip', hasToolResult: true }),
    says('first', {
      userMessage: 'trip',
      hasToolResult: false,
      toolName: 'read',
      systemMessage: ['You', 'careful'],
    }),
    says('rest', {}),
  );
  const said = (...messages: readonly object[]) => all.answer(request(...messages));
  expect(said(user([{ type: 'text', text: 'a trip' }]))).toEqual({ content: 'first' });
  expect(said(user('a trip'), assistant, result('c1', 'yes'))).toEqual({ content: 'tool' });
  expect(said(user('a trip'), assistant, result('c1', 'no'))).toEqual({ content: 'later' });
  expect(said(user('hello'))).toEqual({ content: 'rest' });
});

test('fixtures with an index fit one after the other, and what fits nothing is a problem', () => {
  const all = player(
    says('one', { userMessage: 'go', sequenceIndex: 0 }),
    says('two', { userMessage: 'go', sequenceIndex: 1 }),
  );
  expect(all.answer(request(user('go')))).toEqual({ content: 'one' });
  expect(all.answer(request(user('go')))).toEqual({ content: 'two' });
  expect(all.problem()).toBeUndefined();
  expect(all.answer(request(user('go')))).toBeUndefined();
  expect(all.problem()).toBe(
    'No fixture of f.json fits a request whose last message is of the role "user": go',
  );
});

test('the newest message with text counts, and only results since then', () => {
  const all = player(
    says('seen', { userMessage: 'look', hasToolResult: true }),
    says('new', { userMessage: 'look', hasToolResult: false }),
  );
  const picture = user([{ type: 'image_url', image_url: { url: 'data:' } }]);
  const old = [user('before'), assistant, result('c1', 'x')];
  expect(all.answer(request(...old, user('look'), picture))).toEqual({ content: 'new' });
  expect(all.answer(request(user('look'), assistant, result('c1', 'x')))).toEqual({ content: 'seen' });
});

test('turnIndex chooses among fixtures that fit, and refuses none', () => {
  const at = (turnIndex: number) => says(`turn ${turnIndex}`, { turnIndex });
  const after = (...answers: readonly object[]) => request(user('go'), ...answers);
  expect(player(at(2), at(0)).answer(after(assistant))).toEqual({ content: 'turn 0' });
  expect(player(at(2), at(0)).answer(after(assistant, assistant, assistant))).toEqual({ content: 'turn 2' });
  expect(player(at(2), at(1)).answer(after())).toEqual({ content: 'turn 1' });
  expect(player(at(1), says('plain', {})).answer(after())).toEqual({ content: 'plain' });
  expect(player(says('plain', {}), at(0)).answer(after())).toEqual({ content: 'plain' });
  expect(player(says('plain', {}), at(0)).answer(after(assistant))).toEqual({ content: 'turn 0' });
});

test('a context answers where it is chosen, and a model by its dated versions too', () => {
  const fixtures = read(says('ours', { context: 'ours' }), says('four', { model: 'gpt-4' }));
  const asked = (model: string, context?: string) =>
    new AimockPlayer(fixtures, 'f.json', context).answer({ ...request(user('go')), model });
  expect(asked('m', 'ours')).toEqual({ content: 'ours' });
  expect(asked('gpt-4-0613')).toEqual({ content: 'four' });
  expect(asked('gpt-4o', 'theirs')).toBeUndefined();
  const without = new AimockPlayer(fixtures, 'f.json');
  without.answer(request(user('go')));
  expect(without.problem()).toContain('{ context: … }');
});

test('an answer is a stream, with the blocks in their order', () => {
  const blocks = [
    { type: 'toolCall' as const, name: 'read', arguments: { filePath: 'a' } },
    { type: 'text' as const, text: 'I read.' },
  ];
  const stream = chatStream({ blocks }, 3);
  expect(stream.indexOf('"id":"call_3_0"')).toBeLessThan(stream.indexOf('I read.'));
  expect(stream).toContain(JSON.stringify('{"filePath":"a"}'));
  expect(stream).toContain('"finish_reason":"tool_calls"');
  expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(chatStream({ content: { a: 1 }, reasoning: 'Hm' }, 0)).toContain('"content":"{\\"a\\":1}"');
});

test('an answer can say why it ends and what it used', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  const stream = chatStream({ content: 'Cut', finishReason: 'length', usage }, 0);
  expect(stream).toContain('"finish_reason":"length"');
  expect(stream).toContain('"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}');
});

test('fixtures for other requests and comments are left out, and what tells only of a recording is passed over', () => {
  const image = { match: { endpoint: 'image' }, response: { image: { url: 'x' } } };
  const vector = { match: { userMessage: 'a' }, response: { embedding: [1] } };
  expect(read(image, vector, says('a', { inputText: 'b' }), says('a', {}))).toHaveLength(1);
  const commented = {
    ...{ _comment: 'why', metadata: { by: 'x' }, recordedTimings: { ttftMs: 3 }, latency: 5 },
    match: { _note: 'here', userMessage: 'a' },
    response: { _source: 'x', content: ['a', 1], id: 'r1', reasoningSignature: 's', webSearches: ['q'] },
  };
  expect(read(commented)).toMatchObject([{ match: { userMessage: 'a' }, response: { content: ['a', 1] } }]);
  const busy = { match: {}, response: { error: { message: 'Busy', code: 429 }, status: 429, retryAfter: 2 } };
  expect(read(busy)).toMatchObject([{ response: { status: 429, retryAfter: 2 } }]);
});

test('what is not understood is refused by its name, with what to do', () => {
  const refused = (fixture: object) => () => read(fixture);
  expect(refused({ ...says('a', {}), chaos: { dropRate: 1 } })).toThrow('"chaos": it fails at random');
  expect(refused({ ...says('a', {}), truncateAfterChunks: 3 })).toThrow('use a step with "cut"');
  expect(refused(says('a', { predicate: 'x' }))).toThrow('"predicate": it is code');
  expect(refused(says('a', { userMesage: 'b' }))).toThrow('Fixture 1 of f.json');
  expect(refused({ match: {}, response: { content: 'a', sound: 1 } })).toThrow('"sound"');
  expect(refused({ match: {}, response: { error: { message: 'a' }, status: 200 } })).toThrow('status');
  expect(() => readAimock('[]', 'f.json')).toThrow('no list "fixtures"');
});
