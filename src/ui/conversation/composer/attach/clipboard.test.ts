import { expect, test } from 'vitest';
import { clipboardFiles } from './clipboard.ts';

const item = (type: string) => ({
  types: ['text/html', type],
  presentationStyle: 'unspecified' as const,
  getType: async () => new Blob(['x'], { type }),
});

test('pictures are taken from the clipboard, texts are not', async () => {
  const read = async () => [item('image/png'), item('text/plain')];
  const files = await clipboardFiles({ read });
  expect(files?.map(({ name, type }) => [name, type])).toEqual([['picture.png', 'image/png']]);
});

test('a clipboard that may not be read is told apart from an empty one', async () => {
  expect(await clipboardFiles({ read: () => Promise.reject(new Error('Refused.')) })).toBeNull();
  expect(await clipboardFiles(undefined)).toBeNull();
  expect(await clipboardFiles({ read: async () => [] })).toEqual([]);
});
