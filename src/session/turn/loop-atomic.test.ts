import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import {
  harness,
  next,
  passing,
  sessionsOver,
  testTools,
  type HarnessOptions,
} from '../../../test/support/session-harness.ts';
import { countingIds } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import type { Answerer } from '../../permissions/types.ts';
import { memoryStorage } from '../../storage/memory/storage.ts';
import { hashText, type Hash } from '../../base/hash.ts';
import { builtinTools } from '../../tools/builtin.ts';
import type { Event } from '../log/events.ts';
import { sessionRecord } from '../log/records.ts';
import { emptyState } from '../log/reduce.ts';
import { passingOwner, type SessionRecord } from '../log/store.ts';

const flags = new Set(['experimental.batch_tool']);
const batch = (tools: Json) => [
  [...call('c1', 'batch', { tools, atomic: true }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const yes: Answerer = async () => ({ reply: 'once' });

const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? `${event.callID} ${event.outcome}` : [])).sort();
const output = (events: readonly Event[], callID: string) =>
  events.find((event) => event.type === 'call.ended' && event.callID === callID);

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'keep.txt': 'kept\n' };
const edit = (path: string, oldString: string, newString: string) => ({
  tool: 'edit',
  args: { filePath: path, oldString, newString },
});
const write = (path: string, content: string) => ({ tool: 'write', args: { filePath: path, content } });
const read = (path: string) => ({ tool: 'read', args: { filePath: path } });

/** Reads the files that a batch will change, then runs the batch. */
async function withFiles(tools: Json, options: HarnessOptions = {}) {
  const workspace = options.workspace ?? new MemoryWorkspace({ files });
  const steps = [
    [...call('c0', 'batch', { tools: ['a.txt', 'b.txt'].map(read) }), finish('tool-calls')],
    ...batch(tools),
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
  const { session, events, workspace } = await refusedAtLast([
    edit('a.txt', 'one', 'ONE'),
    write('new/deep/file.txt', 'x'),
  ]);
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(contents(workspace)).toEqual(files);
  expect([...workspace.files.nodes.keys()].filter((path) => path.includes('new'))).toEqual([]);
  const made = events.filter((event) => 'callID' in event && event.callID.startsWith('c1'));
  expect(made.map((event) => golden([event])[0])).toMatchInlineSnapshot(`
    [
      "call.running {"messageID":"msg_3","callID":"c1","tool":"batch","input":{"tools":[{"tool":"edit","args":{"filePath":"a.txt","oldString":"one","newString":"ONE"}},{"tool":"write","args":{"filePath":"new/deep/file.txt","content":"x"}},{"tool":"change","args":{"text":"x"}}],"atomic":true}}",
      "call.added {"messageID":"msg_3","callID":"c1.1","parent":"c1","tool":"edit","input":{"filePath":"a.txt","oldString":"one","newString":"ONE"}}",
      "call.added {"messageID":"msg_3","callID":"c1.2","parent":"c1","tool":"write","input":{"filePath":"new/deep/file.txt","content":"x"}}",
      "call.added {"messageID":"msg_3","callID":"c1.3","parent":"c1","tool":"change","input":{"text":"x"}}",
      "permission.decided {"messageID":"msg_3","callID":"c1.1","permission":"edit","action":"allow","decisions":[{"pattern":"a.txt","action":"allow","rule":{"permission":"edit","pattern":"*","action":"allow"},"source":"settings","considered":[{"permission":"edit","pattern":"*","action":"ask","source":"default"},{"permission":"edit","pattern":"*","action":"allow","source":"settings"}]}]}",
      "call.running {"messageID":"msg_3","callID":"c1.1","tool":"edit","input":{"filePath":"a.txt","oldString":"one","newString":"ONE","replaceAll":false}}",
      "permission.decided {"messageID":"msg_3","callID":"c1.2","permission":"edit","action":"allow","decisions":[{"pattern":"new/deep/file.txt","action":"allow","rule":{"permission":"edit","pattern":"*","action":"allow"},"source":"settings","considered":[{"permission":"edit","pattern":"*","action":"ask","source":"default"},{"permission":"edit","pattern":"*","action":"allow","source":"settings"}]}]}",
      "call.running {"messageID":"msg_3","callID":"c1.2","tool":"write","input":{"filePath":"new/deep/file.txt","content":"x"}}",
      "permission.asked {"messageID":"msg_3","callID":"c1.3","requestID":"req_1","tool":"change","permission":"change","patterns":["x"],"always":["*"],"subject":{"kind":"input","input":{"text":"x"}},"decisions":[{"pattern":"x","action":"ask","considered":[]}]}",
      "call.ended {"messageID":"msg_3","callID":"c1.1","outcome":"ok","output":"Edited a.txt: 1 replacement.","title":"a.txt","metadata":{"truncated":false,"diff":"--- a.txt\\n+++ a.txt\\n@@ -1,1 +1,1 @@\\n-one\\n+ONE\\n","filediff":{"file":"a.txt","additions":1,"deletions":1},"exists":true}}",
      "call.ended {"messageID":"msg_3","callID":"c1.2","outcome":"ok","output":"Created new/deep/file.txt.","title":"new/deep/file.txt","metadata":{"truncated":false,"diff":"--- /dev/null\\n+++ new/deep/file.txt\\n@@ -0,0 +1,1 @@\\n+x\\n\\\\ No newline at end of file\\n","filediff":{"file":"new/deep/file.txt","additions":1,"deletions":0},"exists":false}}",
      "permission.answered {"messageID":"msg_3","callID":"c1.3","requestID":"req_1","reply":{"reply":"reject","message":"Not that."},"by":"automation"}",
      "call.ended {"messageID":"msg_3","callID":"c1.3","outcome":"denied","output":"The user refused this call and said: Not that.","title":""}",
      "call.ended {"messageID":"msg_3","callID":"c1","outcome":"failed","output":"The batch failed as a whole. Put back: a.txt, new/deep/file.txt.\\n\\n[3] change: denied\\nThe user refused this call and said: Not that.","title":"","faultCode":"batch-undone"}",
    ]
  `);
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
    output:
      'The user stopped this call. Its files are being put back as they were before it: read them again before you continue.',
  });
});

