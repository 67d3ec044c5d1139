import { expect, test } from 'vitest';
import type { ModelMessage } from '../../models/types.ts';
import { unpairedTools } from './unpaired.ts';

const call: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }],
};
const result: ModelMessage = {
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'one' } },
  ],
};

test('a call without its result, and a result without its call, are named', () => {
  expect(unpairedTools([{ role: 'user', content: 'Go' }, call, result])).toEqual([]);
  expect(unpairedTools([call])).toEqual(['read']);
  expect(unpairedTools([result])).toEqual(['read']);
});
