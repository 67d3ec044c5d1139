import { describe, expect, test } from 'vitest';
import { answersOf } from '../../test/support/scripted-talk.ts';
import { LANGUAGES } from '../ui/languages/languages.ts';
import type { Check, CheckOf } from './checks.ts';
import { parseLesson, type Lesson, type LessonSource } from './lesson.ts';
import { lessons, lessonsIn, loadLesson, loadSource, translationsOf } from './library.ts';
import { parseMarkdown } from './markdown.ts';
import { isSameCheck, scriptTranslationSchema, translate } from './translate.ts';
import { accepts, alike } from './answers.ts';
import { writeMarkdown } from './write.ts';

const english: LessonSource = {
  markdown: `---
title: One
summary: Two
minutes: 7
model: you
---

Intro

## First

Text.

\`\`\`prompt
Look
\`\`\`

What came of it.

\`\`\`hint
A hint
\`\`\`

\`\`\`check
{"call": "read", "outcome": "ok", "label": "It read"}
{"ask": "How many?", "accept": ["3"]}
\`\`\`

## Second

The end.

\`\`\`small-model
examples/small-model.vitrine.json
\`\`\`
`,
  script: JSON.stringify({
    version: 1,
    title: 'One',
    files: { 'a.txt': 'Found it.' },
    turns: [{ when: 'Look', steps: [{ text: 'Found it.' }, { text: 'Over.' }] }],
  }),
};

function lessonOf(markdown: string, script?: string) {
  const parsed = parseLesson(translate(english, { markdown, ...(script !== undefined && { script }) }));
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  return parsed.lesson;
}

const head = '---\ntitle: Eins\nsummary: Zwei\n---\n';

test('what a translation leaves out stays in English', () => {
  const lesson = lessonOf(`${head}
## Erstens

\`\`\`prompt
Sieh nach
\`\`\`

\`\`\`check
{"call": "read", "outcome": "ok", "label": "Es las"}
\`\`\`

## Zweitens
`);
  expect(lesson).toMatchObject({ title: 'Eins', summary: 'Zwei', minutes: 7, model: 'you', intro: 'Intro' });
  expect(lesson.steps).toMatchObject([
    {
      title: 'Erstens',
      text: 'Text.',
      after: 'What came of it.',
      prompts: ['Sieh nach'],
      hints: ['A hint'],
      checks: [{ label: 'Es las' }, { ask: 'How many?', accept: ['3'] }],
    },
    { title: 'Zweitens', text: 'The end.', smallModel: 'examples/small-model.vitrine.json' },
  ]);
});

test('a check that asks for something else than the English one is not taken', () => {
  const step =
    '## Erstens\n\n```prompt\nSieh nach\n```\n\n```check\n{"call": "write", "label": "Es las"}\n```\n';
  expect(lessonOf(head + step).steps[0]?.checks[0]).toMatchObject({ call: 'read', label: 'It read' });
});

test('a step with another number of messages stays in English', () => {
  expect(lessonOf(`${head}\n## Erstens\n\nNeuer Text.\n`).steps[0]).toMatchObject({
    title: 'First',
    text: 'Text.',
  });
});

test('the model answers in the language, to messages in either, and the files stay as they are', () => {
  const script = JSON.stringify({ texts: { 'Found it.': 'Gefunden.' }, when: { Look: 'Sieh' } });
  expect(lessonOf(head, script).script).toMatchObject({
    files: { 'a.txt': 'Found it.' },
    turns: [{ when: 'Look|Sieh', steps: [{ text: 'Gefunden.' }, { text: 'Over.' }] }],
  });
});

test.each(lessons.map(({ id }) => id))('%s is read again as it was written', async (id) => {
  const { card, ...rest } = parseMarkdown((await loadSource(id)).markdown);
  if (!card) throw new Error(`${id} has no head.`);
  expect(parseMarkdown(writeMarkdown({ card, ...rest }))).toEqual({ card, ...rest });
});

test('a list in a language says in which language each lesson is', () => {
  const [first] = lessonsIn('de');
  expect(first).toMatchObject({ id: 'what-a-tool-call-is', language: 'de', minutes: 4, steps: 4 });
  expect(first?.title).not.toBe(lessons[0]?.title);
  expect(lessonsIn('nl')).toEqual(lessons);
  expect(lessons[0]).toMatchObject({ language: 'en' });
});

