import { expect, test } from 'vitest';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { recordFrom, START } from '../../../test/support/recordings.ts';
import { harness, next, passing } from '../../../test/support/session-harness.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { withResolvers } from '../../base/with-resolvers.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { readSnapshot } from '../../workspace/snapshot.ts';
import { MOST_BYTES_AFTER_CALLS, MOST_FILES, MOST_FILES_AFTER_CALLS } from './file-snapshots.ts';

const write = (content: string) => [
  [...call(`c${content}`, 'write', { filePath: 'a.txt', content }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const look = [
  [...call('look', 'read', { filePath: 'add.js' }), finish('tool-calls')],
  [...say('Seen.'), finish()],
];

async function opened(steps: Steps, workspace = new MemoryWorkspace({ files: START })) {
  const over = await harness(steps, {
    tools: builtinTools,
    workspace,
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

test('the files are kept before the first call and after each call that changed some', async () => {
  const { session, turn, taken, textAt, store } = await opened([...write('one'), ...look, ...write('two')]);
  const first = next(session, 'snapshot.taken', ({ reason }) => reason === 'call-end');
  await turn();
  await first;
  await turn();
  const third = next(session, 'snapshot.taken');
  await turn();
  await third;
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start', 'call-end', 'call-end']);
  expect(await Promise.all(taken().map(({ manifest }) => textAt(manifest)))).toEqual([
    undefined,
    'one',
    'two',
  ]);
  // The start snapshot stays the first one, and a recording contains it and the others.
  expect(session.state.startSnapshot).toBe(taken()[0]?.manifest);
  await session.stored();
  const recording = await recordFrom(store, session.id);
  const [own] = recording.sessions;
  expect(own.events.filter(({ type }) => type === 'snapshot.taken')).toHaveLength(3);
  expect(own.events.map(({ seq }) => seq)).toEqual(own.events.map((_, index) => index));
  expect(recording.files?.map(({ path }) => path)).toEqual(['add.js']);
});

test('what the person changes between two turns is kept before the next one, and belongs to the session only', async () => {
  const { session, turn, taken, textAt, workspace } = await opened([...write('one'), ...look, ...look]);
  await turn();
  await turn();
  expect(session.state.snapshots?.turn).toBe(taken().at(-1)?.manifest);
  await workspace.files.write('a.txt', new TextEncoder().encode('by hand'));
  const kept = next(session, 'snapshot.taken', ({ reason }) => reason === 'turn-start');
  await turn();
  await kept;
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start', 'call-end', 'turn-start']);
  const manifest = taken().at(-1)?.manifest ?? '';
  expect(await textAt(manifest)).toBe('by hand');
  expect(session.state.snapshots).toEqual({ newest: manifest, turn: manifest, left: manifest });
  expect(session.state.startSnapshot).toBe(taken()[0]?.manifest);
});

const rows = (...contents: string[]) => [
  [
    ...contents.flatMap((content) => call(`c${content}`, 'write', { filePath: 'a.txt', content })),
    finish('tool-calls'),
  ],
  [...say('Done.'), finish()],
];

test('of calls that change files side by side in one step, each is kept before the next begins', async () => {
  const { turn, taken, textAt, events, session } = await opened(rows('one', 'two', 'three'));
  await turn();
  await session.close();
  expect(await Promise.all(taken().map(({ manifest }) => textAt(manifest)))).toEqual([
    undefined,
    'one',
    'two',
    'three',
  ]);
  // Each snapshot is taken after the end of its call.
  const ended = events.flatMap(({ type, seq }) => (type === 'call.ended' ? seq : []));
  expect(
    taken()
      .slice(1)
      .map(({ seq }, index) => seq > (ended[index] ?? Infinity)),
  ).toEqual([true, true, true]);
});

test('what a person changes while nothing runs is kept when the turn ends', async () => {
  const { workspace, turn, taken, textAt, session } = await opened([...look, ...look]);
  await turn();
  await workspace.files.write('a.txt', new TextEncoder().encode('by hand'));
  await turn();
  await session.close();
  expect(await textAt(taken().at(-1)?.manifest ?? '')).toBe('by hand');
});

test('what calls write in a long session takes no more room than its bound; the ends of turns are kept', async () => {
  const size = MOST_BYTES_AFTER_CALLS / 2 - 10_000;
  const workspace = new MemoryWorkspace({
    files: START,
    async shell({ command, files }) {
      await files.write('a.txt', new Uint8Array(size).fill(command.charCodeAt(0)));
      return 0;
    },
  });
  const steps = ['1', '2', '3', '4'].map((command) => [
    ...call(`c${command}`, 'bash', { command, description: 'Writes a lot' }),
    finish('tool-calls'),
  ]);
  const { turn, taken, textAt, session } = await opened([...steps, [...say('Done.'), finish()]], workspace);
  await turn();
  await session.close();
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start', 'call-end', 'call-end', 'turn-end']);
  const texts = await Promise.all(taken().map(({ manifest }) => textAt(manifest)));
  expect(texts.map((text) => text?.[0])).toEqual([undefined, '1', '2', '4']);
});

test('lists of many files after many calls are kept as what changed', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`folder/f${n}.txt`, String(n)]));
  const steps = Array.from({ length: 40 }, (_, n) => [
    ...call(`c${n}`, 'write', { filePath: 'a.txt', content: String(n) }),
    finish('tool-calls'),
  ]);
  const { turn, taken, textAt, store, session } = await opened(
    [...steps, [...say('Done.'), finish()]],
    new MemoryWorkspace({ files }),
  );
  await turn();
  await session.close();
  expect(taken()).toHaveLength(41);
  const sizes = await Promise.all(
    taken().map(async ({ manifest }) => (await store.blobs.get(manifest))?.length ?? Infinity),
  );
  const [whole = 0, ...later] = sizes;
  expect(later.reduce((sum, size) => sum + size, 0)).toBeLessThan(whole);
  expect(await textAt(taken()[20]?.manifest ?? '')).toBe('19');
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

test.each([
  ['many', MOST_FILES_AFTER_CALLS, ['session-start', 'turn-end']],
  ['very many', MOST_FILES, ['session-start']],
] as const)('of %s files those after calls are not kept', async (_name, most, reasons) => {
  const files = Object.fromEntries(Array.from({ length: most + 1 }, (_, n) => [`f${n}.txt`, String(n)]));
  const { turn, taken, session } = await opened(write('one'), new MemoryWorkspace({ files }));
  await turn();
  await session.close();
  expect(taken().map(({ reason }) => reason)).toEqual(reasons);
  // What is out of date must not be taken for the files before the next prompt.
  expect(session.state.snapshots?.missed).toBe(most === MOST_FILES ? true : undefined);
  const [prompt] = session.state.messages.values();
  expect(prompt?.files?.after === undefined).toBe(most === MOST_FILES);
});

test('a snapshot that fails once the turn has ended is taken again for its end', async () => {
  const { promise: ended, resolve: end } = withResolvers<void>();
  class Failing extends MemoryWorkspace {
    isFailing = false;
    override async snapshot(...given: Parameters<MemoryWorkspace['snapshot']>) {
      if (!this.isFailing) return super.snapshot(...given);
      await ended;
      this.isFailing = false;
      throw new Error('too much after a call');
    }
  }
  const workspace = new Failing({ files: START });
  const { session, turn, taken, textAt } = await opened([...look, ...write('1')], workspace);
  await turn();
  workspace.isFailing = true;
  await turn();
  end();
  await session.filesKept();
  expect(taken().map(({ reason }) => reason)).toEqual(['session-start', 'turn-end']);
  expect(await textAt(taken().at(-1)?.manifest ?? '')).toBe('1');
});

test('the whole log of a session has the snapshot that was being taken when it was asked for', async () => {
  const { promise: stored, resolve: store } = withResolvers<void>();
  class Slow extends MemoryWorkspace {
    slow = false;
    override async snapshot(...given: Parameters<MemoryWorkspace['snapshot']>) {
      if (this.slow) await stored;
      return super.snapshot(...given);
    }
  }
  const workspace = new Slow({ files: START });
  const { session, sessions, turn, events } = await opened([...look, ...write('1')], workspace);
  await turn();
  workspace.slow = true;
  await turn();
  const log = sessions.wholeLog(session.id);
  store();
  expect((await log).map(({ type }) => type)).toEqual(['session.created', ...events.map(({ type }) => type)]);
  expect((await log).filter(({ type }) => type === 'snapshot.taken').length).toBe(2);
});
