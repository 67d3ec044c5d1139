import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { golden } from '../../../test/support/golden.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say, type PartsStep } from '../../../test/support/parts-model.ts';
import { echo, harness } from '../../../test/support/session-harness.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { define } from '../../tools/define.ts';
import type { Event } from '../log/events.ts';

const lines = (events: readonly Event[]) =>
  golden(events).filter((line) => /^(call|permission|turn)\./.test(line));
const done: PartsStep = [...say('Done.'), finish()];

test('an unknown tool: answered under the name that the model used, and the turn goes on', async () => {
  const { session, events, model } = await harness(
    [[...call('c1', 'Grepp', { pattern: 'x' }), finish('tool-calls')], done],
    { tools: [echo] },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"invalid","output":"There is no tool named 'Grepp'. The tools are: echo. Call one of these.","title":""}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: [{ toolName: 'Grepp', toolCallId: 'c1', output: { type: 'error-text' } }],
  });
});

test('invalid arguments twice, then right ones', async () => {
  const { session, events } = await harness(
    [
      [...call('c1', 'echo', { text: 1 }), finish('tool-calls')],
      [...call('c2', 'echo', { text: [] }), finish('tool-calls')],
      [...call('c3', 'echo', { text: 'right' }), finish('tool-calls')],
      done,
    ],
    { tools: [echo] },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(lines(events)).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"invalid","output":"The echo tool was called with invalid arguments:\\n- text: Invalid input: expected string, received number\\nIt was given: {\\"text\\":1}\\nCall it again with arguments that match its schema.","title":""}",
      "call.ended {"messageID":"msg_3","callID":"c2","outcome":"invalid","output":"The echo tool was called with invalid arguments:\\n- text: Invalid input: expected string, received array\\nIt was given: {\\"text\\":[]}\\nCall it again with arguments that match its schema.","title":""}",
      "call.running {"messageID":"msg_4","callID":"c3","tool":"echo","input":{"text":"right"}}",
      "call.ended {"messageID":"msg_4","callID":"c3","outcome":"ok","output":"right","title":"echo right","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
});

test('arguments go back to the model as it wrote them, not as the tool got them', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'a\n' } });
  const { session, events, model } = await harness(
    [[...call('c1', 'read', { filePath: 'a.txt' }), ...call('c2', 'echo', {}), finish('tool-calls')], done],
    {
      workspace,
      tools: [echo, ...builtinTools.map(({ filter: _, ...tool }) => tool).filter(({ id }) => id === 'read')],
      hooks: [
        {
          'tool.execute.before': ({ tool }, change) => {
            if (tool === 'echo') change.args = { text: 'changed by a hook' };
          },
        },
      ],
    },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  const content = model.requests[1]?.messages[1]?.content;
  expect(content).toHaveProperty('0.input', { filePath: 'a.txt' });
  expect(content).toHaveProperty('1.input', {});
  const ran = events.flatMap((event) =>
    event.type === 'call.running' && event.messageID === 'msg_2' ? [[event.callID, event.input]] : [],
  );
  expect(Object.fromEntries(ran)).toEqual({
    c1: { filePath: 'a.txt', offset: 1, limit: 2000, column: 1 },
    c2: { text: 'changed by a hook' },
  });
});

test('a patch whose third file fails: nothing is asked, nothing is changed', async () => {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
  const workspace = new MemoryWorkspace({ files });
  const patchText = [
    '*** Begin Patch',
    '*** Update File: a.txt',
    '@@',
    '-a',
    '+A',
    '*** Delete File: b.txt',
    '*** Update File: c.txt',
    '@@',
    '-not there',
    '+C',
    '*** End Patch',
  ].join('\n');
  const reads = Object.keys(files).flatMap((filePath, n) => call(`r${n}`, 'read', { filePath }));
  const { session, events } = await harness(
    [
      [...reads, finish('tool-calls')],
      [...call('c1', 'apply_patch', { patchText }), finish('tool-calls')],
      done,
    ],
    {
      workspace,
      tools: builtinTools.map(({ filter: _, ...tool }) => tool).filter(({ id }) => id !== 'batch'),
    },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(lines(events).filter((line) => !line.includes('"callID":"r'))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "call.ended {"messageID":"msg_3","callID":"c1","outcome":"failed","output":"These lines were not found in c.txt, in this order:\\n  not there\\nNothing was changed in any file. Read the file and write the whole patch again with the lines as they are there.","title":"","faultCode":"no-match"}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  for (const [path, text] of Object.entries(files)) expect(workspace.files.text(path)).toBe(text);
});

test('however many calls run at once, each listens for the stop by itself, and none once it has ended', async () => {
  const CALLS = 20;
  const signals: AbortSignal[] = [];
  const listeners: number[] = [];
  let allRun = () => {};
  const running = new Promise<void>((resolve) => (allRun = resolve));
  const gather = define('gather', {
    description: 'Waits for the others.',
    parameters: z.object({ index: z.number() }),
    async execute(_, { abort }) {
      signals.push(abort);
      if (signals.length === CALLS) allRun();
      await running;
      listeners.push(getEventListeners(abort, 'abort').length);
      return { title: '', output: 'there' };
    },
  });
  const calls = Array.from({ length: CALLS }, (_, index) => call(`c${index}`, 'gather', { index })).flat();
  const { session } = await harness([[...calls, finish('tool-calls')], done], { tools: [gather] });
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(listeners).toHaveLength(CALLS);
  expect(Math.max(...listeners)).toBeLessThan(5);
  expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});