const files = import.meta.glob<string>(['./*/*/{lesson.md,script.json}', '!./*/files/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const translations = lessons.flatMap(({ id }) =>
  translationsOf(id).map((language) => [id, language] as const),
);

test.each(lessons.map(({ id }) => id))('%s is in every language of the page', (id) => {
  expect(translationsOf(id).toSorted()).toEqual(LANGUAGES.filter((tag) => tag !== 'en').toSorted());
});

/** Whatever is more than one word in a lesson, and what its model says. */
function sentencesOf({ title, summary, intro, steps, script }: Lesson): readonly string[] {
  const ofCheck = (check: Check) =>
    check.kind === 'ask' ? [check.ask, ...(check.choices ?? [])] : [check.label];
  return [
    ...[title, summary, intro],
    ...steps.flatMap((step) => [step.title, step.text, step.after, ...step.prompts, ...step.hints]),
    ...steps.flatMap(({ checks }) => checks.flatMap(ofCheck)),
    ...script.turns.flatMap((turn) => turn.steps.flatMap(answersOf).map(({ text }) => text)),
  ]
    .filter((each) => each?.includes(' '))
    .map(String);
}

/** Which of the choices of a question are right. */
function acceptedOf({ choices = [], accept }: CheckOf<'ask'>): readonly boolean[] {
  return choices.map((choice) => accepts(accept, choice));
}

describe.each(translations)('%s in %s', (id, language) => {
  const fileOf = (name: string) =>
    Object.entries(files).find(
      ([path]) => path.replace(/^\.\/\d+-/, '') === `${id}/${language}/${name}`,
    )?.[1];

  test('is in a language of the page', () => {
    expect(LANGUAGES).toContain(language);
  });

  test('has the steps, messages, hints and checks of the English text', async () => {
    const from = parseMarkdown((await loadSource(id)).markdown);
    const to = parseMarkdown(fileOf('lesson.md') ?? '');
    expect(to.problems).toEqual([]);
    expect(to.steps.length).toBe(from.steps.length);
    for (const [index, step] of to.steps.entries()) {
      const { title, prompts, hints, checks } = from.steps[index]!;
      expect(step.prompts.length, title).toBe(prompts.length);
      if (step.hints.length > 0) expect(step.hints.length, title).toBe(hints.length);
      if (step.checks.length === 0) continue;
      expect(step.checks.length, title).toBe(checks.length);
      for (const [at, check] of step.checks.entries()) {
        expect(isSameCheck(checks[at]!, check), JSON.stringify(check)).toBe(true);
        if (check.kind === 'ask' && checks[at]?.kind === 'ask')
          expect(check.choices?.length, check.ask).toBe(checks[at].choices?.length);
      }
    }
  });

  test('leaves nothing in English', async () => {
    const from = await loadLesson(id);
    expect(
      sentencesOf(await loadLesson(id, language)).filter((each) => sentencesOf(from).includes(each)),
    ).toEqual([]);
  });

  test('accepts the same choice as the English lesson, and waits for what the model says in it', async () => {
    const from = await loadLesson(id);
    const { steps, script } = await loadLesson(id, language);
    const said = script.turns.flatMap((turn) => turn.steps.flatMap(answersOf).map(({ text = '' }) => text));
    for (const [index, { checks }] of steps.entries())
      for (const [at, check] of checks.entries()) {
        const english = from.steps[index]?.checks[at];
        if (check.kind === 'says')
          expect(
            said.filter((text) => alike(check.says, text)),
            check.says,
          ).not.toEqual([]);
        if (check.kind === 'ask' && check.choices && english?.kind === 'ask')
          expect(acceptedOf(check), check.ask).toEqual(acceptedOf(english));
      }
  });

  test('names texts and patterns that the script has', async () => {
    const { script } = await loadLesson(id);
    const written = fileOf('script.json');
    if (written === undefined) return;
    const { texts, when } = scriptTranslationSchema.parse(JSON.parse(written));
    const all = JSON.stringify([script.title, script.turns]);
    expect(Object.keys(texts).filter((text) => !all.includes(JSON.stringify(text)))).toEqual([]);
    const patterns = script.turns.map((turn) => turn.when);
    expect(Object.keys(when).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
  });
});
