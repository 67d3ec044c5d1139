import { expect, test } from 'vitest';
import { lessonIn, readLesson } from './lesson.ts';
import { toLink } from '../lessons/share.ts';

const TEXT = `---
title: One command
summary: A sentence.
---

An introduction.

## Run it

Send it.
`;

test('a lesson in a link is read without its script', async () => {
  const packed = await toLink({ markdown: TEXT, script: 'not even JSON' });
  const lesson = await readLesson({ kind: 'lesson', packed }, 'https://vitrine.example/embed.html', 'de');
  expect(lesson).toMatchObject({
    card: { title: 'One command', minutes: 5 },
    intro: 'An introduction.',
    steps: [{ title: 'Run it' }],
  });
});

test('a text that is no lesson is refused with the reason', async () => {
  expect(() => lessonIn(TEXT.replace('## Run it', ''))).toThrow('The lesson has no steps.');
  await expect(
    readLesson({ kind: 'lesson', packed: 'abc' }, 'https://vitrine.example/embed.html', 'en'),
  ).rejects.toThrow('This lesson cannot be read');
});
