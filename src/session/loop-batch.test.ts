import { expect, test } from 'vitest';
import { golden } from '../../test/support/golden.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../test/support/parts-model.ts';
import {
  harness,
  next,
  passing,
  testTools,
  type HarnessOptions,
} from '../../test/support/session-harness.ts';
import type { Answerer } from '../permissions/types.ts';
import { batchTool } from '../tools/batch/tool.ts';
import { builtinTools } from '../tools/builtin.ts';
import type { Json } from '../base/json.ts';
import type { Event } from './events.ts';
import { emptyState, reduce } from './reduce.ts';

const flags = new Set(['experimental.batch_tool']);
const batch = (tools: Json, atomic = false) => [
  [...call('c1', 'batch', { tools, ...(atomic && { atomic }) }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const withTestTools: HarnessOptions = { tools: [...testTools, batchTool], flags };
const yes: Answerer = async () => ({ reply: 'once' });

const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? `${event.callID} ${event.outcome}` : [])).sort();
const output = (events: readonly Event[], callID: string) =>
  events.find((event) => event.type === 'call.ended' && event.callID === callID);
const calls = (events: readonly Event[]) =>
  golden(events).filter((line) => /^(call|permission)\./.test(line));

test('a batch with one invalid call: each call has its own part, the model is told one result', async () => {
  const { session, events, model } = await harness(
    batch([
      { tool: 'echo', args: { text: 'a' } },
      { tool: 'nothing', args: {} },
      { tool: 'change', args: { text: 'b' } },
    ]),
    { ...withTestTools, answerer: yes },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(calls(events)).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_2","callID":"c1","tool":"batch","input":{"tools":[{"tool":"echo","args":{"text":"a"}},{"tool":"nothing","args":{}},{"tool":"change","args":{"text":"b"}}],"atomic":false}}",
      "call.added {"messageID":"msg_2","callID":"c1.1","parent":"c1","tool":"echo","input":{"text":"a"}}",
      "call.added {"messageID":"msg_2","callID":"c1.2","parent":"c1","tool":"nothing","input":{}}",
      "call.added {"messageID":"msg_2","callID":"c1.3","parent":"c1","tool":"change","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.2","outcome":"invalid","output":"There is no tool named 'nothing'. The tools are: echo, change, pondered, endless, batch. Call one of these.","title":""}",
      "call.running {"messageID":"msg_2","callID":"c1.1","tool":"echo","input":{"text":"a"}}",
      "permission.asked {"messageID":"msg_2","callID":"c1.3","requestID":"req_1","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask"}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1.3","requestID":"req_1","reply":{"reply":"once"},"by":"automation"}",
      "call.ended {"messageID":"msg_2","callID":"c1.1","outcome":"ok","output":"a","title":"echo a","metadata":{"truncated":false}}",
      "call.running {"messageID":"msg_2","callID":"c1.3","tool":"change","input":{"text":"b"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.3","outcome":"ok","output":"changed b","title":"","metadata":{"truncated":false}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"2 of 3 calls succeeded.\\n\\n[1] echo: ok\\na\\n\\n[2] nothing: invalid\\nThere is no tool named 'nothing'. The tools are: echo, change, pondered, endless, batch. Call one of these.\\n\\n[3] change: ok\\nchanged b","title":"3 calls","metadata":{"total":3,"succeeded":2,"failed":1,"details":[{"callID":"c1.1","tool":"echo","outcome":"ok"},{"callID":"c1.2","tool":"nothing","outcome":"invalid"},{"callID":"c1.3","tool":"change","outcome":"ok"}],"truncated":false}}",
    ]
  `);
  const { messages } = model.requests[1]!;
  expect(JSON.stringify(messages.at(-2))).not.toContain('c1.1');
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: [{ toolCallId: 'c1' }] });
  expect(JSON.stringify(messages.at(-1))).toContain('2 of 3 calls succeeded.');
  const parts = [...session.state.parts.values()].flatMap((part) =>
    part.type === 'tool' ? [[part.callID, part.parent, part.outcome]] : [],
  );
  expect(parts).toHaveLength(4);
  expect(parts).toContainEqual(['c1.3', 'c1', 'ok']);
});

test('asks of a batch come in the order of its calls, before those of the call after it', async () => {
  const { session, events } = await harness(
    [
      [
        ...call('c1', 'batch', {
          tools: [
            { tool: 'pondered', args: { text: 'a' } },
            { tool: 'change', args: { text: 'b' } },
          ],
        }),
        ...call('c2', 'change', { text: 'c' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    withTestTools,
  );
  const third = next(session, 'permission.asked', () => session.state.pending.size === 3);
  await session.prompt('Go');
  await third;
  expect(session.state.messages.get('msg_2')?.partKeys).toEqual([
    'msg_2/tool/c1',
    'msg_2/tool/c1.1',
    'msg_2/tool/c1.2',
    'msg_2/tool/c2',
  ]);
  const waiting = [...session.state.pending.values()];
  for (const { id } of waiting) session.answer(id, { reply: 'once' }, 'person');
  await session.rested();
  expect(waiting.slice(1).map(({ callID }) => callID)).toEqual(
    waiting
      .slice(1)
      .map(({ callID }) => callID)
      .toSorted(),
  );
  expect(outcomes(events)).toEqual(['c1 ok', 'c1.1 ok', 'c1.2 ok', 'c2 ok']);
});

test('one denied call of a batch fails alone; denied without a word it ends the turn', async () => {
  const tools = [
    { tool: 'change', args: { text: 'a' } },
    { tool: 'echo', args: {} },
  ];
  const told = await harness(batch(tools), {
    ...withTestTools,
    answerer: async () => ({ reply: 'reject', message: 'not that' }),
  });
  await told.session.prompt('Go');
  expect(await told.session.rested()).toBe('idle');
  expect(outcomes(told.events)).toEqual(['c1 ok', 'c1.1 denied', 'c1.2 ok']);

  const silent = await harness(batch(tools), {
    ...withTestTools,
    answerer: async () => ({ reply: 'reject' }),
  });
  await silent.session.prompt('Go');
  expect(await silent.session.rested()).toBe('rejected');
  expect(outcomes(silent.events)).toEqual(['c1 cancelled', 'c1.1 denied', 'c1.2 ok']);
});

test('stop during a batch: every call of it ends, before the step does', async () => {
  const { session, events } = await harness(
    batch([
      { tool: 'endless', args: { text: 'a' } },
      { tool: 'change', args: { text: 'b' } },
      { tool: 'echo', args: {} },
    ]),
    {
      ...withTestTools,
      answerer: async ({ tool }) => (tool === 'endless' ? { reply: 'once' } : undefined),
    },
  );
  const asked = next(session, 'permission.asked', ({ tool }) => tool === 'change');
  const echoed = next(session, 'call.ended', ({ callID }) => callID === 'c1.3');
  await session.prompt('Go');
  await Promise.all([asked, echoed]);
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(outcomes(events)).toEqual(['c1 cancelled', 'c1.1 cancelled', 'c1.2 cancelled', 'c1.3 ok']);
  const last = events.findLastIndex(({ type }) => type === 'call.ended');
  expect(events.findIndex(({ type }) => type === 'step.ended')).toBeGreaterThan(last);
  expect(calls(events)).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_2","callID":"c1","tool":"batch","input":{"tools":[{"tool":"endless","args":{"text":"a"}},{"tool":"change","args":{"text":"b"}},{"tool":"echo","args":{}}],"atomic":false}}",
      "call.added {"messageID":"msg_2","callID":"c1.1","parent":"c1","tool":"endless","input":{"text":"a"}}",
      "call.added {"messageID":"msg_2","callID":"c1.2","parent":"c1","tool":"change","input":{"text":"b"}}",
      "call.added {"messageID":"msg_2","callID":"c1.3","parent":"c1","tool":"echo","input":{}}",
      "permission.asked {"messageID":"msg_2","callID":"c1.1","requestID":"req_1","tool":"endless","permission":"change","patterns":["a"],"always":["*"],"subject":{"kind":"input","input":{"text":"a"}},"decisions":[{"pattern":"a","action":"ask"}]}",
      "permission.asked {"messageID":"msg_2","callID":"c1.2","requestID":"req_2","tool":"change","permission":"change","patterns":["b"],"always":["*"],"subject":{"kind":"input","input":{"text":"b"}},"decisions":[{"pattern":"b","action":"ask"}]}",
      "permission.answered {"messageID":"msg_2","callID":"c1.1","requestID":"req_1","reply":{"reply":"once"},"by":"automation"}",
      "call.running {"messageID":"msg_2","callID":"c1.3","tool":"echo","input":{"text":"nothing"}}",
      "call.running {"messageID":"msg_2","callID":"c1.1","tool":"endless","input":{"text":"a"}}",
      "call.ended {"messageID":"msg_2","callID":"c1.3","outcome":"ok","output":"nothing","title":"echo nothing","metadata":{"truncated":false}}",
      "permission.answered {"messageID":"msg_2","callID":"c1.2","requestID":"req_2","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped this call.","title":"","metadata":{"interrupted":true}}",
      "call.progress {"messageID":"msg_2","callID":"c1.1","metadata":{"progress":50}}",
      "call.output {"messageID":"msg_2","callID":"c1.1","text":"a so far\\n"}",
      "call.ended {"messageID":"msg_2","callID":"c1.1","outcome":"cancelled","output":"a so far\\n\\n[The user stopped this call.]","title":"","metadata":{"interrupted":true}}",
      "call.ended {"messageID":"msg_2","callID":"c1.2","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
    ]
  `);
});

