import { expect, test } from 'vitest';
import { manifests } from '../tools/manifests.ts';
import { doubtsAbout } from './doubts.ts';
import { lessonOf } from './parsed.ts';

const tools = manifests.map(({ id }) => id);

const lesson = (call: string, when: string | undefined) =>
  lessonOf(
    {
      markdown: [
        '---',
        'title: T',
        'summary: S',
        'minutes: 1',
        'model: script',
        '---',
        '## One',
        '```prompt',
        'Look at it',
        '```',
        '```check',
        JSON.stringify({ call }),
        '```',
      ].join('\n'),
      script: JSON.stringify({ version: 1, turns: [{ when, steps: [{ text: 'Done.' }] }] }),
    },
    'mine',
  );

test('a check on a tool that the app does not have is doubted', () => {
  expect(doubtsAbout(lesson('reed', undefined), tools)).toEqual([
    'Step 1: no tool of the app is called "reed".',
  ]);
  expect(doubtsAbout(lesson('read', undefined), tools)).toEqual([]);
  expect(doubtsAbout(lesson('r*', undefined), tools)).toEqual([]);
});

test('a message that no turn fits is doubted, unless a turn takes any', () => {
  expect(doubtsAbout(lesson('read', '^Write'), tools)).toEqual([
    'Step 1: no turn of the script fits the message "Look at it".',
  ]);
  expect(doubtsAbout(lesson('read', '^Look'), tools)).toEqual([]);
});

test("the app's own lessons leave no doubt", () => {
  const sources = import.meta.glob<string>('./*/lesson.md', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const scripts = import.meta.glob<string>('./*/script.json', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const found = Object.entries(sources).map(([path, markdown]) =>
    doubtsAbout(
      lessonOf({ markdown, script: scripts[path.replace('lesson.md', 'script.json')] ?? '' }, path),
      tools,
    ),
  );
  expect(found.length).toBeGreaterThan(9);
  expect(found.flat()).toEqual([]);
});