/** A workspace that fails to restore files. */
class Unyielding extends MemoryWorkspace {
  override restore(): Promise<void> {
    return Promise.reject(new Error('No space is left.'));
  }
}

/** Refuses the last call of the batch, once all earlier ones have ended. */
async function refusedAtLast(tools: readonly Json[], options: HarnessOptions = {}) {
  let refuse: (reply: { reply: 'reject'; message: string }) => void = () => undefined;
  const refused = new Promise<{ reply: 'reject'; message: string }>((resolve) => (refuse = resolve));
  const made = await withFiles([...tools, { tool: 'change', args: { text: 'x' } }], {
    settings: { edit: 'allow' },
    answerer: async () => refused,
    ...options,
  });
  const ended = tools.map((_, index) =>
    next(made.session, 'call.ended', ({ callID }) => callID === `c1.${index + 1}`),
  );
  void Promise.all(ended).then(() => refuse({ reply: 'reject', message: 'Not that.' }));
  return made;
}

test('files that cannot be put back are told as changed', async () => {
  const { session, events, workspace } = await refusedAtLast(
    [edit('a.txt', 'one', 'ONE'), write('new/file.txt', 'x')],
    { workspace: new Unyielding({ files }) },
  );
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(contents(workspace)).toEqual({ ...files, 'a.txt': 'ONE\n', 'new/file.txt': 'x' });
  expect(output(events, 'c1')).toMatchObject({
    outcome: 'failed',
    output: expect.stringContaining(
      'Its files could not all be put back: No space is left. May still be changed: a.txt, new/file.txt. Look at them before you continue.',
    ),
  });
});

