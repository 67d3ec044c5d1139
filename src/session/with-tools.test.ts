import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { harness, next, passing } from '../../test/support/session-harness.ts';
import { builtinTools } from '../tools/builtin.ts';
import type { Event } from './log/events.ts';

const files = { 'add.js': 'export const add = (a, b) => a - b;\nexport const name = "add";\n' };

const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? `${event.callID} ${event.outcome}` : []));

test('an agent reads, changes and runs: what it asks is what happens', async () => {
  const workspace = new MemoryWorkspace({
    files,
    shell: async ({ command, files, print }) => {
      print(command === 'cat add.js' ? new TextDecoder().decode(await files.read('add.js')) : '?\n');
      return 0;
    },
  });
  const { session, events, model, timer } = await harness(
    [
      [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
      [
        ...call('c2', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' }),
        ...call('c3', 'edit', { filePath: 'add.js', oldString: '"add"', newString: '"sum"' }),
        finish('tool-calls'),
      ],
      [...call('c4', 'bash', { command: 'cat add.js', description: 'Show it' }), finish('tool-calls')],
      [...say('Fixed.'), finish()],
    ],
    {
      tools: builtinTools,
      workspace,
      answerer: async () => ({ reply: 'once' }),
    },
  );
  await session.prompt('Fix add');
  expect(await passing(timer, 16, session.rested())).toBe('idle');
  expect(outcomes(events)).toEqual(['c1 ok', 'c2 ok', 'c3 ok', 'c4 ok']);
  const subjects = events.flatMap((event) => (event.type === 'permission.asked' ? event.subject : []));
  expect(subjects).toMatchObject([
    { kind: 'diff', diff: expect.stringContaining('+export const add = (a, b) => a + b;') },
    { kind: 'diff', diff: expect.stringContaining('+export const name = "sum";') },
    { kind: 'command', command: 'cat add.js' },
  ]);
  expect(JSON.stringify(model.requests[3]?.messages.at(-1))).toContain('a + b;\\nexport const name');
  const running = events.findIndex((event) => event.type === 'call.running' && event.callID === 'c2');
  const answered = events.findIndex((event) => event.type === 'permission.answered');
  expect(running).toBeGreaterThan(answered);
});

test('a refused edit changes nothing, and the edit that waited for the same file is cancelled', async () => {
  const workspace = new MemoryWorkspace({ files });
  const { session, events } = await harness(
    [
      [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
      [
        ...call('c2', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' }),
        ...call('c3', 'edit', { filePath: 'add.js', oldString: '"add"', newString: '"sum"' }),
        finish('tool-calls'),
      ],
    ],
    { tools: builtinTools, workspace },
  );
  const asked = next(session, 'permission.asked');
  await session.prompt('Fix add');
  session.answer((await asked).requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(outcomes(events)).toEqual(['c1 ok', 'c2 denied', 'c3 cancelled']);
  expect(new TextDecoder().decode(await workspace.files.read('add.js'))).toBe(files['add.js']);
});
