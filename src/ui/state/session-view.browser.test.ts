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
