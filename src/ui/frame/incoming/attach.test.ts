import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { isAttachable, keepImage, MAX_IMAGE, type IncomingFile } from './attach.ts';

const image = (path: string, size = 3): IncomingFile => ({
  type: 'file',
  path,
  size,
  read: async () => Uint8Array.of(1, 2, 3),
});

test('single images that a model can be shown are attached', () => {
  expect(isAttachable(image('shot.PNG'))).toBe(true);
  for (const other of [
    image('photo.heic'),
    image('doc.pdf'),
    image('a/shot.png'),
    image('shot.png', MAX_IMAGE + 1),
  ])
    expect(isAttachable(other)).toBe(false);
});

test('an image never takes the name of another file', async () => {
  const workspace = new MemoryWorkspace({ files: { 'attachments/image.png': 'mine' } });
  expect(await keepImage(workspace, image('image.png'))).toBe('attachments/image-2.png');
  expect(await keepImage(workspace, image('image.png'))).toBe('attachments/image-3.png');
  expect(workspace.files.text('attachments/image.png')).toBe('mine');
});