test('a batch in a batch is refused, and calls beyond the 25th are', async () => {
  const many = Array.from({ length: 24 }, (_, n) => ({ tool: 'echo', args: { text: `${n}` } }));
  const inner = { tool: 'Batch', args: { tools: [{ tool: 'echo', args: {} }] } };
  const more = { tool: 'echo', args: { text: 'more' } };
  const { session, events } = await harness(batch([...many, inner, more, more]), withTestTools);
  await session.prompt('Go');
  await session.rested();
  expect(output(events, 'c1.25')).toMatchObject({
    outcome: 'invalid',
    output: 'A batch cannot hold another batch. Make the calls themselves.',
  });
  expect(output(events, 'c1')).toMatchObject({
    output: expect.stringContaining('24 of 27 calls succeeded. 2 calls beyond the first 25 not run.'),
  });
  expect(output(events, 'c1.26')).toBeUndefined();
});

test('calls of batches are counted: the third equal one asks', async () => {
  const same = { tool: 'echo', args: { text: 'a' } };
  const { session, events } = await harness(batch([same, same, same]), { ...withTestTools, answerer: yes });
  await session.prompt('Go');
  await session.rested();
  const asked = events.flatMap((event) =>
    event.type === 'permission.asked' ? [[event.permission, event.callID]] : [],
  );
  expect(asked).toEqual([['doom_loop', 'c1.3']]);
});

