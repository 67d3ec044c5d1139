import { expect, test } from 'vitest';
import { harness } from '../../test/support/session-harness.ts';
import { chooseFor } from './compare-side.ts';

test.each([
  ['plan', 'ask', 'plan'],
  ['plan', 'auto-edit', 'plan'],
  ['plan', 'plan', 'plan'],
  ['build', 'auto-edit', 'auto-edit'],
  ['build', 'plan', 'ask'],
] as const)('a side with the agent %s and the mode %s runs that agent in %s', async (agent, mode, runsIn) => {
  const { session } = await harness([]);
  await chooseFor(session, { agent, mode, effort: null });
  expect(session.state.agent ?? 'build').toBe(agent);
  expect(session.mode).toBe(runsIn);
});
