import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import { define } from '../../tools/define.ts';
import { change } from '../../../test/support/session-harness.ts';
import * as z from 'zod';

/** Asks in the same way as the real tool. */
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
      "permission.decided {"messageID":"msg_2","callID":"c1","permission":"edit","action":"allow","decisions":[{"pattern":"a","action":"allow","rule":{"permission":"edit","pattern":"*","action":"allow"},"source":"mode","considered":[{"permission":"edit","pattern":"*","action":"ask","source":"default"},{"permission":"edit","pattern":"*","action":"allow","source":"mode"}]}]}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"edit","input":{"path":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"edited a","title":"","metadata":{"truncated":false}}",
      "permission.asked {"messageID":"msg_3","callID":"c2","requestID":"req_1","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask","considered":[]}]}",
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

/** Asks in the same way as the real tool. */
const bash = define('bash', {
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  asksFirst: true,
  execute: async ({ command }, context) => {
    const subject = { kind: 'command' as const, command };
    await context.ask({ permission: 'bash', patterns: [command], always: ['git *'], subject });
    return `ran ${command}`;
  },
});

const bashTwice = [
  [...call('c1', 'bash', { command: 'git log' }), finish('tool-calls')],
  [...say('Done.'), finish()],
  [...call('c2', 'bash', { command: 'git diff' }), finish('tool-calls')],
  [...call('c3', 'bash', { command: 'git show' }), finish('tool-calls')],
  [...say('Done.'), finish()],
];

test('what was allowed outside the plan mode does not answer its asks; what was allowed in it does', async () => {
  const { session, rules, workspace } = await harness(bashTwice, { tools: [bash] });
  await rules.save(workspace.id, [{ permission: 'bash', pattern: '*', action: 'allow' }], 1);
  await rules.save('*', [{ permission: '*', pattern: '*', action: 'allow' }], 1);
  session.grant([{ permission: 'bash', pattern: '*', action: 'allow' }]);
  await session.rulesChanged();
  await session.prompt('Look');
  expect(await session.rested()).toBe('idle');

  await session.setMode('plan');
  const asked = next(session, 'permission.asked');
  await session.prompt('Plan');
  const { callID, requestID, decisions } = await asked;
  expect(callID).toBe('c2');
  expect(decisions).toMatchObject([{ action: 'ask', source: 'agent', strict: true }]);
  session.answer(requestID, { reply: 'session', patterns: ['git *'] }, 'person');
  expect(await session.rested()).toBe('idle');
});

test('a lasting yes to what an agent itself must ask for holds for the session only', async () => {
  const { session, rules, workspace, events } = await harness(bashTwice.slice(2), { tools: [bash] });
  await session.setMode('plan');
  const asked = next(session, 'permission.asked');
  await session.prompt('Plan');
  session.answer((await asked).requestID, { reply: 'everywhere', patterns: ['git *'] }, 'person');
  expect(await session.rested()).toBe('idle');
  expect(await rules.list(workspace.id)).toEqual([]);
  expect(await rules.list('*')).toEqual([]);
  expect(golden(events).filter((line) => /^(permission.answered|rules)/.test(line))).toMatchInlineSnapshot(`
    [
      "rules.granted {"rules":[{"permission":"bash","pattern":"git *","action":"allow","strict":true}]}",
      "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_1","reply":{"reply":"session","patterns":["git *"]},"by":"person"}",
    ]
  `);
});