test('files that cannot be put back after a stop are told to the person', async () => {
  const { session, events, timer } = await withFiles(
    [edit('a.txt', 'one', 'ONE'), { tool: 'endless', args: { text: 'x' } }],
    { workspace: new Unyielding({ files }) },
  );
  const problem = new Promise((resolve) => session.onProblem(resolve));
  const ended = next(session, 'call.ended', ({ callID }) => callID === 'c1.1');
  await session.prompt('Go');
  await ended;
  session.abort();
  expect(await passing(timer, 16, session.rested())).toBe('aborted');
  expect(await problem).toMatchObject({
    code: 'batch-not-undone',
    what: expect.stringContaining('No space is left.'),
    where: 'a.txt',
  });
  expect(output(events, 'c1')).toMatchObject({ output: expect.not.stringContaining('are put back') });
});

test.each([
  ['well', edit('b.txt', 'two', 'TWO')],
  ['badly', edit('b.txt', 'not there', 'x')],
])('the files as they were are not kept once it has ended %s', async (_, second) => {
  const kept = new Set<Hash>();
  const { sessions: store } = memoryStorage();
  const { put } = store.blobs;
  store.blobs.put = (owner, blobs) => {
    if (owner === passingOwner('ses_1')) for (const { hash } of blobs) kept.add(hash);
    return put.call(store.blobs, owner, blobs);
  };
  const { session } = await withFiles([edit('a.txt', 'one', 'ONE'), second], { store });
  expect(session.id).toBe('ses_1');
  await session.prompt('Go');
  await session.rested();
  // The files at the start of the session are kept as long as the session.
  await session.close();
  await store.markDeleted('ses_1', 1);
  expect(kept.size).toBeGreaterThan(0);
  expect(await store.blobs.missing([...kept])).toEqual([...kept]);
});

/** The store of a tab that died after these events. */
async function diedAfter(events: readonly Event[], session: SessionRecord) {
  const { sessions: store } = memoryStorage();
  const { id } = session;
  const empty = { ...sessionRecord(emptyState(id)) };
  const state = { ...empty.state, workspaceID: session.state.workspaceID };
  const blobs = [{ hash: hashText('before'), bytes: new TextEncoder().encode('before') }];
  await store.commit(
    { sessionID: id, events, messages: [], session: { ...empty, state }, blobs: [] },
    'relaxed',
  );
  await store.blobs.put(passingOwner(id), blobs);
  const ids = countingIds();
  const later = sessionsOver([], { store, ids: { next: (prefix) => `${ids.next(prefix)}_later` } });
  const opened = await later.sessions.open(id);
  expect(await store.blobs.missing(blobs.map(({ hash }) => hash))).toHaveLength(1);
  return opened.state.parts.get('msg_3/tool/c1');
}

test('of a tab that died within it is told plainly what may be changed, and nothing is kept for it', async () => {
  const { session, store } = await refusedAtLast([
    read('b.txt'),
    edit('a.txt', 'one', 'ONE'),
    write('new.txt', 'x'.repeat(500)),
  ]);
  await session.prompt('Go');
  await session.rested();
  await session.close();
  const events = await store.events(session.id, 0);
  const record = await store.session(session.id);
  if (!record) throw new Error('The session is not there.');
  const upTo = (type: Event['type'], id: string) =>
    events.findIndex((event) => event.type === type && 'callID' in event && event.callID === id) + 1;
  const late = await diedAfter(events.slice(0, upTo('call.ended', 'c1.4')), record);
  expect(late).toMatchObject({ outcome: 'interrupted' });
  expect(late?.type === 'tool' && late.output?.replace(/x{9,}/, 'xxx')).toMatchInlineSnapshot(`
    "Interrupted: the page was closed while this atomic batch was open, so that its files were not, or not all, put back. What these calls did to files may still be there:
    - edit {"filePath":"a.txt","oldString":"one","newString":"ONE"}: ok
    - write {"filePath":"new.txt","content":"xxx…: ok
    Look at the files before you continue."
  `);
  const early = await diedAfter(events.slice(0, upTo('call.added', 'c1.4')), record);
  expect(early).toMatchObject({
    output:
      'Interrupted: the page was closed while this atomic batch was open. None of its calls had begun to change a file.',
  });
});
