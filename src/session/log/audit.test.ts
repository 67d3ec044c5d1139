import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import { maskSecrets } from '../../base/secrets.ts';
import { planTools } from '../../tools/plan/tools.ts';
import { ToolRegistry } from '../../tools/registry.ts';
import { AUDIT_LIMIT, Audit, type AuditEntry } from './audit.ts';
import { EVENT_VERSION, type Event } from './events.ts';

/** One line for each entry, newest first. */
const lines = (entries: readonly AuditEntry[]) =>
  entries.map((entry) =>
    entry.kind === 'mode'
      ? `mode ${entry.mode}`
      : entry.kind === 'agent'
        ? `agent ${entry.agent} ${entry.how}`
        : [entry.callID, entry.tool, entry.what, entry.outcome, entry.answer?.by, entry.because]
            .filter(Boolean)
            .join(' '),
  );

async function played() {
  const over = await harness(
    [
      [
        ...call('c1', 'change', { text: 'a' }),
        ...call('c2', 'change', { text: 'TOKEN=hunter2' }),
        ...call('c3', 'change', { text: 'never' }),
        finish('tool-calls'),
      ],
      [...call('c4', 'change', { text: 'a' }), finish('tool-calls')],
      [...call('c5', 'change', { text: 'b' }), finish('tool-calls')],
      [...call('c6', 'change', { text: 'c' }), finish('tool-calls')],
    ],
    { settings: { change: { '*': 'ask', never: 'deny' } } },
  );
  const { session } = over;
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Go');
  await asked;
  const [first, second] = [...session.state.pending.keys()];
  session.answer(first ?? '', { reply: 'reject', message: 'PASSWORD=hunter3 is wrong' }, 'person');
  session.answer(second ?? '', { reply: 'session', patterns: ['TOKEN=hunter2'] }, 'person');
  await next(session, 'permission.asked', ({ callID }) => callID === 'c5');
  const last = next(session, 'permission.asked', ({ callID }) => callID === 'c6');
  await session.setMode('bypass');
  await session.setMode('ask');
  await last.catch(() => undefined);
  session.abort();
  await session.rested();
  await over.sessions.close(session.id);
  return over;
}

test('every decision with its reason, newest first, without secrets', async () => {
  const { sessions, session } = await played();
  const audit = new Audit({
    read: (before, limit) => sessions.eventsBefore(session.id, before, limit),
    mask: maskSecrets,
  });
  await audit.more();
  expect(audit.complete).toBe(true);
  expect(lines(audit.entries())).toEqual([
    'c6 change c withdrawn cancelled',
    'mode ask',
    'mode bypass',
    'c5 change b allowed policy',
    'c4 change a denied refused-before',
    'c3 change never denied',
    'c2 change TOKEN=[secret] allowed person',
    'c1 change a denied person',
  ]);
  expect(JSON.stringify(audit.entries())).not.toMatch(/hunter/);
  expect(audit.entries().at(-3)).toMatchObject({
    decisions: [{ action: 'deny', rule: { pattern: 'never' }, source: 'settings' }],
  });
});

test('page by page it comes to the same, and what comes meanwhile is taken once', async () => {
  const { store, session } = await played();
  const events = await store.events(session.id, 0);
  const mask = (text: string) => text;
  const whole = new Audit({ read: async (before) => events.filter(({ seq }) => seq < before), mask });
  await whole.more();
  for (let split = 0; split <= events.length; split++) {
    const stored = events.slice(0, split);
    const audit = new Audit({
      read: async (before) => stored.filter(({ seq }) => seq < before).slice(-3),
      mask,
    });
    await audit.more();
    audit.take(events.slice(Math.max(0, split - 2)));
    while (!audit.complete) await audit.more();
    expect(audit.entries()).toEqual(whole.entries());
  }
});

test('it does not grow for ever', async () => {
  const event = (seq: number): Event => ({
    v: EVENT_VERSION,
    sessionID: 'ses_1',
    seq,
    time: seq,
    type: 'mode.set',
    mode: 'ask',
  });
  const audit = new Audit({
    read: async (before, limit) => {
      const end = Math.min(before, 20_000);
      return Array.from({ length: Math.min(limit, end) }, (_, i) => event(end - Math.min(limit, end) + i));
    },
    mask: (text) => text,
  });
  while (!audit.complete) await audit.more();
  audit.take([event(20_000)]);
  expect(audit.entries()).toHaveLength(AUDIT_LIMIT);
  expect(audit.entries()[0]?.seq).toBe(20_000);
});

test('another agent decides by other rules: that it was chosen, or was let go on, is among the decisions', async () => {
  const registry = new ToolRegistry(
    planTools({ planner: 'plan', builder: 'build', folder: '.opencode/plans' }),
  );
  const { session, sessions } = await harness(
    [
      [...call('c1', 'plan_exit', {}), finish('tool-calls')],
      [...say('On it.'), finish('stop')],
    ],
    { registry, questionAnswerer: async () => [['Yes']] },
  );
  await session.chooseAgent('plan');
  await session.prompt('Go');
  await session.rested();
  expect(session.mode).toBe('ask');
  const audit = new Audit({
    read: (before, limit) => sessions.eventsBefore(session.id, before, limit),
    mask: maskSecrets,
  });
  await session.stored();
  await audit.more();
  expect(lines(audit.entries())).toEqual(['agent build handed-over', 'agent plan chosen']);
});
