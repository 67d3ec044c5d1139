import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next, passing } from '../../../test/support/session-harness.ts';
import { plan } from '../../agents/plan.ts';
import type { Event, EventBody } from './events.ts';
import { messageRecord, sessionRecord, stateOf } from './records.ts';
import { emptyState, fold, reduce } from './reduce.ts';
import { partKey, type SessionState } from './state.ts';

/** A session with everything in it: reasoning, parallel calls, asks, live output, errors, steering, a stop. */
async function fullLog(): Promise<readonly Event[]> {
  const { session, store, timer } = await harness([
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', text: 'Hm.', providerMetadata: { test: { signature: 's' } } },
      { type: 'reasoning-end', id: 'r' },
      ...say('Let me change it.'),
      ...call('c1', 'change', { text: 'a' }),
      ...call('c2', 'change', { text: 'b' }),
      ...call('c3', 'echo', { text: 5 }),
      finish('tool-calls'),
    ],
    [{ type: 'error', fault: { code: 'x', what: 'X.', retryable: true } }, finish('error')],
    [...call('c1', 'endless', { text: 'out' }), finish('tool-calls')],
  ]);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Go');
  await asked;
  await session.prompt('And this');
  const [first, second] = [...session.state.pending.values()];
  session.answer(first?.id ?? '', { reply: 'session', patterns: ['a', 'out'] }, 'person');
  session.answer(second?.id ?? '', { reply: 'reject', message: 'Not b.' }, 'person');
  await passing(timer, 1_000, next(session, 'call.output'));
  session.abort();
  await session.rested();
  await session.rename('Renamed');
  await session.keep(true);
  await session.close();
  return store.events(session.id, 0);
}

const log = await fullLog();

test('the log under test holds every kind of event of a turn', () => {
  expect(new Set(log.map(({ type }) => type)).size).toBeGreaterThanOrEqual(15);
});

test('reducing in pieces is reducing at once, also through stored records', () => {
  const whole = reduce(log, emptyState('ses_1'));
  fc.assert(
    fc.property(fc.array(fc.nat(log.length), { maxLength: 6 }), (cuts) => {
      let state = emptyState('ses_1');
      let from = 0;
      for (const to of [...cuts, log.length].sort((a, b) => a - b)) {
        reduce(log.slice(from, to), state);
        from = to;
        // Records are written only while nothing waits for an answer.
        if (state.pending.size === 0) state = throughRecords(state);
      }
      expect(state).toEqual(whole);
      expect([...state.messages.keys()]).toEqual([...whole.messages.keys()]);
    }),
  );
});

test('any prefix of a log folds, to the same state each time, and goes on to the same end', () => {
  const whole = reduce(log, emptyState('ses_1'));
  fc.assert(
    fc.property(fc.nat(log.length), (length) => {
      const prefix = log.slice(0, length);
      const state = reduce(prefix, emptyState('ses_1'));
      expect(state).toEqual(reduce(structuredClone(prefix), emptyState('ses_1')));
      expect(state.nextSeq).toBe(prefix.at(-1) === undefined ? 0 : length);
      for (const { partKeys } of state.messages.values())
        for (const key of partKeys) expect(state.parts.has(key)).toBe(true);
      expect(reduce(log.slice(length), state)).toEqual(whole);
    }),
  );
});

test('events never change what was there: messages and parts are replaced', () => {
  const state = emptyState('ses_1');
  for (const event of log) {
    const before = [...state.messages.values(), ...state.parts.values()].map((value) => ({
      value,
      copy: structuredClone(value),
    }));
    fold(state, event);
    for (const { value, copy } of before) expect(value).toEqual(copy);
  }
});

test('a state without the older messages takes events about them without harm', () => {
  const state = reduce(log, emptyState('ses_1'));
  const { nextSeq } = state;
  state.messages.clear();
  state.parts.clear();
  fold(state, at(nextSeq, { type: 'output.dropped', messageID: 'msg_2', callID: 'c1' }));
  fold(state, at(nextSeq + 1, { type: 'step.sent', messageID: 'msg_2', bodyHash: 'x' }));
  expect(state.parts.size + state.messages.size).toBe(0);
  expect(state.nextSeq).toBe(nextSeq + 2);
});

test('waiting asks stand in the order of their calls, behind the one in front', () => {
  const state = emptyState('ses_1');
  const request = { base: null, append: [], system: '', tools: '', settings: {} };
  const model = { provider: 'p', model: 'm' };
  let seq = 0;
  const add = (body: EventBody) => fold(state, at(seq++, body));
  const messageID = 'm1';
  add({ type: 'step.started', messageID, parentID: '', step: 0, agent: 'build', model, request });
  for (const callID of ['a', 'b', 'c', 'd'])
    add({ type: 'step.part', messageID, part: { type: 'tool-call', callID, tool: 't', input: {} } });
  for (const callID of ['c', 'd', 'a', 'b'])
    add({
      type: 'permission.asked',
      messageID,
      callID,
      requestID: `r-${callID}`,
      tool: 't',
      permission: 't',
      patterns: [],
      always: [],
      subject: { kind: 'path', path: 'x' },
      decisions: [],
    });
  expect([...state.pending.keys()]).toEqual(['r-c', 'r-a', 'r-b', 'r-d']);
});

test('live output keeps its end and is let go of with the result', () => {
  const state = reduce(log, emptyState('ses_1'));
  const open = [...state.messages.values()].at(-1);
  const ended = state.parts.get(partKey(open?.id ?? '', 'tool', 'c1'));
  expect(ended).toMatchObject({ type: 'tool', live: '', outcome: 'cancelled' });
});

function throughRecords(state: SessionState): SessionState {
  const record = structuredClone(sessionRecord(state));
  const messages = [...state.messages.values()].map((message) => messageRecord(state, message));
  return stateOf(record, structuredClone(messages));
}

function at(seq: number, body: EventBody): Event {
  return { ...body, v: 1, sessionID: 'ses_1', seq, time: seq };
}

test('an event of a later version of the app changes the time and the place in the log, and nothing else', () => {
  const known = reduce(log, emptyState('ses_1'));
  const later = { ...log[0], type: 'session.later', seq: known.nextSeq, time: known.updated + 5 };
  const state = reduce([...log, later as Event], emptyState('ses_1'));
  expect(state).toEqual({ ...known, nextSeq: known.nextSeq + 1, updated: known.updated + 5 });
});

test('the mode that plans is that of the agent that plans, and leaving it leaves the agent', () => {
  const envelope = { v: 1, sessionID: 's', time: 0 } as const;
  const state = emptyState('s');
  fold(state, { type: 'mode.set', mode: 'plan', seq: 0, ...envelope });
  expect(state.agent).toBe(plan.name);
  fold(state, { type: 'mode.set', mode: 'ask', seq: 1, ...envelope });
  expect(state.agent).toBeNull();
});

test('what happens in the preview is in the log alone, and does not make the session newer', () => {
  const known = reduce(log, emptyState('ses_1'));
  const noted = at(known.nextSeq, {
    type: 'preview.noted',
    entries: [{ kind: 'console', level: 'error', text: 'no', source: '' }],
  });
  const state = reduce([...log, { ...noted, time: known.updated + 5 }], emptyState('ses_1'));
  expect(state).toEqual({ ...known, nextSeq: known.nextSeq + 1 });
});
