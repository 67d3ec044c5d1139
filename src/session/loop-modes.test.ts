import { expect, test } from 'vitest';
import { golden } from '../../test/support/golden.ts';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { harness, next } from '../../test/support/session-harness.ts';
import { define } from '../tools/define.ts';
import { change } from '../../test/support/session-harness.ts';
import * as z from 'zod';

/** Asks as the real one does. */
const edit = define('edit', {
  description: 'Changes a file.',
  parameters: z.object({ path: z.string() }),
  asksFirst: true,
  execute: async ({ path }, context) => {
    await context.ask({
      permission: 'edit',
      patterns: [path],
      always: ['*'],
      subject: { kind: 'path', path },
    });
    return `edited ${path}`;
  },
});

const tools = [change, edit];

test('a mode is in the log, lasts, and its answers say so', async () => {
  const over = await harness(
    [
      [...call('c1', 'edit', { path: 'a' }), finish('tool-calls')],
      [...call('c2', 'change', { text: 'b' }), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { tools },
  );
  const { session, sessions, events } = over;
  await session.setMode('auto-edit');
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  expect((await asked).callID).toBe('c2');
  await session.setMode('bypass');
  expect(await session.rested()).toBe('idle');
  expect(golden(events).filter((line) => /^(mode|permission|call)/.test(line))).toMatchInlineSnapshot(`
    [
      "mode.set {"mode":"auto-edit"}",
      "permission.decided {"messageID":"msg_2","callID":"c1","permission":"edit","action":"allow","decisions":[{"pattern":"a","action":"allow","rule":{"permission":"edit","pattern":"*","action":"allow"},"source":"mode"}]}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"edit","input":{"path":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"edited a","title":"","metadata":{"truncated":false}}",
      "permission.asked {"messageID":"msg_3","callID":"c2","requestID":"req_1","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask"}]}",
      "mode.set {"mode":"bypass"}",
      "permission.answered {"messageID":"msg_3","callID":"c2","requestID":"req_1","reply":{"reply":"once"},"by":"policy"}",
      "call.running {"messageID":"msg_3","callID":"c2","tool":"change","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_3","callID":"c2","outcome":"ok","output":"changed b","title":"","metadata":{"truncated":false}}",
    ]
  `);
  await sessions.close(session.id);
  const reopened = await sessions.open(session.id);
  expect(reopened.state.mode).toBe('bypass');
});

test('plan: prompts go to the agent that changes nothing, and what runs changes nothing from there on', async () => {
  const { session, events } = await harness(
    [
      [...call('c1', 'edit', { path: 'a' }), finish('tool-calls')],
      [...call('c2', 'edit', { path: 'b' }), finish('tool-calls')],
      [...say('Planned.'), finish()],
      [...say('Planned again.'), finish()],
    ],
    { tools, settings: { edit: 'ask' } },
  );
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it');
  const { requestID } = await asked;
  await session.setMode('plan');
  session.answer(requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
  const ended = events.flatMap((event) => (event.type === 'call.ended' ? event : []));
  expect(ended.map(({ callID, outcome }) => [callID, outcome])).toEqual([
    ['c1', 'denied'],
    ['c2', 'denied'],
  ]);
  await session.prompt('Plan it');
  expect(await session.rested()).toBe('idle');
  const agents = events.flatMap((event) => (event.type === 'prompt.accepted' ? event.agent : []));
  expect(agents).toEqual(['build', 'plan']);
});

test('bypass reaches no agent that changes nothing', async () => {
  const { session } = await harness(
    [
      [...call('c1', 'change', { text: 'a' }), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { tools },
  );
  await session.setMode('bypass');
  const asked = next(session, 'permission.asked');
  await session.prompt('Change it', { agent: 'plan' });
  session.answer((await asked).requestID, { reply: 'once' }, 'person');
  expect(await session.rested()).toBe('idle');
});
