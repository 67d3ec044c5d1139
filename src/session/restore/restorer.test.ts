import { expect, test } from 'vitest';
import { call, finish, say, thenHang, type Steps } from '../../../test/support/parts-model.ts';
import { harness, next, passing } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { ROOT } from '../../base/places.ts';
import { FaultError } from '../../base/fault.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { SessionFollower } from '../log/follower.ts';
import { readSession } from '../log/open.ts';
import { conversationOf } from '../log/path.ts';
import { textOf } from '../request/messages.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const write = (filePath: string, content: string) => [
  [...call(`c${filePath}${content}`, 'write', { filePath, content }), finish('tool-calls')],
  [...say(`Wrote ${content}.`), finish()],
];
const both = { conversation: true, files: true };

function textsOf({ files: { nodes } }: MemoryWorkspace): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [path, node] of nodes)
    if (node.type === 'file') texts[path.slice(ROOT.length + 1)] = new TextDecoder().decode(node.content);
  return texts;
}

async function opened(steps: Steps, workspace = new MemoryWorkspace({ files: { 'own.txt': 'mine' } })) {
  const over = await harness(steps, {
    tools: builtinTools,
    workspace,
    answerer: async () => ({ reply: 'once' }),
    snapshots: true,
  });
  const { session } = over;
  const settled = () => over.session.restores.plan({ kind: 'redo' }).catch(() => undefined);
  const turn = async (text: string) => {
    await session.prompt(text);
    await passing(over.timer, 16, session.rested());
    // A snapshot may still be under way.
    await settled();
  };
  const said = () => {
    const { state } = session;
    const source = {
      message: (id: string) => state.messages.get(id),
      part: (key: string) => state.parts.get(key),
    };
    return conversationOf(state)
      .map((message) => textOf(message, source))
      .filter(Boolean);
  };
  const prompt = (text: string) => {
    const found = [...session.state.messages.values()].findLast(
      ({ role, partKeys }) =>
        role === 'user' &&
        partKeys.some((key) => {
          const part = session.state.parts.get(key);
          return part?.type === 'text' && part.text === text;
        }),
    );
    if (!found) throw new Error(text);
    return found.id;
  };
  const undo = async (text: string, choice: Parameters<typeof session.restores.run>[1] = both) => {
    const plan = await session.restores.plan({ kind: 'before', messageID: prompt(text) });
    await session.restores.run(plan, choice);
    return plan;
  };
  const files = () => textsOf(workspace);
  return { ...over, turn, said, prompt, undo, files };
}

test('going back to before a prompt takes back its messages and files, and redo brings them again', async () => {
  const { session, turn, said, undo, files } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
    ...write('b.txt', 'three'),
  ]);
  await turn('First');
  await turn('Second');
  await turn('Third');
  const plan = await undo('Second');
  expect(plan).toMatchObject({ leave: 2, come: 0, prompt: 'Second' });
  expect(plan.files?.changes.map(({ path, foreign }) => [path, foreign])).toEqual([
    ['a.txt', false],
    ['b.txt', false],
  ]);
  expect(said()).toEqual(['First', 'Wrote one.']);
  expect(files()).toEqual({ 'own.txt': 'mine', 'a.txt': 'one' });
  const redo = await session.restores.plan({ kind: 'redo' });
  expect(redo).toMatchObject({ leave: 0, come: 2 });
  await session.restores.run(redo, both);
  expect(said()).toEqual(['First', 'Wrote one.', 'Second', 'Wrote two.', 'Third', 'Wrote three.']);
  expect(files()).toEqual({ 'own.txt': 'mine', 'a.txt': 'two', 'b.txt': 'three' });
  await expect(session.restores.plan({ kind: 'redo' })).rejects.toMatchObject({
    fault: { code: 'nothing-to-redo' },
  });
});

test('several undos in a row are redone one by one, and a new prompt ends that', async () => {
  const { session, turn, said, undo, files } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
    ...write('a.txt', 'three'),
  ]);
  await turn('First');
  await turn('Second');
  await undo('Second');
  await undo('First');
  expect(said()).toEqual([]);
  expect(files()).toEqual({ 'own.txt': 'mine' });
  await session.restores.run(await session.restores.plan({ kind: 'redo' }), both);
  expect(files()).toEqual({ 'own.txt': 'mine', 'a.txt': 'one' });
  await turn('Other');
  expect(said()).toEqual(['First', 'Wrote one.', 'Other', 'Wrote three.']);
  await expect(session.restores.plan({ kind: 'redo' })).rejects.toBeInstanceOf(FaultError);
});

