import { expect, test } from 'vitest';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { Timeline } from '../../../session/inspect/timeline.ts';
import { newestOf, rowsOf } from './rows.ts';

test('the newest row at a moment of a recording is that of the moment, and before the first step the first one', () => {
  const session = new FakeSession('ses_a', 'w', 'A');
  session.user('u', 'Go.');
  const first = session.state.nextSeq;
  session.step('m1');
  session.call('m1', 'c1', 'bash', { command: 'ls' });
  session.stepEnd('m1');
  const second = session.state.nextSeq;
  session.step('m2');
  session.stepEnd('m2');
  const timeline = new Timeline();
  timeline.take(session.events);
  const rows = rowsOf(timeline, new Set(), null);
  const at = (events?: number) => rows.find(({ path }) => path === newestOf(rows, events))?.item;
  expect(at()).toMatchObject({ kind: 'step', messageID: 'm2' });
  expect(at(0)).toMatchObject({ kind: 'step', messageID: 'm1' });
  expect(at(first + 1)).toMatchObject({ kind: 'step', messageID: 'm1' });
  expect(at(second)).toMatchObject({ kind: 'call', callID: 'c1' });
  expect(at(second + 1)).toMatchObject({ kind: 'step', messageID: 'm2' });
});
