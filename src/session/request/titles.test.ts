import { expect, test } from 'vitest';
import { say, thenHang, type PartsStep } from '../../../test/support/parts-model.ts';
import { next, sessionsOver } from '../../../test/support/session-harness.ts';
import type { Event } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';

const end: StreamPart = { type: 'finish', reason: 'stop', usage: { inputTokens: 1_000, outputTokens: 100 } };

/** A model that answers prompts with `Fine.`, and the request for a title with `title`. */
async function named(title: PartsStep, options: Parameters<typeof sessionsOver>[1] = {}) {
  const answer: PartsStep = (request) => {
    const step = request.system.startsWith('You name') ? title : [...say('Fine.'), end];
    return typeof step === 'function' ? step(request) : step;
  };
  const over = sessionsOver([answer, answer, answer, answer], { titles: () => true, ...options });
  const session = await over.sessions.create({ workspaceID: over.workspace.id });
  const events: Event[] = [];
  session.onEvents((batch) => events.push(...batch));
  return { ...over, session, events };
}

test('a session is named beside its first turn, and what that costs is counted', async () => {
  const { session, events, model } = await named([...say('"Palindromes in Rust"\nor so'), end], {
    facts: { price: { input: 1, output: 10 } },
  });
  const titled = next(session, 'session.titled', ({ title }) => title !== 'Write it');
  await session.prompt('Write it');
  expect(await titled).toMatchObject({ title: 'Palindromes in Rust' });
  await session.rested();
  expect(session.state.title).toBe('Palindromes in Rust');
  expect(session.state.cost).toBe(0.004);
  expect(session.state.usage).toMatchObject({ inputTokens: 2_000 });
  expect(events.flatMap((event) => (event.type === 'aside.ended' ? event : []))).toMatchObject([
    { purpose: 'title', cost: 0.002, bodyHash: expect.any(String) },
  ]);
  await session.prompt('And more');
  await session.rested();
  expect(model.requests).toHaveLength(3);
});

test.each<[string, PartsStep]>([
  [
    'fails',
    [{ type: 'error', fault: { code: 'auth', what: 'No.' } }, { ...end, reason: 'error' } as StreamPart],
  ],
  ['says nothing', [...say('<think>Hm, a title'), end]],
])('where the model %s, the first line stays and nobody is told', async (_, step) => {
  const { session } = await named(step);
  const problems: unknown[] = [];
  session.onProblem((fault) => problems.push(fault));
  const ended = next(session, 'aside.ended');
  await session.prompt('Write it');
  await ended;
  expect(await session.rested()).toBe('idle');
  expect(session.state.title).toBe('Write it');
  expect(problems).toEqual([]);
});

test('a name that the person gave meanwhile stays', async () => {
  let go = (): void => undefined;
  const wait = new Promise<void>((resolve) => (go = resolve));
  const { session } = await named(async function* () {
    await wait;
    yield* say('Another name');
    yield end;
  });
  const ended = next(session, 'aside.ended');
  await session.prompt('Write it');
  await session.rested();
  await session.rename('Mine');
  go();
  await ended;
  expect(session.state.title).toBe('Mine');
});

test('closing waits for no name', async () => {
  const { session, sessions } = await named(thenHang(say('Pali')));
  await session.prompt('Write it');
  await session.rested();
  await sessions.close(session.id);
  expect(session.state.title).toBe('Write it');
});

test.each([
  ['not asked for', { titles: () => false }, undefined],
  ['given before', {}, 'Given'],
])('a title that is %s is not made', async (_, options, title) => {
  const over = sessionsOver([[...say('Fine.'), end]], { titles: () => true, ...options });
  const session = await over.sessions.create({ workspaceID: over.workspace.id, ...(title && { title }) });
  await session.prompt('Write it');
  expect(await session.rested()).toBe('idle');
  expect(over.model.requests).toHaveLength(1);
  expect(session.state.title).toBe(title ?? 'Write it');
});