test('the model continues from the restored conversation', async () => {
  const { model, turn, undo } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
    [...say('Fine.'), finish()],
  ]);
  await turn('First');
  await turn('Second');
  await undo('Second');
  await turn('Instead');
  const sent = JSON.stringify(model.requests.at(-1)?.messages);
  expect(sent).toContain('First');
  expect(sent).toContain('Instead');
  expect(sent).not.toContain('Second');
});

test('what was left stays as a branch with its own files', async () => {
  const { session, turn, said, prompt, undo, files, workspace } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
    ...write('other.txt', 'other'),
  ]);
  await turn('First');
  await turn('Second');
  await workspace.files.write('later.txt', bytes('by hand'));
  await undo('Second');
  await turn('Second, in other words');
  const back = await session.restores.plan({ kind: 'branch', messageID: prompt('Second') });
  expect(back.files?.changes.some(({ foreign }) => foreign)).toBe(false);
  await session.restores.run(back, both);
  expect(said()).toEqual(['First', 'Wrote one.', 'Second', 'Wrote two.']);
  expect(files()).toEqual({ 'own.txt': 'mine', 'a.txt': 'two', 'later.txt': 'by hand' });
  const forth = await session.restores.plan({ kind: 'branch', messageID: prompt('Second, in other words') });
  await session.restores.run(forth, both);
  expect(said().at(-1)).toBe('Wrote other.');
  expect(files()).toEqual({ 'own.txt': 'mine', 'a.txt': 'one', 'other.txt': 'other' });
});

test('files or conversation alone', async () => {
  const { turn, said, undo, files } = await opened([...write('a.txt', 'one'), ...write('a.txt', 'two')]);
  await turn('First');
  await turn('Second');
  await undo('Second', { conversation: false, files: true });
  expect(said()).toHaveLength(4);
  expect(files()).toMatchObject({ 'a.txt': 'one' });
  await undo('Second', { conversation: true, files: false });
  expect(said()).toEqual(['First', 'Wrote one.']);
  expect(files()).toMatchObject({ 'a.txt': 'one' });
});

test("the person's own edits are told file by file, and stay if the person says so", async () => {
  const { turn, undo, files, workspace, session, prompt } = await opened([
    ...write('a.txt', 'one'),
    ...write('b.txt', 'two'),
  ]);
  await turn('First');
  await workspace.files.write('a.txt', bytes('edited between the turns'));
  await turn('Second');
  await workspace.files.write('c.txt', bytes('made since'));
  const plan = await session.restores.plan({ kind: 'before', messageID: prompt('First') });
  expect(plan.files?.changes.map(({ path, foreign }) => [path, foreign])).toEqual([
    ['a.txt', true],
    ['b.txt', false],
    ['c.txt', true],
  ]);
  // Before the second prompt, the edit of a.txt was there already.
  const second = await session.restores.plan({ kind: 'before', messageID: prompt('Second') });
  expect(second.files?.changes.map(({ path, foreign }) => [path, foreign])).toEqual([
    ['b.txt', false],
    ['c.txt', true],
  ]);
  await undo('First', { ...both, keep: new Set(['a.txt', 'c.txt']) });
  expect(files()).toEqual({
    'own.txt': 'mine',
    'a.txt': 'edited between the turns',
    'c.txt': 'made since',
  });
});

test("the person's own edits are still told after other moves", async () => {
  const { turn, undo, workspace, session, prompt } = await opened([
    ...write('a.txt', 'one'),
    ...write('b.txt', 'two'),
  ]);
  await turn('First');
  await workspace.files.write('a.txt', bytes('edited between the turns'));
  await turn('Second');
  await workspace.files.write('c.txt', bytes('made since'));
  const marked = async (text: string) => {
    const plan = await session.restores.plan({ kind: 'before', messageID: prompt(text) });
    return plan.files?.changes.flatMap(({ path, foreign }) => (foreign ? path : []));
  };
  await undo('Second', { ...both, keep: new Set(['c.txt']) });
  expect(await marked('First')).toEqual(['a.txt', 'c.txt']);
  const redo = await session.restores.plan({ kind: 'redo' });
  expect(redo.files?.changes.map(({ path, foreign }) => [path, foreign])).toEqual([['b.txt', false]]);
  await session.restores.run(redo, both);
  expect(await marked('Second')).toEqual(['c.txt']);
  expect(await marked('First')).toEqual(['a.txt', 'c.txt']);
});

