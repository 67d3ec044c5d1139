import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { toBase64 } from '../../base/base64.ts';
import { lacksOf } from './missing.ts';
import { countsOf, withParts, type ShareChoice } from './parts.ts';
import { readRecording } from './read.ts';
import { recordingText } from './record.ts';
import type { Recording } from './recording.ts';

const WITHOUT: ShareChoice = { files: true, outputs: true, pictures: false, requests: true, preview: true };
const PDF = '%PDF-1.4 the whole PDF';
const PICTURE = 'not a real picture';
const NOTES = 'my private notes\nsecond line\n';

/** Three files of a message are read, copied, searched, printed, changed and added to. */
async function recorded(): Promise<Recording> {
  const workspace = new MemoryWorkspace({
    files: {
      ...START,
      'attachments/bin.pdf': PDF,
      'attachments/1-first.png': PICTURE,
      'attachments/notes.txt': NOTES,
      'copy.txt': NOTES,
    },
    shell({ print }) {
      print(NOTES.repeat(5_000));
      return 0;
    },
  });
  const { store, session } = await finished(
    [
      [
        ...call('c1', 'read', { filePath: 'attachments/bin.pdf' }),
        ...call('c2', 'read', { filePath: '/home/project/attachments/1-first.png' }),
        ...call('c3', 'read', { filePath: 'attachments/notes.txt' }),
        ...call('c4', 'read', { filePath: 'copy.txt' }),
        ...call('c5', 'read', { filePath: 'add.js' }),
        finish('tool-calls'),
      ],
      [...call('c6', 'bash', { command: 'print', description: 'Print' }), finish('tool-calls')],
      [...call('c7', 'grep', { pattern: 'private' }), finish('tool-calls')],
      [
        ...call('c8', 'edit', {
          filePath: 'attachments/notes.txt',
          oldString: 'second line',
          newString: 'other line',
        }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    { workspace },
  );
  await session.stored();
  return recordFrom(store, session.id);
}

test('attachments are counted once each, wherever they are kept', async () => {
  expect(countsOf(await recorded()).parts).toMatchObject({ pictures: 4, files: 5 });
});

test('attachments that are left out are nowhere in the text', async () => {
  const recording = await recorded();
  const whole = await recordingText(recording);
  const less = await withParts(recording, WITHOUT);
  const text = await recordingText(less);
  for (const content of [PDF, PICTURE, 'my private notes']) {
    const written = [content, toBase64(new TextEncoder().encode(content)).replace(/.{2}=*$/, '')];
    expect(
      written.some((each) => whole.includes(each)),
      content,
    ).toBe(true);
    for (const each of written) expect(text, content).not.toContain(each);
  }
  expect(less.files?.map(({ path }) => path)).not.toContain('attachments/notes.txt');
  expect(less.laterFiles.at(-1)?.entries.map(({ path }) => path)).not.toContain('attachments/notes.txt');
});

test('what has nothing to do with attachments stays, and the count is what is left out', async () => {
  const recording = await recorded();
  const less = await readRecording(await recordingText(await withParts(recording, WITHOUT)));
  expect(less.withheld).toEqual({ pictures: 4 });
  expect(lacksOf(less)).toMatchObject({ parts: { pictures: 4 }, start: 'some' });
  expect(countsOf(less).parts.pictures).toBe(0);
  const outputs = less.sessions[0].events.flatMap((event) =>
    event.type === 'call.ended' ? [[event.callID, event.output] as const] : [],
  );
  expect(outputs.find(([id]) => id === 'c5')?.[1]).toContain('export const add');
  expect(less.files?.map(({ path }) => path)).toContain('add.js');
  expect(less.sessions[0].events).toHaveLength(recording.sessions[0].events.length);
});

test('attachments that are left out are not told by calls and requests when all files are', async () => {
  const recording = await recorded();
  const bare = await withParts(recording, { ...WITHOUT, files: false });
  expect(await recordingText(bare)).not.toContain('my private notes');
  const later = await withParts(
    await withParts(recording, { ...WITHOUT, pictures: true, files: false }),
    WITHOUT,
  );
  expect(await recordingText(later)).not.toContain('my private notes');
});
