import { expect, test } from 'vitest';
import { subagents } from '../agents/agents.ts';
import { manifests } from '../tools/manifests.ts';
import { permissions } from '../tools/permissions.ts';
import { doubtsAbout } from './doubts.ts';
import { lessonOf } from './parsed.ts';

const names = {
  tools: manifests.map(({ id }) => id),
  permissions: permissions.map(({ id }) => id),
  subagents: subagents.map(({ name }) => name),
};

const lesson = (call: string, when: string | undefined, check: object = { call }) =>
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
        JSON.stringify(check),
        '```',
      ].join('\n'),
      script: JSON.stringify({ version: 1, turns: [{ when, steps: [{ text: 'Done.' }] }] }),
    },
    'mine',
  );

test('a check on a tool that the app does not have is doubted', () => {
  expect(doubtsAbout(lesson('reed', undefined), names)).toEqual([
    'Step 1: no tool of the app is called "reed".',
  ]);
  expect(doubtsAbout(lesson('read', undefined), names)).toEqual([]);
  expect(doubtsAbout(lesson('r*', undefined), names)).toEqual([]);
});

test.each([
  [{ asked: 'edits' }, 'no permission of the app is called "edits"'],
  [{ permission: 'nosuch', reply: 'once' }, 'no permission of the app is called "nosuch"'],
  [{ decided: 'nosuch', action: 'allow' }, 'no permission of the app is called "nosuch"'],
  [{ task: 'completed', agent: 'nosuch' }, 'no sub-agent of the app is called "nosuch"'],
])('a check that names what the app does not have is doubted: %j', (check, doubt) => {
  expect(doubtsAbout(lesson('read', undefined, check), names)).toEqual([`Step 1: ${doubt}.`]);
});

test('a message that no turn fits is doubted, unless a turn takes any', () => {
  expect(doubtsAbout(lesson('read', '^Write'), names)).toEqual([
    'Step 1: no turn of the script fits the message "Look at it".',
  ]);
  expect(doubtsAbout(lesson('read', '^Look'), names)).toEqual([]);
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
      names,
    ),
  );
  expect(found.length).toBeGreaterThan(9);
  expect(found.flat()).toEqual([]);
});
