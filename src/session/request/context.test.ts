import { expect, test } from 'vitest';
import { call, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { contextOf } from './context.ts';
import type { StreamPart } from '../log/parts.ts';

const end = (inputTokens?: number): StreamPart => ({
  type: 'finish',
  reason: 'stop',
  usage: inputTokens === undefined ? {} : { inputTokens },
});

test('what the newest request held, and what came since, by kind', async () => {
  const calling: PartsStep = [
    ...call('c1', 'echo', { text: 'x'.repeat(4_000) }),
    { type: 'finish', reason: 'tool-calls', usage: {} },
  ];
  const { session } = await harness([calling, [...say('y'.repeat(400)), end()]], {
    facts: { contextLimit: 10_000 },
  });
  expect(contextOf(session.state)).toBeNull();
  await session.prompt('z'.repeat(800));
  await session.rested();
  const { sizes, used, limit } = contextOf(session.state)!;
  expect(limit).toBe(10_000);
  expect(sizes.outputs).toBe(1_000);
  // The texts are the prompt, the call and the answer.
  expect(sizes.messages).toBeGreaterThan(200 + 1_000 + 100);
  expect(sizes.messages).toBeLessThan(200 + 1_000 + 100 + 10);
  expect(sizes.system).toBeGreaterThan(100);
  expect(sizes.tools).toBeGreaterThan(50);
  expect(used).toBe(sizes.system + sizes.tools + sizes.messages + sizes.outputs);
});

test('what the provider counted sets the measure', async () => {
  const { session } = await harness([[...say('Fine.'), end(6_000)]]);
  await session.prompt('word '.repeat(1_600));
  await session.rested();
  const use = contextOf(session.state)!;
  expect(Math.abs(use.used - 6_000)).toBeLessThan(20);
  expect(use.limit).toBeUndefined();
});

test('a summary takes the place of what it sums up', async () => {
  const { session } = await harness([
    [...say('long '.repeat(8_000)), end()],
    [...say('Short.'), end()],
  ]);
  await session.prompt('First');
  await session.rested();
  expect(contextOf(session.state)!.used).toBeGreaterThan(10_000);
  session.compact();
  await session.rested();
  expect(contextOf(session.state)!.used).toBeLessThan(2_000);
});
