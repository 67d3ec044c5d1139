import { expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
import { readLaunch } from './launch.ts';
import { ReportingSession, type SessionDeps } from './session.ts';
import type { Statement } from './statements.ts';
import { launchAddress } from '../../test/support/cmi5/launch-address.ts';

const launch = readLaunch(new URL(launchAddress('https://lms.example')));
const busy = new FaultError({ code: 'cmi5-busy', what: 'Busy.', retryable: true });

function started(more: Partial<SessionDeps> = {}) {
  const batches: (readonly Statement[])[] = [];
  const faults: Error[] = [];
  const notes: string[] = [];
  let now = Date.UTC(2026, 0, 1);
  const session = new ReportingSession({
    launch,
    contextTemplate: {},
    mode: 'Normal',
    wasCompleted: false,
    now: () => (now += 1_000),
    newID: () => crypto.randomUUID(),
    platform: {
      async send(statements) {
        await Promise.resolve();
        const fault = faults.shift();
        if (fault) throw fault;
        batches.push(statements);
      },
      async noteCompleted() {
        notes.push('completed');
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
  return { session, batches, faults, notes, verbs };
}

test('a lesson that is gone through is reported in order, each verb of cmi5 once', async () => {
  const { session, verbs, notes } = started();
  session.progress(0, 4);
  session.begin();
  session.begin();
  for (const done of [0, 1, 1, 2, 1, 3, 4]) session.progress(done, 4);
  session.complete();
  session.complete();
  session.progress(2, 4);
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
  expect(notes).toEqual(['completed']);
});

test('what could not be sent waits, and goes out in order with the next report', async () => {
  const { session, faults, verbs, batches } = started();
  faults.push(busy, busy);
  session.begin();
  await session.retry();
  expect(session.fault).toMatchObject({ code: 'cmi5-busy' });
  session.progress(1, 2);
  await session.retry();
  expect(batches).toEqual([]);
  session.complete();
  await session.retry();
  expect(verbs()).toEqual(['initialized', 'progressed', 'completed']);
  expect(session.fault).toBeNull();
});

test('a page that is closed sends what waits together with the end', async () => {
  const leaving: (readonly Statement[])[] = [];
  const { session } = started({
    platform: {
      async send(statements, isLeaving) {
        if (!isLeaving) throw busy;
        leaving.push(statements);
      },
      async noteCompleted() {},
    },
  });
  session.leave();
  expect(leaving).toEqual([]);
  session.begin();
  session.complete();
  await session.retry();
  session.leave();
  expect(leaving.map((each) => each.map(({ verb }) => Reflect.get(Object(verb), 'display')))).toEqual([
    [{ 'en-US': 'initialized' }, { 'en-US': 'completed' }, { 'en-US': 'terminated' }],
  ]);
});

test('a platform that has refused for good is sent nothing more', async () => {
  const { session, faults, batches } = started();
  session.begin();
  await session.retry();
  faults.push(new FaultError({ code: 'cmi5-closed', what: 'Closed.' }));
  session.progress(1, 3);
  await session.retry();
  session.progress(2, 3);
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
  [{ wasCompleted: true }, true],
] as const)('with %o nothing is reported but the beginning and the end', async (more, isRecorded) => {
  const { session, verbs } = started(more);
  session.begin();
  session.progress(1, 2);
  session.complete();
  await session.end();
  expect(verbs()).toEqual(['initialized', 'terminated']);
  expect(session.isRecorded).toBe(isRecorded);
});
