import { expect, test } from 'vitest';
import { EVENT_VERSION, type Event, type EventBody } from '../../../session/log/events.ts';
import { noteAt } from './notes.ts';

const call = { messageID: 'm1', callID: 'c1', requestID: 'r1' };
const bodies: readonly EventBody[] = [
  {
    ...{ type: 'permission.asked', ...call, tool: 'bash', permission: 'bash', decisions: [] },
    patterns: ['ls'],
    always: [],
    subject: { kind: 'command', command: 'ls' },
  },
  { type: 'permission.answered', ...call, reply: { reply: 'once' }, by: 'person' },
  { type: 'session.titled', title: 'Still in the turn' },
  { type: 'turn.ended', status: 'idle' },
];
const events = bodies.map((body, seq): Event => ({
  ...body,
  ...{ v: EVENT_VERSION, sessionID: 's', seq, time: seq },
}));

test.each([
  [1, 'Asked for permission: bash ls'],
  [2, 'Allowed once'],
  [3, 'Allowed once'],
  [4, ''],
])('after %i events the note is %j', (count, note) => {
  expect(noteAt(events, count)).toBe(note);
});
