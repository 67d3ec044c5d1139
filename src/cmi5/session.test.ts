import { expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
import { readLaunch } from './launch.ts';
import { ReportingSession, type SessionDeps } from './session.ts';
import type { KeptProgress } from './platform.ts';
import type { Statement } from './statements.ts';
import { launchAddress } from '../../test/support/cmi5/launch-address.ts';

const launch = readLaunch(new URL(launchAddress('https://lms.example')));
const NOTHING: KeptProgress = { completed: false, step: 1, percent: 0 };
const busy = new FaultError({ code: 'cmi5-busy', what: 'Busy.', retryable: true });

function started(more: Partial<SessionDeps> = {}) {
  const batches: (readonly Statement[])[] = [];
  const faults: Error[] = [];
  const kept: KeptProgress[] = [];
  let now = Date.UTC(2026, 0, 1);
  const session = new ReportingSession({
    launch,
    contextTemplate: {},
    mode: 'Normal',
    before: NOTHING,
    now: () => (now += 1_000),
    newID: () => crypto.randomUUID(),
    platform: {
      async send(statements) {
        await Promise.resolve();
        const fault = faults.shift();
        if (fault) throw fault;
        batches.push(statements);
      },
      async keepProgress(progress) {
        kept.push(progress);
      },
    },
    ...more,
  });
  const verbs = () =>
    batches.flat().map(({ verb }) =>
      String(Reflect.get(Object(verb), 'id'))
        .split('/')
        .at(-1),
    );
  return { session, batches, faults, kept, verbs };
}

test('a lesson that is gone through is reported in order, each verb of cmi5 once', async () => {
  const { session, verbs, kept } = started();
  session.progress(0, 4, 1);
  session.begin();
  session.begin();
  for (const done of [0, 1, 1, 2, 1, 3, 4]) session.progress(done, 4, Math.min(4, done + 1));
  session.complete();
  session.complete();
  session.progress(2, 4, 3);
  expect(session.isRecorded).toBe(false);
  expect(await session.end()).toBe(true);
  expect(await session.end()).toBe(true);
  session.leave();
  expect(verbs()).toEqual([
    'initialized',
    'progressed',
    'progressed',
    'progressed',
    'completed',
    'terminated',
  ]);
  expect(session.isRecorded).toBe(true);
  expect(kept.at(-1)).toEqual({ completed: true, step: 4, percent: 75 });
});

test('what could not be sent waits, and goes out in order with the next report', async () => {
  const { session, faults, verbs, batches } = started();
  faults.push(busy, busy);
  session.begin();
  await session.retry();
  expect(session.fault).toMatchObject({ code: 'cmi5-busy' });
  session.progress(1, 2, 2);
  await session.retry();
  expect(batches).toEqual([]);
  session.complete();
  await session.retry();
  expect(verbs()).toEqual(['initialized', 'progressed', 'completed']);
  expect(session.fault).toBeNull();
});

test('a page that is closed sends what waits together with the end', async () => {
  const leaving: (readonly Statement[])[] = [];
  const kept: KeptProgress[] = [];
  const { session } = started({
    platform: {
      async send(statements, isLeaving) {
        if (!isLeaving) throw busy;
        leaving.push(statements);
      },
      async keepProgress(progress, isLeaving) {
        expect(isLeaving).toBe(true);
        kept.push(progress);
      },
    },
  });
  session.leave();
  expect(leaving).toEqual([]);
  session.begin();
  session.progress(1, 2, 2);
  session.complete();
  await session.retry();
  session.leave();
  expect(leaving.map((each) => each.map(({ verb }) => Reflect.get(Object(verb), 'display')))).toEqual([
    ['initialized', 'progressed', 'completed', 'terminated'].map((verb) => ({ 'en-US': verb })),
  ]);
  expect(kept).toEqual([{ completed: false, step: 2, percent: 50 }]);
});

test('a platform that has refused for good is sent nothing more', async () => {
  const { session, faults, batches } = started();
  session.begin();
  await session.retry();
  faults.push(new FaultError({ code: 'cmi5-closed', what: 'Closed.' }));
  session.progress(1, 3, 2);
  await session.retry();
  session.progress(2, 3, 3);
  expect(await session.end()).toBe(false);
  session.leave();
  expect(batches).toHaveLength(1);
  expect(session.fault).toMatchObject({ code: 'cmi5-closed' });
});

test('a session whose end was not received says so, and ends only once', async () => {
  const { session, faults, verbs } = started();
  session.begin();
  await session.retry();
  faults.push(busy);
  expect(await session.end()).toBe(false);
  session.complete();
  expect(await session.end()).toBe(true);
  expect(verbs()).toEqual(['initialized', 'terminated']);
});

test.each([
  [{ mode: 'Browse' }, false],
  [{ mode: 'Review' }, false],
  [{ before: { completed: true, step: 2, percent: 50 } }, true],
] as const)('with %o nothing is reported but the beginning and the end', async (more, isRecorded) => {
  const { session, verbs } = started(more);
  session.begin();
  session.progress(1, 2, 2);
  session.complete();
  await session.end();
  expect(verbs()).toEqual(['initialized', 'terminated']);
  expect(session.isRecorded).toBe(isRecorded);
});

test('a later launch reports nothing that is less, and the platform keeps where the learner is', async () => {
  const { session, verbs, kept, faults } = started({ before: { completed: false, step: 3, percent: 50 } });
  session.begin();
  for (const [done, step] of [
    [2, 3],
    [2, 2],
    [1, 2],
  ] as const)
    session.progress(done, 4, step);
  await session.retry();
  expect(verbs()).toEqual(['initialized']);
  expect(kept).toEqual([{ completed: false, step: 2, percent: 50 }]);
  faults.push(busy);
  session.progress(3, 4, 4);
  await session.retry();
  // The session keeps no progress as reported that the platform has not received.
  expect(kept).toHaveLength(1);
  await session.retry();
  expect(verbs()).toEqual(['initialized', 'progressed']);
  expect(kept.at(-1)).toEqual({ completed: false, step: 4, percent: 75 });
});

test('what is reported right after a step that changes nothing goes out by itself', async () => {
  const { session, verbs } = started();
  session.begin();
  await session.retry();
  session.progress(0, 1, 1);
  session.complete();
  await expect.poll(verbs).toEqual(['initialized', 'completed']);
});
