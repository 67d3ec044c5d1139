import { modelMessageSchema } from 'ai';
import { expect, test } from 'vitest';
import { formProblem } from './message-form.ts';

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} };
const result = {
  type: 'tool-result',
  toolCallId: 'c1',
  toolName: 'read',
  output: { type: 'text', value: 'a' },
};

test('a message without what its role and parts need is told by place and need', () => {
  const { input: _, ...withoutInput } = call;
  for (const [role, content, problem] of [
    ['assistant', [{ type: 'tool-call' }], { kind: 'lacks', path: '[0].toolCallId' }],
    ['assistant', [withoutInput], { kind: 'lacks', path: '[0].input' }],
    ['assistant', [{ ...call, toolName: 1 }], { kind: 'wrong', path: '[0].toolName', expected: 'string' }],
    ['assistant', [{ type: 'text', text: 'a' }, { text: 'b' }], { kind: 'lacks', path: '[1].type' }],
    ['assistant', { a: 1 }, { kind: 'wrong', path: '', expected: 'string, array' }],
    ['assistant', [], { kind: 'empty', path: '' }],
    ['assistant', [1], { kind: 'wrong', path: '[0]', expected: 'object' }],
    ['tool', 'a', { kind: 'wrong', path: '', expected: 'array' }],
    ['tool', [call], { kind: 'wrong', path: '[0].type', expected: expect.stringContaining('tool-result') }],
    ['tool', [{ ...result, output: 'a' }], { kind: 'wrong', path: '[0].output', expected: 'object' }],
    ['tool', [{ ...result, output: { type: 'text' } }], { kind: 'lacks', path: '[0].output.value' }],
    ['tool', [{ ...result, output: { type: 'content', value: [{ type: 'text' }] } }], {}],
    ['user', [call], { kind: 'wrong', path: '[0].type', expected: 'text, file, image' }],
    ['user', [{ type: 'file', data: 'YQ==' }], { kind: 'lacks', path: '[0].mediaType' }],
    ['system', [{ type: 'text', text: 'a' }], { kind: 'wrong', path: '', expected: 'string' }],
  ] as const)
    expect([content, formProblem(role, content)]).toEqual([content, expect.objectContaining(problem)]);
});

test('what is taken, the SDK takes too', () => {
  for (const [role, content] of [
    ['system', 'a'],
    ['user', 'a'],
    [
      'user',
      [
        { type: 'text', text: 'a' },
        { type: 'file', mediaType: 'image/png', data: 'YQ==' },
      ],
    ],
    ['assistant', 'a'],
    ['assistant', [{ type: 'reasoning', text: 'a' }, { type: 'text', text: 'b' }, call, result]],
    ['tool', [result, { ...result, output: { type: 'json', value: [1] } }]],
    ['tool', [{ ...result, output: { type: 'error-text', value: 'a' } }]],
    ['tool', [{ ...result, output: { type: 'content', value: [{ type: 'text', text: 'a' }] } }]],
  ] as const) {
    expect([content, formProblem(role, content)]).toEqual([content, null]);
    expect(modelMessageSchema.safeParse({ role, content }).success).toBe(true);
  }
});