test('an edit that comes between the plan and the restore is not overwritten', async () => {
  const { session, turn, prompt, files, workspace } = await opened(write('a.txt', 'one'));
  await turn('First');
  const problems: string[] = [];
  session.onProblem(({ what }) => problems.push(what));
  const plan = await session.restores.plan({ kind: 'before', messageID: prompt('First') });
  await workspace.files.write('a.txt', bytes('typed just now'));
  await session.restores.run(plan, both);
  expect(files()).toMatchObject({ 'a.txt': 'typed just now' });
  expect(problems).toEqual([expect.stringContaining('a.txt')]);
});

test('nothing is restored while the agent works', async () => {
  const { session, turn, prompt } = await opened([...write('a.txt', 'one'), thenHang(say('Hm'))]);
  await turn('First');
  const begun = next(session, 'step.started');
  await session.prompt('Second');
  await begun;
  await expect(session.restores.plan({ kind: 'before', messageID: prompt('First') })).rejects.toMatchObject({
    fault: { code: 'turn-runs', next: 'Stop it first.' },
  });
  session.abort();
  await session.rested();
  expect((await session.restores.plan({ kind: 'before', messageID: prompt('First') })).leave).toBeGreaterThan(
    0,
  );
});

test('a session that is opened again goes on from where it was restored to', async () => {
  const { sessions, session, turn, undo, said } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
  ]);
  await turn('First');
  await turn('Second');
  await undo('Second');
  await sessions.close(session.id);
  const again = await sessions.open(session.id);
  expect(again.state).toEqual(session.state);
  expect(said()).toEqual(['First', 'Wrote one.']);
  const redo = await again.restores.plan({ kind: 'redo' });
  expect(redo.come).toBe(1);
});

test('a damaged snapshot is told and nothing is changed', async () => {
  const { session, store, turn, prompt, files } = await opened([
    ...write('a.txt', 'one'),
    ...write('a.txt', 'two'),
  ]);
  await turn('First');
  await turn('Second');
  const { messages } = session.state;
  const before = messages.get(prompt('Second'))?.files?.before ?? '';
  await session.stored();
  await store.blobs.release(session.id, [before]);
  await expect(session.restores.plan({ kind: 'before', messageID: prompt('Second') })).rejects.toMatchObject({
    fault: { code: 'snapshot-damaged' },
  });
  expect(files()).toMatchObject({ 'a.txt': 'two' });
});

test('another tab that watches sees each move', async () => {
  const { session, store, turn, undo } = await opened([...write('a.txt', 'one'), ...write('a.txt', 'two')]);
  await turn('First');
  await session.stored();
  const { state, oldestLoaded } = await readSession(store, session.id);
  const follower = new SessionFollower(store, state, oldestLoaded);
  const catchUp = async () => {
    await session.stored();
    await follower.receive(await store.events(session.id, follower.state.nextSeq));
  };
  await turn('Second');
  await catchUp();
  expect(conversationOf(follower.state)).toHaveLength(6);
  await undo('Second');
  await catchUp();
  expect(follower.state).toEqual(session.state);
  expect(conversationOf(follower.state)).toHaveLength(3);
  expect(follower.restores).toBeNull();
});

test('a session whose newest messages are all of another version opens with its conversation', async () => {
  const many = Array.from({ length: 60 }, (_, n) => [...say(`Answer ${n}.`), finish()]);
  const { sessions, session, turn, undo } = await opened([...write('a.txt', 'one'), ...many]);
  await turn('First');
  for (let n = 0; n < 60; n++) await turn(`More ${n}`);
  await undo('More 0');
  await sessions.close(session.id);
  const again = await sessions.open(session.id);
  expect(conversationOf(again.state).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
});
