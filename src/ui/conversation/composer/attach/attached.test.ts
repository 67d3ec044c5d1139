import { expect, test } from 'vitest';
import { attachedIn, keepingAttached, withoutMention, withoutPictures } from './attached.ts';

const paths = (text: string) => attachedIn(text).map(({ path }) => path);

test('pictures, PDFs and what is kept for messages are attached, other files are only named', () => {
  expect(paths('See @attachments/notes.txt, @a/b.png and @src/add.js.')).toEqual([
    'attachments/notes.txt',
    'a/b.png',
  ]);
  expect(paths('Look at @"my shot.png"!')).toEqual(['my shot.png']);
  expect(attachedIn('@a/doc.pdf.')).toEqual([
    { path: 'a/doc.pdf', name: 'doc.pdf', mediaType: 'application/pdf' },
  ]);
});

test('a file is taken out of the text alone, not others whose names begin like it', () => {
  const text = 'See @a.png @a.png.bak and @"my shot.png" or @a.png.';
  expect(withoutMention(text, 'a.png')).toBe('See @a.png.bak and @"my shot.png" or .');
  expect(withoutMention(text, 'my shot.png')).toBe('See @a.png @a.png.bak and or @a.png.');
});

test('another text in the box keeps what was attached, each file once', () => {
  const before = 'Look: @attachments/a.png @attachments/b.txt @src/add.js';
  expect(keepingAttached('Fix it', before)).toBe('Fix it @attachments/a.png @attachments/b.txt ');
  expect(keepingAttached('Fix @attachments/a.png ', before)).toBe(
    'Fix @attachments/a.png @attachments/b.txt ',
  );
  expect(keepingAttached('Fix it', 'Nothing attached')).toBe('Fix it');
});

test('without its pictures a message keeps its words and its other files', () => {
  expect(withoutPictures('Look at @attachments/a.png and @attachments/b.txt')).toBe(
    'Look at and @attachments/b.txt',
  );
  expect(withoutPictures('@attachments/a.png ')).toBe('');
});
