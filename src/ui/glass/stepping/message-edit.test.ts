import { expect, test } from 'vitest';
import type { ModelMessage } from '../../../models/types.ts';
import { draftOf, isChanged, messageOf, problemOf } from './message-edit.ts';

const call: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { filePath: 'a' } }],
};

test('words are edited as words, everything else as JSON', () => {
  const user: ModelMessage = { role: 'user', content: 'Go' };
  expect(draftOf(user)).toMatchObject({ form: 'text', text: 'Go' });
  expect(messageOf({ ...draftOf(user), text: 'Stay' })).toEqual({ role: 'user', content: 'Stay' });
  const said: ModelMessage = { role: 'assistant', content: [{ type: 'text', text: 'Hm' }] };
  expect(messageOf({ ...draftOf(said), text: 'Ah' })).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'Ah' }],
  });
  const draft = draftOf(call);
  expect(draft.form).toBe('json');
  expect(messageOf({ ...draft, text: draft.text.replace('"a"', '"b"') })).toMatchObject({
    content: [{ input: { filePath: 'b' } }],
  });
});

test('what would turn letters around is written out, and is the same once it is read', () => {
  const input = { filePath: 'a\u202etxt.exe' };
  const turned: ModelMessage = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input }],
  };
  const draft = draftOf(turned);
  expect(draft.text).toContain('a\\u202etxt.exe');
  expect(messageOf(draft)).toBe(turned);
  expect(messageOf({ ...draft, text: `${draft.text}\n` })).toEqual(turned);
});

test('what was not changed is the same message, and what is none is refused', () => {
  expect(messageOf(draftOf(call))).toBe(call);
  expect(isChanged(draftOf(call))).toBe(false);
  for (const text of ['', '{', '[]', '[1]', '{"type":"text"}'])
    expect([text, messageOf({ ...draftOf(call), text })]).toEqual([text, undefined]);
});

test('what cannot be sent is told with its place', () => {
  for (const [text, problem] of [
    ['[ {broken', { kind: 'json', line: 1, character: 4 }],
    ['[ { "type": "tool-call" } ]', { kind: 'lacks', path: '[0].toolCallId' }],
    ['{"a":1}', { kind: 'wrong', path: '', expected: 'string, array' }],
    ['[]', { kind: 'empty', path: '' }],
  ] as const) {
    const draft = { ...draftOf(call), text };
    expect([text, problemOf(draft)]).toEqual([text, problem]);
    expect([text, messageOf(draft)]).toEqual([text, undefined]);
  }
  expect(problemOf(draftOf(call))).toBeNull();
});
