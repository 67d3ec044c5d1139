import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { echo, harness, next } from '../../../test/support/session-harness.ts';
import { hashText } from '../../base/hash.ts';

test('text only', async () => {
  const { session, events } = await harness([[...say('Hello there.'), finish()]]);
  await session.prompt('Hi');
  expect(await session.rested()).toBe('idle');
  expect(golden(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Hi","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "step.sent msg_2",
      "msg_2 · start {"warnings":[]}",
      "msg_2 · text-start {"id":"t"}",
      "msg_2 · text-delta {"id":"t","text":"Hello there."}",
      "msg_2 · text-end {"id":"t"}",
      "msg_2 · finish {"reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "step.ended {"messageID":"msg_2","reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('one tool', async () => {
  const { session, events, model } = await harness([
    [...say('Let me see.'), ...call('c1', 'echo', { text: 'one' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  await session.prompt('Do it');
  expect(await session.rested()).toBe('idle');
  expect(golden(events)).toMatchInlineSnapshot(`
    [
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Do it","agent":"build","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
      "step.sent msg_2",
      "msg_2 · start {"warnings":[]}",
      "msg_2 · text-start {"id":"t"}",
      "msg_2 · text-delta {"id":"t","text":"Let me see."}",
      "msg_2 · text-end {"id":"t"}",
      "msg_2 · tool-input-start {"callID":"c1","tool":"echo"}",
      "msg_2 · tool-input-delta {"callID":"c1","delta":"{\\"text\\":\\"one\\"}"}",
      "msg_2 · tool-input-end {"callID":"c1"}",
      "msg_2 · tool-call {"callID":"c1","tool":"echo","input":{"text":"one"}}",
      "msg_2 · finish {"reason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5}}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"echo","input":{"text":"one"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"one","title":"echo one","metadata":{"truncated":false}}",
      "step.ended {"messageID":"msg_2","reason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5}}",
      "step.started {"messageID":"msg_3","parentID":"msg_2","step":1,"base":"msg_2","appended":2}",
      "step.sent msg_3",
      "msg_3 · start {"warnings":[]}",
      "msg_3 · text-start {"id":"t"}",
      "msg_3 · text-delta {"id":"t","text":"Done."}",
      "msg_3 · text-end {"id":"t"}",
      "msg_3 · finish {"reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "step.ended {"messageID":"msg_3","reason":"stop","usage":{"inputTokens":10,"outputTokens":5}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(model.requests[1]?.messages).toMatchInlineSnapshot(`
    [
      {
        "content": "Do it",
        "role": "user",
      },
      {
        "content": [
          {
            "text": "Let me see.",
            "type": "text",
          },
          {
            "input": {
              "text": "one",
            },
            "toolCallId": "c1",
            "toolName": "echo",
            "type": "tool-call",
          },
        ],
        "role": "assistant",
      },
      {
        "content": [
          {
            "output": {
              "type": "text",
              "value": "one",
            },
            "toolCallId": "c1",
            "toolName": "echo",
            "type": "tool-result",
          },
        ],
        "role": "tool",
      },
    ]
  `);
});

test('parallel calls start in message order and end as they end', async () => {
  const { session, events, model } = await harness([
    [
      ...call('c1', 'change', { text: 'slow' }),
      ...call('c2', 'echo', { text: 'two' }),
      ...call('c3', 'echo', {}),
      finish('tool-calls'),
    ],
    [...say('Done.'), finish()],
  ]);
  const asked = next(session, 'permission.asked');
  const echoed = next(session, 'call.ended', ({ callID }) => callID === 'c3');
  await session.prompt('Do it');
  const { requestID } = await asked;
  await echoed;
  session.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  expect(calls(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "permission.asked {"messageID":"msg_2","callID":"c1","requestID":"req_1","tool":"change","permission":"change","patterns":["slow"],"always":["*"],"subject":{"kind":"input","input":{"text":"slow"}},"decisions":[{"pattern":"slow","action":"ask","considered":[]}]}",
      "call.running {"messageID":"msg_2","callID":"c2","tool":"echo","input":{"text":"two"}}",
      "call.running {"messageID":"msg_2","callID":"c3","tool":"echo","input":{"text":"nothing"}}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"ok","output":"two","title":"echo two","metadata":{"truncated":false}}",
      "call.ended {"messageID":"msg_2","callID":"c3","outcome":"ok","output":"nothing","title":"echo nothing","metadata":{"truncated":false}}",
      "permission.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","reply":{"reply":"once"},"by":"person"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"change","input":{"text":"slow"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"changed slow","title":"","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  // Results go to the model in message order, whatever order they arrived in.
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: [{ toolCallId: 'c1' }, { toolCallId: 'c2' }, { toolCallId: 'c3' }],
  });
});

test('arguments reach the tool parsed, and bad ones are answered with our own short text', async () => {
  const { session, events } = await harness(
    [
      [
        ...call('c1', 'echo', { text: 'x'.repeat(100_000), more: 1 }),
        ...call('c2', 'echo', { text: { nested: 'y'.repeat(100_000) } }),
        ...call('c3', 'Echo', { text: 'other case' }),
        ...call('c4', 'nothing-of-the-kind', { text: 'z'.repeat(100_000) }),
        {
          type: 'tool-call',
          callID: 'c5',
          tool: 'echo',
          input: '{"text": "cut' + 'w'.repeat(100_000),
          invalid: { reason: 'bad-json', message: 'Unexpected end of JSON input' },
        },
        { type: 'tool-input-start', callID: 'c6', tool: 'echo' },
        { type: 'tool-input-delta', callID: 'c6', delta: '{"te' },
        finish('tool-calls'),
      ],
      [...say('Sorry.'), finish()],
    ],
    { tools: [echo] },
  );
  await session.prompt('Do it');
  await session.rested();
  const ended = events.flatMap((event) => (event.type === 'call.ended' ? event : []));
  expect(ended.map(({ callID, outcome }) => `${callID} ${outcome}`).sort()).toEqual([
    'c1 ok',
    'c2 invalid',
    'c3 ok',
    'c4 invalid',
    'c5 invalid',
    'c6 invalid',
  ]);
  for (const { callID, outcome, output } of ended)
    if (outcome === 'invalid') expect(output.length, callID).toBeLessThan(600);
  expect(ended.find(({ callID }) => callID === 'c4')?.output).toContain('The tools are: echo');
});

test('a request says only what it adds to the one before, also after the session was opened again', async () => {
  const { session, sessions, model, store } = await harness([
    [...call('c1', 'echo', {}), finish('tool-calls')],
    [...say('One.'), finish()],
    [...say('Two.'), finish()],
  ]);
  await session.prompt('First');
  await session.rested();
  await sessions.close(session.id);
  const again = await sessions.open(session.id);
  await again.prompt('Second');
  await again.rested();
  const steps = (await store.events(session.id, 0)).flatMap((event) =>
    event.type === 'step.started' ? event : [],
  );
  expect(steps.map(({ request }) => [request.base, request.append.length])).toEqual([
    [null, 1],
    [steps[0]?.messageID, 1],
    [steps[1]?.messageID, 1],
  ]);
  const packs = steps.flatMap(({ request }) => request.append);
  const texts = packs.map((pack) => (typeof pack === 'string' ? '' : (pack.text ?? '')));
  expect(packs).toEqual(texts.map((text, n) => ({ hash: hashText(text), messages: n === 0 ? 1 : 2, text })));
  expect(texts.flatMap((text) => JSON.parse(text))).toEqual(model.requests[2]?.messages);
});

test('what a step adds to its request is a blob where it is long', async () => {
  const { session, model, store } = await harness([[...say('One.'), finish()]]);
  await session.prompt('x'.repeat(10_000));
  await session.rested();
  const [step] = (await store.events(session.id, 0)).filter((event) => event.type === 'step.started');
  const [pack] = step?.request.append ?? [];
  if (typeof pack !== 'object') throw new Error('No pack.');
  expect(pack.text).toBeUndefined();
  const bytes = await store.blobs.get(pack.hash);
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(model.requests[0]?.messages);
});

/** Lines about calls and turns only. */
function calls(lines: readonly string[]): string[] {
  return lines.filter((line) => /^(call|permission|rules|turn)/.test(line));
}
