import { expect, test } from 'vitest';
import { filesOfImage, joinImage, type ImageFile } from './images.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const files: readonly ImageFile[] = [
  { path: 'bin/run.js', isExecutable: true, content: bytes('run') },
  { path: 'é.txt', isExecutable: false, content: bytes('') },
  { path: 'last.txt', isExecutable: false, content: bytes('last') },
];

test('files that are joined come apart again', () => {
  const apart = filesOfImage(joinImage(files));
  expect(apart.map(({ content, ...rest }) => ({ ...rest, text: new TextDecoder().decode(content) }))).toEqual(
    [
      { path: 'bin/run.js', isExecutable: true, text: 'run' },
      { path: 'é.txt', isExecutable: false, text: '' },
      { path: 'last.txt', isExecutable: false, text: 'last' },
    ],
  );
});

test('an image that was cut off is refused', () => {
  expect(() => filesOfImage(joinImage(files).subarray(0, -1))).toThrow('cut off');
});
