import { expect, test } from 'vitest';
import { parseCheck } from './checks.ts';
import { parseLesson, type LessonSource } from './lesson.ts';

const head = '---\ntitle: One\nsummary: Two\nminutes: 3\n---\n';
const script = JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }] }] });

function problems(source: Partial<LessonSource>): readonly string[] {
  const parsed = parseLesson({ markdown: `${head}## Step\n`, script, ...source });
  return parsed.ok ? [] : parsed.problems;
}

test('a lesson has front matter, an intro and steps with their blocks', () => {
  const markdown = `${head}
Intro with
\`\`\`sh
## no step
\`\`\`

## First
Text.

\`\`\`prompt
Say it
in two lines
\`\`\`
~~~hint
One
~~~
\`\`\`hint
Two
\`\`\`
\`\`\`check
{"call": "read", "outcome": "ok"}

{"file": "a.txt", "matches": "*b*"}
\`\`\`
More text.

## Second
\`\`\`small-model
examples/small-model.vitrine.json
\`\`\``;
  const parsed = parseLesson({ markdown, script });
  expect(parsed).toMatchObject({
    ok: true,
    lesson: {
      title: 'One',
      minutes: 3,
      model: 'script',
      intro: 'Intro with\n```sh\n## no step\n```',
      steps: [
        {
          title: 'First',
          prompts: ['Say it\nin two lines'],
          hints: ['One', 'Two'],
          checks: [
            { kind: 'call', call: 'read', outcome: 'ok' },
            { kind: 'file', file: 'a.txt', matches: '*b*' },
          ],
        },
        { title: 'Second', checks: [], smallModel: 'examples/small-model.vitrine.json' },
      ],
    },
  });
  // The text after a message talks about its result.
  expect(parsed).toMatchObject({
    lesson: {
      steps: [
        { text: 'Text.', after: 'More text.' },
        { text: '', after: '' },
      ],
    },
  });
});

test.each([
  ['no head', { markdown: '## Step' }, /^Line 1: the lesson must begin with front matter/],
  ['a head that is no line of it', { markdown: '---\ntitle: x\n* y\n---\n## S' }, /^Line 3: /],
  [
    'a time that is no number',
    { markdown: '---\ntitle: x\nsummary: x\nminutes: many\n---\n## S' },
    /^Front matter: minutes: expected 1 to 120$/,
  ],
  [
    'a time below the range',
    { markdown: '---\ntitle: x\nsummary: x\nminutes: -3\n---\n## S' },
    /^Front matter: minutes: expected 1 to 120$/,
  ],
  [
    'a time above the range',
    { markdown: '---\ntitle: x\nsummary: x\nminutes: 99999\n---\n## S' },
    /^Front matter: minutes: expected 1 to 120$/,
  ],
  ['a title that is missing', { markdown: '---\nsummary: x\n---\n## S' }, /^Front matter: title: /],
  ['a key that is not known', { markdown: '---\ntitle: x\nsummary: x\nauthor: me\n---\n## S' }, /author/],
  ['no steps', { markdown: head }, /has no steps/],
  [
    'a block before the steps',
    { markdown: `${head}\`\`\`prompt\nx\n\`\`\`\n## S` },
    /^Line 6: .*before the first/,
  ],
  ['an open block', { markdown: `${head}## S\n\`\`\`check\n{"steps": 1}` }, /^Line 7: .*not closed/],
  [
    'a recording at no https address',
    { markdown: `${head}## S\n\`\`\`small-model\nhttp://a.example/b.json\n\`\`\`` },
    /^Line 8: .*not the https address of a recording/,
  ],
  ['an empty block', { markdown: `${head}## S\n\`\`\`hint\n\`\`\`` }, /^Line 7: the block "hint" is empty/],
  [
    'a check that is no JSON',
    { markdown: `${head}## S\n\`\`\`check\ncall read\n\`\`\`` },
    /^Line 8: .*not JSON/,
  ],
  ['too much text', { markdown: head + 'x'.repeat(100_001) }, /markdown is longer than 100,000/],
  [
    'a question that none of its choices answers',
    {
      markdown: `${head}## One\n## Two\n\`\`\`check\n{"ask": "Which?", "choices": ["blue", "red"], "accept": ["green"]}\n\`\`\``,
    },
    /^Step 2: "accept" of "Which\?" fits none of its choices/,
  ],
  ['too many steps', { markdown: head + '## S\n'.repeat(41) }, /more than 40 steps/],
  ['a script that is none', { script: '{"version": 1}' }, /turns/],
  ['a file outside', { script: script.replace('{', '{"files": {"../x": ""},') }, /inside the workspace/],
  [
    'a pattern that could go on for ever',
    { script: script.replace('"steps"', '"when": "(a+)+b", "steps"') },
    /turns\[0\]\.when: a lesson's pattern/,
  ],
])('%s is reported', (_, source, why) => {
  expect(problems(source)).toContainEqual(expect.stringMatching(why));
});

test.each([
  ['{"call": "read", "outcome": "good"}', /"call" is not valid: outcome/],
  ['{"call": "read", "file": "x"}', /"call" is not valid/],
  ['{"ask": "x"}', /accept/],
  ['{"what": 1}', /a check has one of these keys: prompt, call/],
  ['[]', /is an object/],
  ['{"__proto__": {"call": "read"}}', /a check has one of these keys/],
])('the check %s is refused', (text, why) => {
  expect(parseCheck(text)).toEqual({ problem: expect.stringMatching(why) });
});

test('a file cannot be gone and have a text', () => {
  const check = JSON.stringify({ file: 'a.txt', matches: '*b*', gone: true });
  expect(problems({ markdown: `${head}## Step\n\`\`\`check\n${check}\n\`\`\`` })).toEqual([
    'Step 1: the check of "a.txt" has "matches" and "gone"; a file that is gone has no text.',
  ]);
});
