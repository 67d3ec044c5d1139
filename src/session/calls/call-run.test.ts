import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { define } from '../../tools/define.ts';
import type { ToolContext, ToolDefinition } from '../../tools/tool.ts';

const text = z.object({ text: z.string().default('') });

/** A tool that needs no permission and does what the test says. */
function tool(
  execute: (text: string, context: ToolContext) => ReturnType<ToolDefinition['execute']>,
  options: { readOnly?: boolean } = { readOnly: true },
) {
  return define('it', {
    description: 'It.',
    parameters: text,
    ...options,
    execute: ({ text }, context) => execute(text, context),
  });
}

const oneCall = [
  [...call('c1', 'it', { text: 'a' }), finish('tool-calls')],
  [...say('Done.'), finish()],
];

test('live metadata is merged in both of its forms, and output comes before the result', async () => {
  const { session, events } = await harness(oneCall, {
    tools: [
      tool(async (_, context) => {
        context.metadata({ progress: 50 });
        context.metadata({ title: 'Half', metadata: { lines: 3 } });
        context.output('one ');
        context.output('two');
        return { title: 'All', output: 'done', metadata: { exitCode: 0 } };
      }),
    ],
  });
  await session.prompt('Go');
  await session.rested();
  const types = events.map(({ type }) => type).filter((type) => type.startsWith('call'));
  expect(types).toEqual(['call.running', 'call.progress', 'call.output', 'call.ended']);
  const part = [...session.state.parts.values()].find(({ type }) => type === 'tool');
  expect(part).toMatchObject({ title: 'All', metadata: { progress: 50, lines: 3, exitCode: 0 } });
});

test('a lot of live output goes into a blob, and its end into the event', async () => {
  const lots = 'x'.repeat(100_000) + 'the end';
  const { session, events, store } = await harness(oneCall, {
    tools: [
      tool(async (_, context) => {
        context.output(lots);
        return 'done';
      }),
    ],
  });
  await session.prompt('Go');
  await session.rested();
  const output = events.find((event) => event.type === 'call.output');
  expect(output).toMatchObject({ text: expect.stringMatching(/the end$/) });
  if (output?.type !== 'call.output') throw new Error('No output.');
  expect(new TextEncoder().encode(output.text).length).toBeLessThanOrEqual(64_000);
  expect(new TextDecoder().decode(await store.blobs.get(output.blob ?? ''))).toBe(lots);
});

test('what changes something starts when that is on disk, and ends when its writes are', async () => {
  const workspace = new MemoryWorkspace();
  const order: string[] = [];
  const changing = tool(
    async () => {
      const stored = await store.events(session.id, 0);
      order.push(`ran, ${stored.at(-1)?.type} stored`);
      return 'done';
    },
    { readOnly: false },
  );
  const { session, store } = await harness(oneCall, { tools: [changing], workspace });
  session.onEvents((events) => {
    if (events.some(({ type }) => type === 'call.ended')) order.push(`ended, durable ${workspace.durables}`);
  });
  await session.prompt('Go');
  await session.rested();
  expect(order).toEqual(['ran, call.running stored', 'ended, durable 1']);
});

test('a result whose writes could not be kept is a failure that still says what ran', async () => {
  const workspace = new MemoryWorkspace();
  workspace.durable = () => Promise.reject(new Error('The workspace is gone.'));
  const { session, events } = await harness(oneCall, {
    tools: [tool(async () => 'wrote it', { readOnly: false })],
    workspace,
  });
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(events.find((event) => event.type === 'call.ended')).toMatchObject({
    outcome: 'failed',
    output: 'wrote it\n\n[It ran, but what it wrote may be lost: The workspace is gone.]',
  });
});

test('a result is shown and sent only when it is on disk', async () => {
  const { session, store, model } = await harness(oneCall, { tools: [tool(async () => 'done')] });
  const seen: Promise<boolean>[] = [];
  session.onEvents((events) => {
    for (const { type, seq } of events)
      if (type === 'call.ended')
        seen.push(store.events(session.id, 0).then((stored) => stored.some((event) => event.seq === seq)));
  });
  await session.prompt('Go');
  await session.rested();
  expect(await Promise.all(seen)).toEqual([true]);
  expect(model.requests).toHaveLength(2);
});