test('a log with a batch folds to the same state again', async () => {
  const { session, store } = await harness(batch([{ tool: 'echo', args: {} }]), withTestTools);
  await session.prompt('Go');
  await session.rested();
  const stored = await store.events(session.id, 0);
  expect(reduce(stored, emptyState(session.id))).toEqual(session.state);
});

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'keep.txt': 'kept\n' };
const edit = (path: string, oldString: string, newString: string) => ({
  tool: 'edit',
  args: { filePath: path, oldString, newString },
});
const write = (path: string, content: string) => ({ tool: 'write', args: { filePath: path, content } });
const read = (path: string) => ({ tool: 'read', args: { filePath: path } });

/** Reads what a batch is about to change, then makes it. */
async function withFiles(tools: Json, options: HarnessOptions = {}) {
  const workspace = options.workspace ?? new MemoryWorkspace({ files });
  const steps = [
    [...call('c0', 'batch', { tools: ['a.txt', 'b.txt'].map(read) }), finish('tool-calls')],
    ...batch(tools, true),
  ] as const;
  const made = await harness(steps, {
    tools: [...builtinTools, ...testTools],
    flags,
    ...{ answerer: async () => ({ reply: 'once' as const }), ...options },
    workspace,
  });
  return { ...made, workspace };
}

const contents = (workspace: MemoryWorkspace) =>
  Object.fromEntries(
    [...workspace.files.nodes].flatMap(([path, node]) =>
      node.type === 'file' ? [[path.replace('/home/project/', ''), workspace.files.text(path)]] : [],
    ),
  );

