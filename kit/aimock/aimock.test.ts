import { expect, test } from 'vitest';
import { readAimock } from './fixtures.ts';
import { AimockPlayer } from './player.ts';
import { chatStream } from './stream.ts';

const player = (...fixtures: readonly object[]) =>
  new AimockPlayer(readAimock(JSON.stringify({ fixtures }), 'f.json'), 'f.json');

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
    says('first', { userMessage: 'trip', turnIndex: 0, toolName: 'read', systemMessage: ['You', 'careful'] }),
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

test('fixtures of other endpoints are left out, and what is not supported is refused by name', () => {
  const image = { match: { endpoint: 'image' }, response: { image: { url: 'x' } } };
  expect(readAimock(JSON.stringify({ fixtures: [image, says('a', {})] }), 'f.json')).toHaveLength(1);
  const refused = (fixture: object) => () => readAimock(JSON.stringify({ fixtures: [fixture] }), 'f.json');
  expect(refused({ ...says('a', {}), chaos: { dropRate: 1 } })).toThrow('chaos');
  expect(refused(says('a', { inputText: 'b' }))).toThrow('inputText');
  expect(refused({ match: {}, response: { embedding: [1] } })).toThrow('Fixture 1 of f.json');
  expect(() => readAimock('[]', 'f.json')).toThrow('no list "fixtures"');
});
