import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeMessages } from './messages.ts';
import type { ModelMessage } from './types.ts';

const step = (calls: readonly { id: string; input: unknown }[]): ModelMessage[] => [
  {
    role: 'assistant',
    content: calls.map(({ id, input }) => ({ type: 'tool-call', toolCallId: id, toolName: 'bash', input })),
  },
  {
    role: 'tool',
    content: calls.map(({ id }, index) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: 'bash',
      output: { type: 'text', value: String(index) },
    })),
  },
];

/** The id of each call and the text of its result. */
function answersOf(messages: readonly ModelMessage[]): [string, string][] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  );
  const results = messages.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) =>
          part.type === 'tool-result' && part.output.type === 'text'
            ? [[part.toolCallId, part.output.value] as const]
            : [],
        )
      : [],
  );
  return calls.map((id) => [
    id,
    results
      .filter(([result]) => result === id)
      .map(([, value]) => value)
      .join(),
  ]);
}

test('no two calls share an id, and each keeps its own result', () => {
  const id = fc.constantFrom('call_0', 'call_1', 'functions.bash:0', '');
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(id, { maxLength: 3 }), { maxLength: 5 }), (steps) => {
      const messages = steps.flatMap((ids) => step(ids.map((callID) => ({ id: callID, input: {} }))));
      const answers = answersOf(sanitizeMessages(messages));
      expect(new Set(answers.map(([callID]) => callID)).size).toBe(answers.length);
      for (const [callID] of answers) expect(callID).toMatch(/^[\w-]+$/);
      expect(answers.map(([, value]) => value)).toEqual(
        steps.flatMap((ids) => ids.map((_, index) => String(index))),
      );
    }),
  );
});

test('arguments that are not an object are sent as an empty object', () => {
  const inputs = sanitizeMessages(
    step(['{"comm', null, [1], { command: 'ls' }].map((input, index) => ({ id: `c${index}`, input }))),
  ).flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
      : [],
  );
  expect(inputs).toEqual([{}, {}, {}, { command: 'ls' }]);
});

test('the input is not modified', () => {
  const messages = step([{ id: 'a.b', input: 'text' }]);
  const before = JSON.stringify(messages);
  sanitizeMessages(messages);
  expect(JSON.stringify(messages)).toBe(before);
});

test('invalid names and ids are sanitized, on the call and on its result', () => {
  for (const name of ['functions.bash', '<img src=x>', '', 'x'.repeat(10_000)]) {
    const sent = sanitizeMessages(
      step([{ id: `${name}!`, input: {} }]).map((message) =>
        JSON.parse(JSON.stringify(message).replaceAll('"bash"', JSON.stringify(name))),
      ),
    );
    const parts = sent.flatMap((message) =>
      message.role !== 'user' && message.role !== 'system' && typeof message.content !== 'string'
        ? message.content.flatMap((part) =>
            part.type === 'tool-call' || part.type === 'tool-result'
              ? [[part.toolName, part.toolCallId]]
              : [],
          )
        : [],
    );
    expect(parts).toHaveLength(2);
    expect(parts[0]).toEqual(parts[1]);
    for (const text of parts.flat()) expect(text).toMatch(/^[\w-]{1,64}$/);
  }
});

test('a conversation that grows message by message is sent as one that comes whole', () => {
  const id = fc.constantFrom('call_0', 'call_1', 'functions.bash:0');
  const input = fc.constantFrom({}, 'text');
  const calls = fc.uniqueArray(fc.record({ id, input }), { maxLength: 3, selector: ({ id }) => id });
  fc.assert(
    fc.property(fc.array(calls, { maxLength: 5 }), fc.nat(4), (steps, cut) => {
      const messages = steps.flatMap(step);
      for (let count = 1; count <= messages.length; count++)
        expect(sanitizeMessages(messages.slice(0, count))).toEqual(
          sanitizeMessages(structuredClone(messages.slice(0, count))),
        );
      // Another continuation of the same beginning, as after an edit of a message.
      const other = [...messages.slice(0, cut), ...structuredClone(messages.slice(cut))];
      expect(sanitizeMessages(other)).toEqual(sanitizeMessages(structuredClone(messages)));
    }),
  );
});
