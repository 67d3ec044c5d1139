import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import type { Event, EventType } from '../log/events.ts';

const lines = (events: Parameters<typeof golden>[0]) =>
  golden(events).filter((line) => /^(call|permission|turn)/.test(line));

/**
 * Groups the lines by call. The calls of a step start and ask in order, but from then on run side by side.
 * The order in which parallel calls run and end is not guaranteed, and changes with every internal promise.
 */
function sideBySide(events: readonly Event[]): Readonly<Record<string, readonly string[]>> {
  const all = lines(events).map((line) => ({ line, of: /"callID":"(\w+)"/.exec(line)?.[1] ?? 'turn' }));
  const names = [...new Set(all.map(({ of }) => of))].sort();
  return Object.fromEntries(
    names.map((name) => [name, all.flatMap(({ of, line }) => (of === name ? line : []))]),
  );
}

function order(events: readonly Event[], ...types: readonly EventType[]): readonly string[] {
  return events.flatMap((event) => (types.includes(event.type) && 'callID' in event ? event.callID : []));
}

test('parallel calls with one denied by a rule: it fails, the others run, the turn goes on', async () => {
  const { session, events } = await harness(
    [
      [
        ...call('c1', 'change', { text: 'a' }),
        ...call('c2', 'change', { text: 'secret' }),
        ...call('c3', 'change', { text: 'c' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    { settings: { change: { '*': 'allow', secret: 'deny' } } },
  );
  await session.prompt('Change it');
  expect(await session.rested()).toBe('idle');
  expect(order(events, 'permission.decided')).toEqual(['c1', 'c2', 'c3']);
  expect(events.at(-1)?.type).toBe('turn.ended');
  expect(sideBySide(events)).toMatchInlineSnapshot(`
    {
      "c1": [
        "permission.decided {"messageID":"msg_2","callID":"c1","permission":"change","action":"allow","decisions":[{"pattern":"a","action":"allow","rule":{"permission":"change","pattern":"*","action":"allow"},"source":"settings","considered":[{"permission":"change","pattern":"*","action":"allow","source":"settings"}]}]}",
        "call.running {"messageID":"msg_2","callID":"c1","tool":"change","input":{"text":"a"}}",
        "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"changed a","title":"","metadata":{"truncated":false}}",
      ],
      "c2": [
        "permission.decided {"messageID":"msg_2","callID":"c2","permission":"change","action":"deny","decisions":[{"pattern":"secret","action":"deny","rule":{"permission":"change","pattern":"secret","action":"deny"},"source":"settings","considered":[{"permission":"change","pattern":"*","action":"allow","source":"settings"},{"permission":"change","pattern":"secret","action":"deny","source":"settings"}]}]}",
        "call.ended {"messageID":"msg_2","callID":"c2","outcome":"denied","output":"The rules deny 'change' for secret (rule: change secret). Do not try to get around this: work without it, or tell the user what you would need.","title":""}",
      ],
      "c3": [
        "permission.decided {"messageID":"msg_2","callID":"c3","permission":"change","action":"allow","decisions":[{"pattern":"c","action":"allow","rule":{"permission":"change","pattern":"*","action":"allow"},"source":"settings","considered":[{"permission":"change","pattern":"*","action":"allow","source":"settings"}]}]}",
        "call.running {"messageID":"msg_2","callID":"c3","tool":"change","input":{"text":"c"}}",
        "call.ended {"messageID":"msg_2","callID":"c3","outcome":"ok","output":"changed c","title":"","metadata":{"truncated":false}}",
      ],
      "turn": [
        "turn.started {"promptID":"msg_1"}",
        "turn.ended {"status":"idle"}",
      ],
    }
  `);
});

test('refused with a message: that call fails, the other runs, and the same call again is refused unasked', async () => {
  const { session, events } = await harness([
    [...call('c1', 'change', { text: 'a' }), ...call('c2', 'change', { text: 'b' }), finish('tool-calls')],
    [...call('c3', 'change', { text: 'a' }), finish('tool-calls')],
    [...say('Then not.'), finish()],
    [...call('c4', 'change', { text: 'a' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  const [first, second] = [...session.state.pending.keys()];
  session.answer(first ?? '', { reply: 'reject', message: 'Use b.' }, 'person');
  session.answer(second ?? '', { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(order(events, 'permission.asked', 'permission.answered')).toEqual(['c1', 'c2', 'c1', 'c2']);
  expect(events.at(-1)?.type).toBe('turn.ended');
  expect(sideBySide(events)).toMatchInlineSnapshot(`
    {
      "c1": [
        "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
        "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"reject","message":"Use b."},"by":"person"}",
        "call.ended {"messageID":"msg_2","callID":"c1","outcome":"denied","output":"The user refused this call and said: Use b.","title":""}",
      ],
      "c2": [
        "permission.asked {"messageID":"msg_2","callID":"c2","requestID":"req_2","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask","considered":[]}]}",
        "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_2","reply":{"reply":"once"},"by":"person"}",
        "call.running {"messageID":"msg_2","callID":"c2","tool":"change","input":{"text":"b"}}",
        "call.ended {"messageID":"msg_2","callID":"c2","outcome":"ok","output":"changed b","title":"","metadata":{"truncated":false}}",
      ],
      "c3": [
        "permission.decided {"messageID":"msg_3","callID":"c3","permission":"change","action":"deny","decisions":[{"pattern":"a","action":"ask","considered":[]}],"because":"refused-before"}",
        "call.ended {"messageID":"msg_3","callID":"c3","outcome":"denied","output":"The user has already refused exactly this in this turn, so it was not asked for again. They said: Use b.","title":""}",
      ],
      "turn": [
        "turn.started {"promptID":"msg_1"}",
        "turn.ended {"status":"idle"}",
      ],
    }
  `);

  const again = next(session, 'permission.asked', ({ callID }) => callID === 'c4');
  await session.prompt('Do a after all');
  session.answer((await again).requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
});

test('refused without a word: the turn ends at once, and nothing of the step runs any more', async () => {
  const { session, events, model } = await harness([
    [
      ...call('c1', 'change', { text: 'a' }),
      ...call('c2', 'change', { text: 'b' }),
      ...call('c3', 'pondered', { text: 'c' }),
      finish('tool-calls'),
    ],
  ]);
  const asked = next(session, 'permission.asked', ({ callID }) => callID === 'c2');
  await session.prompt('Change it');
  await asked;
  session.answer([...session.state.pending.keys()][0] ?? '', { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(order(events, 'permission.asked', 'permission.answered')).toEqual(['c1', 'c2', 'c1', 'c2']);
  expect(events.at(-1)?.type).toBe('turn.ended');
  expect(sideBySide(events)).toMatchInlineSnapshot(`
    {
      "c1": [
        "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
        "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"reject"},"by":"person"}",
        "call.ended {"messageID":"msg_2","callID":"c1","outcome":"denied","output":"The user refused this call.","title":""}",
      ],
      "c2": [
        "permission.asked {"messageID":"msg_2","callID":"c2","requestID":"req_2","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask","considered":[]}]}",
        "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_2","reply":{"reply":"reject"},"by":"cancelled"}",
        "call.ended {"messageID":"msg_2","callID":"c2","outcome":"cancelled","output":"Cancelled: the user refused another call of this step.","title":""}",
      ],
      "c3": [
        "call.ended {"messageID":"msg_2","callID":"c3","outcome":"cancelled","output":"Cancelled: the user refused another call of this step.","title":"","metadata":{"interrupted":true}}",
      ],
      "turn": [
        "turn.started {"promptID":"msg_1"}",
        "turn.ended {"status":"rejected"}",
      ],
    }
  `);
  expect(model.requests).toHaveLength(1);
});

test('stopped while a permission waits', async () => {
  const { session, events } = await harness([[...call('c1', 'change', { text: 'a' }), finish('tool-calls')]]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  const { requestID } = await asked;
  session.abort();
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('aborted');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
});

test('stopped between the answer and the start: the call does not run', async () => {
  const { session, events } = await harness([[...call('c1', 'change', { text: 'a' }), finish('tool-calls')]]);
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  session.answer((await asked).requestID, { reply: 'once' }, 'person');
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask","considered":[]}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"once"},"by":"person"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
});
