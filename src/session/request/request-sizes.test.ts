import { expect, test } from 'vitest';
import type { ModelMessage } from '../../models/types.ts';
import { Sizes } from './request-sizes.ts';

test('a call without name and arguments has a size, too', () => {
  // Nothing in the types allows this, but contents of messages come from files as well.
  const call = JSON.parse('{"role":"assistant","content":[{"type":"tool-call"}]}') as ModelMessage;
  const { messages } = new Sizes().messages([call]);
  expect(Number.isFinite(messages)).toBe(true);
});