test('an atomic batch is rolled back as a whole', async () => {
  const { session, events, workspace } = await withFiles([
    edit('a.txt', 'one', 'ONE'),
    write('new/deep/file.txt', 'x'),
    edit('b.txt', 'not there', 'x'),
  ]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(contents(workspace)).toEqual(files);
  expect([...workspace.files.nodes.keys()].filter((path) => path.includes('new'))).toEqual([]);
  expect(outcomes(events)).toContain('c1 failed');
  expect(output(events, 'c1')).toMatchObject({
    output: expect.stringMatching(/^The batch failed as a whole\. (No file was changed|Put back: .*)\./),
  });
});

test('an atomic batch that ends well stays, and its files count as read', async () => {
  const workspace = new MemoryWorkspace({ files });
  const { session, events } = await harness(
    [
      [...call('c0', 'batch', { tools: ['a.txt', 'b.txt'].map(read) }), finish('tool-calls')],
      [
        ...call('c1', 'batch', {
          atomic: true,
          tool_calls: [
            { tool: 'edit', parameters: edit('a.txt', 'one', 'ONE').args },
            { tool: 'edit', parameters: edit('b.txt', 'two', 'TWO').args },
          ],
        }),
        finish('tool-calls'),
      ],
      [...call('c2', 'edit', edit('a.txt', 'ONE', '1').args), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { tools: builtinTools, flags, answerer: yes, workspace },
  );
  await session.prompt('Go');
  await session.rested();
  expect(contents(workspace)).toEqual({ 'a.txt': '1\n', 'b.txt': 'TWO\n', 'keep.txt': 'kept\n' });
  expect(outcomes(events).filter((line) => !line.endsWith(' ok'))).toEqual([]);
});

test('what another call writes meanwhile is not undone: it waits for the batch', async () => {
  const workspace = new MemoryWorkspace({ files });
  const { session, events } = await harness(
    [
      [...call('c0', 'batch', { tools: ['a.txt', 'b.txt'].map(read) }), finish('tool-calls')],
      [
        ...call('c1', 'batch', {
          atomic: true,
          tools: [edit('a.txt', 'one', 'ONE'), { tool: 'pondered', args: { text: 'x' } }],
        }),
        ...call('c2', 'edit', edit('a.txt', 'one', 'uno').args),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    {
      tools: [...builtinTools, ...testTools],
      flags,
      answerer: async ({ permission }) =>
        permission === 'change' ? { reply: 'reject', message: 'no' } : { reply: 'once' },
      workspace,
    },
  );
  await session.prompt('Go');
  await session.rested();
  expect(outcomes(events)).toEqual(expect.arrayContaining(['c1 failed', 'c2 ok']));
  expect(contents(workspace)).toEqual({ ...files, 'a.txt': 'uno\n' });
});

test('what a command changed is put back too', async () => {
  const workspace = new MemoryWorkspace({
    files,
    shell: async ({ files }) => {
      await files.write('keep.txt', new TextEncoder().encode('overwritten'));
      await files.write('made.txt', new TextEncoder().encode('made'));
      return 0;
    },
  });
  const run = { tool: 'bash', args: { command: 'make', description: 'Make it' } };
  const { session } = await withFiles([run, { tool: 'pondered', args: { text: 'x' } }], {
    workspace,
    answerer: async ({ permission }) =>
      permission === 'change' ? { reply: 'reject', message: 'no' } : { reply: 'once' },
  });
  await session.prompt('Go');
  await session.rested();
  expect(contents(workspace)).toEqual(files);
});

test('a file that somebody else made meanwhile stays where no command was run', async () => {
  const workspace = new MemoryWorkspace({ files });
  const { session } = await withFiles(
    [edit('a.txt', 'one', 'ONE'), { tool: 'pondered', args: { text: 'x' } }],
    {
      workspace,
      answerer: async ({ permission }) => {
        if (permission !== 'change') return { reply: 'once' };
        await workspace.files.write('mine.txt', new TextEncoder().encode('mine'));
        return { reply: 'reject', message: 'no' };
      },
    },
  );
  await session.prompt('Go');
  await session.rested();
  expect(contents(workspace)).toEqual({ ...files, 'mine.txt': 'mine' });
});

test('where a call of an atomic batch cannot be run, none is', async () => {
  const { session, events, workspace } = await withFiles([
    edit('a.txt', 'one', 'ONE'),
    { tool: 'task', args: {} },
  ]);
  await session.prompt('Go');
  await session.rested();
  expect(outcomes(events)).toEqual(expect.arrayContaining(['c1 failed', 'c1.1 cancelled', 'c1.2 invalid']));
  expect(contents(workspace)).toEqual(files);
});

test('stop during an atomic batch puts its files back before the turn ends', async () => {
  const { session, events, workspace, timer } = await withFiles([
    edit('a.txt', 'one', 'ONE'),
    { tool: 'endless', args: { text: 'x' } },
  ]);
  const ended = next(session, 'call.ended', ({ callID }) => callID === 'c1.1');
  await session.prompt('Go');
  await ended;
  expect(contents(workspace)['a.txt']).toBe('ONE\n');
  session.abort();
  expect(await passing(timer, 16, session.rested())).toBe('aborted');
  expect(contents(workspace)).toEqual(files);
  expect(output(events, 'c1')).toMatchObject({
    outcome: 'cancelled',
    output: 'The user stopped this call. The files are put back as they were before it.',
  });
});
