import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TestCall } from '../../test/support/tool-context.ts';
import { define, ready } from './define.ts';
import type { ToolReturn } from './tool.ts';

const parameters = z.object({ path: z.string(), limit: z.coerce.number().default(10) });
const returning = (result: ToolReturn) =>
  define('probe', { description: 'd', parameters: z.object({}), execute: async () => result });

describe('arguments', () => {
  test('are parsed: defaults and coercions applied', async () => {
    const seen: unknown[] = [];
    const tool = define('probe', {
      description: 'd',
      parameters,
      execute: async (input) => {
        seen.push(input);
        return 'ok';
      },
    });
    await new TestCall().run(tool, { path: 'a', limit: '5' });
    await new TestCall().run(tool, { path: 'a' });
    await new TestCall().run(tool, { path: 'a', limit: null, junk: 1 });
    expect(seen).toEqual([
      { path: 'a', limit: 5 },
      { path: 'a', limit: 10 },
      { path: 'a', limit: 0 },
    ]);
  });

  test('null counts as absent for optional arguments', async () => {
    const tool = define('probe', {
      description: 'd',
      parameters: z.object({ path: z.string().optional() }),
      execute: async (input) => JSON.stringify(input),
    });
    expect((await new TestCall().run(tool, { path: null })).output).toBe('{}');
  });

  test('that are invalid get our error text, with at most 200 characters of them', async () => {
    const tool = await ready(define('probe', { description: 'd', parameters, execute: async () => '' }), {
      agent: 'build',
    });
    const answer = tool.parse({ path: 5, content: 'x'.repeat(1_000_000) });
    if (answer.ok) throw new Error('was taken');
    expect(answer.message).toContain('The probe tool was called with invalid arguments:');
    expect(answer.message).toContain('- path: Invalid input: expected string, received number');
    expect(answer.message).toContain('Call it again with arguments that match its schema.');
    expect(answer.message.match(/x+/g)?.join('').length).toBeLessThanOrEqual(200);
    expect(tool.parse({ path: 'a', limit: 'many' })).toMatchObject({
      message: expect.stringContaining('- limit: Invalid input: expected number, received string\n'),
    });
    expect(tool.parse({ path: 'a', limit: { of: 1 } })).toMatchObject({
      message: expect.stringContaining('- limit: Invalid input: expected number, received object\n'),
    });
    expect(tool.parse('nonsense')).toMatchObject({ ok: false });
    expect(tool.parse(null)).toMatchObject({ ok: false });
  });

  test('may get an error text of the tool', async () => {
    const tool = define('probe', {
      description: 'd',
      parameters,
      execute: async () => '',
      formatValidationError: (error) => `own words, ${error.issues.length}`,
    });
    await expect(new TestCall().run(tool, {})).rejects.toThrow('own words, 1');
  });
});

describe('results', () => {
  test.each<[string, ToolReturn, string]>([
    ['a string', 'text', 'text'],
    ['a number', 42, '42'],
    ['a boolean', false, 'false'],
    ['null', null, 'null'],
    ['a list', [1, 2], '[\n  1,\n  2\n]'],
    ['an object', { a: 1 }, '{\n  "a": 1\n}'],
    ['an object with an output that is no text', { output: 1 }, '{\n  "output": 1\n}'],
    ['a result', { output: 'text' }, 'text'],
  ])('%s', async (_, returned, output) => {
    expect(await new TestCall().run(returning(returned), {})).toEqual({
      title: '',
      output,
      metadata: { truncated: false },
      attachments: [],
    });
  });

  test('title, metadata and attachments are kept', async () => {
    const bytes = new Uint8Array([1]);
    const whole = {
      title: 't',
      output: 'o',
      metadata: { a: 1 },
      attachments: [{ mediaType: 'image/png', bytes }],
    };
    expect(await new TestCall().run(returning(whole), {})).toEqual({
      ...whole,
      metadata: { a: 1, truncated: false },
    });
  });

  test('a long output is cut, unless the tool says that it did so itself', async () => {
    const long = 'line\n'.repeat(3000);
    const call = new TestCall();
    const cut = await call.run(returning(long), {});
    expect(cut.metadata).toMatchObject({ truncated: true, outputPath: cut.fullOutput?.path });
    for (const truncated of [true, false]) {
      const result = await call.run(returning({ output: long, metadata: { truncated } }), {});
      expect(result.output).toBe(long);
      expect(result.metadata).toEqual({ truncated });
    }
  });
});

test('a definition may be made for the agent that calls', async () => {
  const tool = define('probe', async ({ agent }) => ({
    description: `for ${agent}`,
    parameters: z.object({ a: z.string().describe('first'), b: z.number().default(3) }),
    readOnly: true,
    execute: async () => '',
  }));
  const made = await ready(tool, { agent: 'plan' });
  expect(made).toMatchObject({ id: 'probe', description: 'for plan', readOnly: true });
  expect(made.schema).toEqual({
    type: 'object',
    properties: { a: { type: 'string', description: 'first' }, b: { type: 'number', default: 3 } },
    required: ['a'],
  });
});

test('every form of metadata and ask is normalized', async () => {
  const call = new TestCall();
  const tool = define('deploy', {
    description: 'd',
    parameters: z.object({}),
    execute: async (_, context) => {
      context.metadata({ title: 'Deploying', metadata: { a: 1 } });
      context.metadata({ progress: 50 });
      context.metadata({ metadata: { a: 1 }, cacheHit: true });
      const yes = [
        await context.ask({
          permission: 'deploy',
          patterns: ['eu'],
          always: ['*'],
          metadata: { command: 'go' },
        }),
        await context.ask({ permission: 'deploy', patterns: ['f'], metadata: { filepath: 'f', diff: '-a' } }),
        await context.ask({ tool: 'deploy', action: 'push', params: { to: 'eu' } }),
      ];
      context.output('live');
      return yes.join();
    },
  });
  expect((await call.run(tool, {})).output).toBe('true,true,true');
  expect(call.progress).toEqual([
    { title: 'Deploying', metadata: { a: 1 } },
    { metadata: { progress: 50 } },
    { metadata: { a: 1, cacheHit: true } },
  ]);
  expect(call.asks).toEqual([
    { permission: 'deploy', patterns: ['eu'], always: ['*'], subject: { kind: 'command', command: 'go' } },
    { permission: 'deploy', patterns: ['f'], always: [], subject: { kind: 'diff', path: 'f', diff: '-a' } },
    {
      permission: 'deploy',
      patterns: ['push'],
      always: ['push'],
      subject: { kind: 'input', input: { to: 'eu' } },
    },
  ]);
  expect(call.live).toBe('live');
});

test('the context has every field of the accepted forms', async () => {
  let fields: string[] = [];
  const tool = define('probe', {
    description: 'd',
    parameters: z.object({}),
    execute: async (_, context) => {
      fields = Object.keys(context);
      return '';
    },
  });
  await new TestCall().run(tool, {});
  expect(fields).toEqual(
    expect.arrayContaining(
      'sessionID messageID agent abort callID extra model directory worktree metadata ask'.split(' '),
    ),
  );
});
