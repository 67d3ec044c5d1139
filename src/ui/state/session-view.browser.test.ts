import { expect, test } from 'vitest';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { RecordedSessionHandle } from '../glass/recording/recorded-session.ts';
import { SessionView } from './session-view.svelte.ts';

function answered(session: FakeSession, question: string, answer: string): void {
  session.user(question, 'Write a note.');
  session.step(answer);
  session.append(
    { type: 'step.ended', messageID: answer, reason: 'stop', usage: {} },
    { type: 'turn.ended', status: 'idle' },
  );
}

test('another version of the conversation is shown from its beginning, also if it is read again before it was painted', () => {
  const session = new FakeSession('ses_a', 'w', 'A');
  answered(session, 'u1', 'a1');
  const view = new SessionView(session, { schedule: () => {}, cancel: () => {} });
  const shown = () => view.groups.flatMap(({ messages }) => messages.map(({ id }) => id));
  expect(shown()).toEqual(['u1', 'a1']);
  session.append({ type: 'restore.began', kind: 'branch', head: null }, { type: 'restore.ended' });
  answered(session, 'u2', 'a2');
  // Something else changed the list of sessions.
  view.refresh();
  expect(shown()).toEqual(['u2', 'a2']);
});

test('in a recording, a call that was asked about waited then, and nobody waits for the reader', () => {
  const session = new FakeSession('ses_a', 'w', 'A');
  session.user('u1', 'Run the tests.');
  session.step('a1');
  session.call('a1', 'c1', 'bash', { command: 'npm test' });
  session.ask('a1', 'c1', 'r1');
  session.answer('r1', { reply: 'once' }, 'person');
  const recorded = new RecordedSessionHandle({ id: session.id, events: session.events });
  const view = new SessionView(recorded, { schedule: (paint) => paint(), cancel: () => {} });
  recorded.goTo(session.events.length - 1);
  expect([view.past, view.activity, view.asking]).toEqual([true, 'waiting', null]);
  recorded.goTo(session.events.length);
  expect(view.activity).toBe('thinking');
});

test('older messages come in front of groups that stay the same objects', async () => {
  const session = new FakeSession('ses_a', 'w', 'A');
  for (let turn = 0; turn < 30; turn++) answered(session, `u${turn}`, `a${turn}`);
  const view = new SessionView(session, { schedule: (paint) => paint(), cancel: () => {} });
  const before = view.groups;
  expect(before.map(({ key }) => key)).toEqual(
    Array.from({ length: 20 }, (_, n) => [`u${n + 10}`, `a${n + 10}`]).flat(),
  );
  await view.showOlder();
  const after = view.groups;
  expect(after.map(({ key }) => key).slice(0, 3)).toEqual(['u9', 'a9', 'u10']);
  expect(after).toHaveLength(before.length + 2);
  for (const [index, group] of before.entries()) expect(after[index + 2]).toBe(group);

  // The last group is another one once more belongs to its turn.
  session.step('more');
  expect(view.groups.at(-1)?.key).toBe('more');
  expect(view.groups.find(({ key }) => key === 'a29')?.turn).toEqual([]);
});