test.each([
  ['an error', () => Promise.reject(new Error('It broke.')), 'It broke.'],
  ['something that is no error', () => Promise.reject('just text'), 'just text'],
] as const)('a tool that throws %s fails its call, with what it had printed', async (_, fail, expected) => {
  const { session, events } = await harness(oneCall, {
    tools: [
      tool((_, context) => {
        context.output('before\n');
        return fail();
      }),
    ],
  });
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  const ended = events.find((event) => event.type === 'call.ended');
  expect(ended).toMatchObject({ outcome: 'failed', output: `before\n\n[${expected}]` });
});

test('a tool that returns what is no result fails its call, beside others that run on', async () => {
  const broken = { mediaType: 'image/png', bytes: JSON.parse('"text"') };
  const { session, events } = await harness(
    [
      [...call('c1', 'it', { text: 'bad' }), ...call('c2', 'it', { text: 'good' }), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    {
      tools: [tool(async (text) => ({ output: text, attachments: text === 'bad' ? [broken] : [] }))],
    },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(
    events.flatMap((event) => (event.type === 'call.ended' ? `${event.callID} ${event.outcome}` : [])).sort(),
  ).toEqual(['c1 failed', 'c2 ok']);
});

test('calls that hold the same path take turns; others do not wait', async () => {
  const order: string[] = [];
  const locking = tool(async (text, context) => {
    const release = await context.lock(`/home/project/${text}`);
    order.push(`${context.callID} has ${text}`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${context.callID} ends`);
    if (context.callID === 'c1') release();
    return text;
  });
  const { session } = await harness(
    [
      [
        ...call('c1', 'it', { text: 'a' }),
        ...call('c2', 'it', { text: 'a' }),
        ...call('c3', 'it', { text: 'b' }),
        ...call('c4', 'it', { text: 'a' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    { tools: [locking] },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(order.filter((line) => !line.startsWith('c3'))).toEqual([
    'c1 has a',
    'c1 ends',
    'c2 has a',
    'c2 ends',
    'c4 has a',
    'c4 ends',
  ]);
  expect(order.indexOf('c3 has b')).toBeLessThan(order.indexOf('c1 ends'));
});

test('calls that each hold a path of their own ask in the order of the calls', async () => {
  const writing = define('it', {
    description: 'It.',
    parameters: text,
    asksFirst: true,
    async execute({ text }, context) {
      const release = await context.lock(`/home/project/${text}`);
      // The first call has the most to read before it can ask.
      for (let more = text === 'a' ? 5 : 0; more > 0; more--)
        await new Promise((resolve) => setImmediate(resolve));
      await context.ask({ permission: 'it', patterns: [text], always: [], metadata: {} });
      release();
      return text;
    },
  });
  const { session, events } = await harness(
    [
      [
        ...call('c1', 'it', { text: 'a' }),
        ...call('c2', 'it', { text: 'b' }),
        ...call('c3', 'it', { text: 'a' }),
        ...call('c4', 'it', { text: 'c' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    { tools: [writing], answerer: async () => ({ reply: 'once' }) },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  const asked = events.flatMap((event) => (event.type === 'permission.asked' ? event.callID : []));
  expect(asked.filter((callID) => callID !== 'c3')).toEqual(['c1', 'c2', 'c4']);
  // The call for the same path asks as well, once the one before it has let go.
  expect(asked).toContain('c3');
});

test('a stopped call lets go of its path', async () => {
  let held = 0;
  let tell = () => {};
  const first = new Promise<void>((resolve) => (tell = resolve));
  const locking = tool(async (_, context) => {
    await context.lock('/home/project/a');
    tell();
    return ++held === 1 ? new Promise<string>(() => undefined) : 'got it';
  });
  const { session, events } = await harness([...oneCall.slice(0, 1), ...oneCall], { tools: [locking] });
  await session.prompt('Go');
  await first;
  session.abort();
  await session.rested();
  await session.prompt('Again');
  expect(await session.rested()).toBe('idle');
  expect(events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual([
    'cancelled',
    'ok',
  ]);
});
