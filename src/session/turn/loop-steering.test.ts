import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import { build } from '../../agents/build.ts';
import { headPath } from '../request/messages.ts';
import { LAST_STEP_NOTE, unwrapSteering } from '../request/steering.ts';

test('a prompt sent while the turn runs is accepted at once and steers the next step', async () => {
  const { session, model, events } = await harness([
    [...call('c1', 'change', { text: 'a' }), finish('tool-calls')],
    [...say('As you say.'), finish()],
    [...say('Later.'), finish()],
  ]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change a');
  const { requestID } = await asked;
  await session.prompt('And be quick');
  await session.prompt('Really');
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  const messages = model.requests[1]?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
  expect(unwrapSteering(String(messages.at(-2)?.content))).toBe('And be quick');
  expect(unwrapSteering(String(messages.at(-1)?.content))).toBe('Really');
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);

  // The message is the same in every later request, so that requests only grow at their end.
  await session.prompt('Bye');
  await session.rested();
  expect(model.requests[2]?.messages.slice(0, messages.length)).toEqual(messages);
  expect(model.requests[2]?.messages.at(-1)?.content).toBe('Bye');
});

test('a prompt sent during the last answer gets an answer of its own', async () => {
  const { session, model } = await harness([
    async function* () {
      yield* say('One.');
      await session.prompt('Two?');
      yield finish();
    },
    [...say('Two.'), finish()],
  ]);
  await session.prompt('One?');
  expect(await session.rested()).toBe('idle');
  expect(model.requests).toHaveLength(2);
});

test('whenever prompts come, all of them are on the one path to the head, and are answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }), async (pauses) => {
      const step = (index: number) =>
        index % 2
          ? [...say('Hm.'), finish()]
          : [...call('c', 'echo', { text: String(index) }), finish('tool-calls' as const)];
      const { session, model } = await harness(Array.from({ length: 40 }, (_, index) => step(index)));
      const prompts: Promise<void>[] = [];
      for (const [index, pause] of pauses.entries()) {
        prompts.push(session.prompt(`Prompt ${index}`));
        for (let tick = 0; tick < pause; tick++) await Promise.resolve();
      }
      await Promise.all(prompts);
      expect(await session.rested()).toBe('idle');
      const { state } = session;
      const source = { message: (id: string) => state.messages.get(id), part: () => undefined };
      expect(headPath(source, state.head)).toHaveLength(state.messages.size);
      const told = JSON.stringify(model.requests.at(-1)?.messages);
      for (const index of pauses.keys()) expect(told).toContain(`Prompt ${index}`);
      expect(state.messages.get(state.head ?? '')?.role).toBe('assistant');
    }),
  );
});

test('the last step of a turn is told so, and runs no tools', async () => {
  const steps = Array.from({ length: build.steps }, (_, index) => [
    ...call(`c${index}`, 'echo', { text: String(index) }),
    finish('tool-calls' as const),
  ]);
  const { session, model, events } = await harness(steps);
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(model.requests).toHaveLength(build.steps);
  expect(model.requests.at(-2)?.system).not.toContain(LAST_STEP_NOTE);
  expect(model.requests.at(-1)?.system).toContain(LAST_STEP_NOTE);
  const outcomes = events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []));
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(build.steps - 1);
  expect(outcomes.at(-1)).toBe('cancelled');
  expect(session.state.lastTurn?.fault?.code).toBe('step-limit');
});
