import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { hashText } from '../../base/hash.ts';
import { withoutLaterFiles } from './fewer-files.ts';
import { lacksOf } from './missing.ts';
import { countsOf, withParts, type ShareChoice } from './parts.ts';
import { readRecording } from './read.ts';
import { recordingText } from './record.ts';
import { SHARED_PARTS, type Recording } from './recording.ts';

const ALL: ShareChoice = { files: true, outputs: true, pictures: true, requests: true, preview: true };
const NONE: ShareChoice = { files: false, outputs: false, pictures: false, requests: false, preview: false };

/** A session with a file that is read, a picture among the files, and an output that is too long for a message. */
async function recorded(): Promise<Recording> {
  const workspace = new MemoryWorkspace({
    files: { ...START, 'logo.png': 'not a real picture' },
    shell({ print }) {
      print('a long line of output\n'.repeat(5_000));
      return 0;
    },
  });
  const { store, session } = await finished(
    [
      [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
      [...call('c2', 'bash', { command: 'loud', description: 'Print much' }), finish('tool-calls')],
      [...call('c3', 'write', { filePath: 'new.txt', content: 'new' }), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { workspace },
  );
  session.note({
    type: 'preview.noted',
    entries: [
      { kind: 'page', target: '/' },
      { kind: 'console', level: 'log', text: 'said by the page', source: '/a.js:1:2' },
    ],
    leftOut: 3,
  });
  await session.stored();
  return recordFrom(store, session.id);
}

test('counts what is in a recording', async () => {
  const counts = countsOf(await recorded());
  expect(counts).toMatchObject({ messages: 5, calls: 3, steps: 4 });
  expect(counts.parts).toMatchObject({ files: 3, outputs: 1, pictures: 1, requests: 4, preview: 2 });
});

test('with every part, the recording is the same', async () => {
  const recording = await recorded();
  expect(await withParts(recording, ALL)).toBe(recording);
});

test('what is left out is not in the text, and the rest can be read', async () => {
  const recording = await recorded();
  for (const part of SHARED_PARTS) {
    const less = await withParts(recording, { ...ALL, [part]: false });
    expect(countsOf(less).parts[part], part).toBe(0);
    const back = await readRecording(await recordingText(less));
    expect(back.sessions[0].events.map(({ type }) => type)).toEqual(
      less.sessions[0].events.map(({ type }) => type),
    );
    expect(countsOf(back)).toEqual(countsOf(less));
  }
});

test('without anything, the conversation with its calls is left', async () => {
  const recording = await recorded();
  const bare = await withParts(recording, NONE);
  expect(bare.contents.size).toBe(0);
  expect(bare.files).toBeNull();
  expect(countsOf(bare)).toMatchObject({ messages: 5, calls: 3 });
  const text = await recordingText(bare);
  expect(text).not.toContain(hashText(START['add.js']));
  expect(text).toContain('Done.');
  expect(text).not.toContain('said by the page');
  expect(text).not.toContain('leftOut');
  expect(await readRecording(text)).toEqual(await readRecording(await recordingText(bare)));
});

test('without pictures the other files stay, at the start and later', async () => {
  const recording = await recorded();
  const less = await withParts(recording, { ...ALL, pictures: false });
  expect(less.files?.map(({ path }) => path)).toEqual(['add.js']);
  expect(less.laterFiles.at(-1)?.entries.map(({ path }) => path)).toEqual(['add.js', 'new.txt']);
});

test('a recording says what was left out of it, also after it was shared once more', async () => {
  const recording = await recorded();
  expect(lacksOf(recording)).toEqual({ parts: {}, files: [], start: 'all', later: false });
  const less = await withParts(recording, { ...ALL, files: false, requests: false });
  const back = await readRecording(await recordingText(less));
  expect(lacksOf(back)).toEqual({ parts: { files: 3, requests: 4 }, files: [], start: 'none', later: true });
  const again = await withParts(back, { ...ALL, outputs: false });
  expect(lacksOf(again).parts).toEqual({ files: 3, requests: 4, outputs: 1 });
  const dull = await withParts(recording, { ...ALL, pictures: false, preview: false });
  expect(lacksOf(dull)).toMatchObject({ parts: { pictures: 1, preview: 2 }, start: 'some' });
});

test('of a recording that an older version made, what it lacks is read from its events', async () => {
  const { withheld: _, ...older } = await withParts(await recorded(), NONE);
  expect(lacksOf(older)).toMatchObject({ parts: { outputs: 1, requests: 4 }, start: 'none', later: true });
});

test('files for which a link or a file has no room are named, unless all files were left out', async () => {
  const recording = await recorded();
  const short = await readRecording(await recordingText(withoutLaterFiles(recording)));
  expect(lacksOf(short).files).toEqual([{ path: 'new.txt', size: 3 }]);
  const bare = await withParts(short, NONE);
  expect(lacksOf(bare).files).toEqual([]);
});
