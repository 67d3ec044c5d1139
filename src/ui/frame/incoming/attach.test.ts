import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import {
  isAttachable,
  isAttachableText,
  keepFile,
  MAX_FILE,
  MAX_PICTURE,
  type IncomingFile,
} from './attach.ts';

const file = (path: string, size = 3, bytes = [1, 2, 3]): IncomingFile => ({
  type: 'file',
  path,
  size,
  read: async () => Uint8Array.from(bytes),
});
const same = async () => ({ kind: 'same' }) as const;

test('single pictures and PDFs that a model can be shown are attached', () => {
  for (const name of ['shot.PNG', 'scan.bmp', 'doc.pdf']) expect(isAttachable(file(name))).toBe(true);
  expect(isAttachable(file('photo.jpg', MAX_FILE * 2))).toBe(true);
  for (const other of [
    file('photo.heic'),
    file('a/shot.png'),
    file('shot.png', MAX_PICTURE + 1),
    file('doc.pdf', MAX_FILE + 1),
  ])
    expect(isAttachable(other)).toBe(false);
});

test('texts are told from other files by their content', async () => {
  expect(await isAttachableText(file('notes', 3, [65, 66, 67]))).toBe(true);
  expect(await isAttachableText(file('data', 3, [0, 1, 2]))).toBe(false);
  expect(await isAttachableText(file('a.txt', MAX_FILE + 1, [65]))).toBe(false);
});

test('an attachment never takes the name of another file', async () => {
  const workspace = new MemoryWorkspace({ files: { 'attachments/image.png': 'mine' } });
  expect(await keepFile(workspace, file('image.png'), same)).toBe('attachments/image-2.png');
  expect(await keepFile(workspace, file('image.png'), same)).toBe('attachments/image-3.png');
  expect(await keepFile(workspace, file('notes'), same)).toBe('attachments/notes');
  expect(await keepFile(workspace, file('notes'), same)).toBe('attachments/notes-2');
  expect(workspace.files.text('attachments/image.png')).toBe('mine');
});

test('a picture is kept as the smaller one, named after its format; an unreadable one is not kept', async () => {
  const workspace = new MemoryWorkspace({ files: {} });
  const bytes = Uint8Array.of(65);
  const smaller = async () => ({ kind: 'smaller', bytes, mediaType: 'image/jpeg' }) as const;
  expect(await keepFile(workspace, file('scan.bmp'), smaller)).toBe('attachments/scan.jpg');
  expect(await keepFile(workspace, file('photo.jpeg'), smaller)).toBe('attachments/photo.jpeg');
  expect(workspace.files.text('attachments/scan.jpg')).toBe('A');
  const unreadable = async () => ({ kind: 'unreadable' }) as const;
  expect(await keepFile(workspace, file('broken.png'), unreadable)).toBeNull();
});
