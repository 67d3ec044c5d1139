import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';

const steps = () => [
  [...call('c1', 'change', { text: 'a' }), finish('tool-calls' as const)],
  [...say('One.'), finish()],
  [...say('Two.'), finish()],
];

test('a prompt that waits for a gap joins the next step of the turn', async () => {
  const { session, model, events } = await harness(steps());
  const asked = next(session, 'permission.asked');
  await session.prompt('Change a');
  const { requestID } = await asked;
  let waiting = true;
  session.onGap(async () => {
    if (waiting) await session.prompt('Be quick');
    waiting = false;
  });
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('Be quick');
});

test('the end of a turn is a gap, the end of one that was stopped is none', async () => {
  const { session } = await harness(steps());
  let gaps = 0;
  session.onGap(async () => void gaps++);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change a');
  await asked;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(gaps).toBe(0);
  await session.prompt('Go on');
  expect(await session.rested()).toBe('idle');
  // Once after the step, once after the turn.
  expect(gaps).toBe(2);
});

test('one who stops listening is not called', async () => {
  const { session } = await harness([[...say('One.'), finish()]]);
  let gaps = 0;
  session.onGap(async () => void gaps++)();
  await session.prompt('Go');
  await session.rested();
  expect(gaps).toBe(0);
});
