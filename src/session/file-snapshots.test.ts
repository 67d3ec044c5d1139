import { expect, test } from 'vitest';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { recordFrom, START } from '../../test/support/recordings.ts';
import { harness, next, passing } from '../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { builtinTools } from '../tools/builtin.ts';
import { readSnapshot } from '../workspace/snapshot.ts';
import { MOST_FILES } from './file-snapshots.ts';

const write = (content: string) => [
  [...call(`c${content}`, 'write', { filePath: 'a.txt', content }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const look = [
  [...call('look', 'read', { filePath: 'add.js' }), finish('tool-calls')],
  [...say('Seen.'), finish()],
];

async function opened(steps: Parameters<typeof harness>[0], files: Readonly<Record<string, string>> = START) {
  const over = await harness(steps, {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ files }),
    answerer: async () => ({ reply: 'once' }),
    snapshots: true,
  });
  const turn = async () => {
    await over.session.prompt('Go');
    await passing(over.timer, 16, over.session.rested());
  };
  const taken = () => over.events.flatMap((event) => (event.type === 'snapshot.taken' ? event : []));
  const textAt = async (manifest: string) => {
    const content = async (hash: string) =>
      (await over.store.blobs.get(hash)) ?? Promise.reject(new Error(hash));
    const entries = await readSnapshot(manifest, content);
    const file = entries.find(({ path }) => path === 'a.txt');
    return file?.type === 'file' ? new TextDecoder().decode(await content(file.hash)) : undefined;
  };
  return { ...over, turn, taken, textAt };
}

test('the files are kept before the first call and after each turn that changed some', async () => {
  const { session, turn, taken, textAt, store } = await opened([...write('one'), ...look, ...write('two')]);
  const first = next(session, 'snapshot.taken', ({ reason }) => reason === 'turn-end');
  await turn();
  await first;
  await turn();
  const third = next(session, 'snapshot.taken');
  await turn();
  await third;
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start', 'turn-end', 'turn-end']);
  expect(await Promise.all(taken().map(({ manifest }) => textAt(manifest)))).toEqual([
    undefined,
    'one',
    'two',
  ]);
  // The start stays the start, and a recording goes from there.
  expect(session.state.startSnapshot).toBe(taken()[0]?.manifest);
  await session.stored();
  const recording = await recordFrom(store, session.id);
  const [own] = recording.sessions;
  expect(own.events.filter(({ type }) => type === 'snapshot.taken')).toHaveLength(1);
  expect(own.events.map(({ seq }) => seq)).toEqual(own.events.map((_, index) => index));
  expect(recording.files?.map(({ path }) => path)).toEqual(['add.js']);
});

test('what was put back as it was is not kept again', async () => {
  const { workspace, turn, taken, session } = await opened([...look, ...look]);
  await turn();
  const before = await workspace.files.read('add.js');
  await workspace.files.write('add.js', new TextEncoder().encode('other'));
  await workspace.files.write('add.js', before);
  await turn();
  await session.close();
  expect(new Set(taken().map(({ manifest }) => manifest)).size).toBe(taken().length);
});

test('of very many files only the start is kept', async () => {
  const files = Object.fromEntries(
    Array.from({ length: MOST_FILES + 1 }, (_, n) => [`f${n}.txt`, String(n)]),
  );
  const { turn, taken, session } = await opened(write('one'), files);
  await turn();
  await session.close();
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start']);
});
