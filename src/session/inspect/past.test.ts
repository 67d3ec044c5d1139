import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVENT_VERSION, type Event, type EventBody } from '../log/events.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import { KEPT_EVERY, Past } from './past.ts';

const MODEL = { provider: 'test', model: 'parts' };
const REQUEST = { base: null, append: [], system: '', tools: '', settings: {} };

/** Turns of one step that streams `deltas` words, asks once and is answered. */
function log(turns: number, deltas: number): readonly Event[] {
  const bodies: EventBody[] = [{ type: 'session.created', workspaceID: 'w', title: 'Long' }];
  let parentID: string | null = null;
  for (let turn = 0; turn < turns; turn++) {
    const promptID = `p${turn}`;
    const messageID = `m${turn}`;
    const call = { messageID, callID: 'c' };
    bodies.push(
      {
        type: 'prompt.accepted',
        messageID: promptID,
        parentID,
        text: `Ask ${turn}`,
        agent: 'build',
        model: MODEL,
      },
      { type: 'turn.started', promptID },
      {
        type: 'step.started',
        messageID,
        parentID: promptID,
        step: 0,
        agent: 'build',
        model: MODEL,
        request: REQUEST,
      },
      ...Array.from({ length: deltas }, (_, at): EventBody => ({
        type: 'step.part',
        messageID,
        part: { type: 'text-delta', id: 't', text: `${at} ` },
      })),
      { type: 'step.part', messageID, part: { type: 'tool-input-start', callID: 'c', tool: 'bash' } },
      {
        ...{ type: 'permission.asked', ...call, requestID: `r${turn}`, tool: 'bash', permission: 'bash' },
        ...{ patterns: ['ls'], always: [], subject: { kind: 'command', command: 'ls' }, decisions: [] },
      },
      { type: 'permission.answered', ...call, requestID: `r${turn}`, reply: { reply: 'once' }, by: 'person' },
      { type: 'call.ended', ...call, outcome: 'ok', output: '', title: '', metadata: {}, attachments: [] },
      { type: 'step.ended', messageID, reason: 'stop', usage: { outputTokens: 1 } },
      { type: 'turn.ended', status: 'idle' },
    );
    parentID = messageID;
  }
  return bodies.map((body, seq): Event => ({
    ...body,
    v: EVENT_VERSION,
    sessionID: 's',
    seq,
    time: seq * 10,
  }));
}

const events = log(60, 100);

test('the past at any event is what the events up to it come to, in whatever order it is looked at', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: events.length }), { maxLength: 12 }), (looks) => {
      const past = new Past('s', events);
      for (const count of looks)
        expect(past.at(count)).toEqual(reduce(events.slice(0, count), emptyState('s')));
    }),
    { numRuns: 15 },
  );
});

test('a look folds at most a thousand events once states are kept', () => {
  const past = new Past('s', events);
  while (past.prepare());
  expect(past.ready).toBe(Math.floor(events.length / KEPT_EVERY) * KEPT_EVERY);
  expect(past.at(2_500).nextSeq).toBe(2_500);
  expect(past.at(0).messages.size).toBe(0);
  expect(past.at(1e9).nextSeq).toBe(events.length);
});

test('a state that is kept is not changed by looking further', () => {
  const past = new Past('s', events);
  const at = past.at(KEPT_EVERY);
  const messages = at.messages.size;
  past.at(KEPT_EVERY + 500);
  expect(past.at(KEPT_EVERY).messages.size).toBe(messages);
});

test('events that come later are there for the next look', () => {
  const growing = events.slice(0, 10);
  const past = new Past('s', growing);
  expect(past.at(20).nextSeq).toBe(10);
  growing.push(...events.slice(10, 20));
  expect(past.at(20)).toEqual(reduce(events.slice(0, 20), emptyState('s')));
});
