import { Marked, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { answersOf } from '../../test/support/scripted-talk.ts';
import { conversationWords } from '../ui/conversation/conversation-words.ts';
import { restoreWords } from '../ui/conversation/restore/restore-words.ts';
import { taskWords } from '../ui/conversation/task/task-words.ts';
import { verbWords } from '../ui/conversation/tools/verb-words.ts';
import { inspectorWords } from '../ui/glass/inspector/inspector-words.ts';
import { recordingWords } from '../ui/glass/recording/recording-words.ts';
import { youWords } from '../ui/glass/you/you-words.ts';
import type { Catalogue } from '../ui/languages/catalogue.ts';
import type { Messages } from '../ui/languages/messages.ts';
import { lessonWords } from '../ui/lessons/lesson-words.ts';
import { words } from '../ui/words.ts';
import { previewWords } from '../ui/workbench/preview/words.ts';
import { LANGUAGES } from '../ui/languages/languages.ts';
import { BUILD_PAGE, BUILD_PAGE_PROMPT } from './demo/build-page.ts';
import { DEMO_PROMPT, demoWhere } from './demo/demo.ts';
import { wordingIn, type Wording } from './demo/wording.ts';
import type { Lesson } from './lesson.ts';
import { lessons, loadLesson, translationsOf } from './library.ts';
import { scriptTranslationSchema } from './translate.ts';
import { YOU_FILES, YOU_PROMPT, YOU_TITLE } from './you-start/you-start.ts';

const english = {
  page: words,
  conversation: conversationWords,
  restore: restoreWords,
  task: taskWords,
  verbs: verbWords,
  inspector: inspectorWords,
  recording: recordingWords,
  you: youWords,
  lesson: lessonWords,
  preview: previewWords,
};
type Texts = Messages<Pick<Catalogue, keyof typeof english>>;

const modules = import.meta.glob<{ readonly default: Texts }>('../ui/languages/*/catalogue.ts', {
  eager: true,
});
const textsIn = (language: string): Texts => {
  const found = modules[`../ui/languages/${language}/catalogue.ts`];
  if (!found) throw new Error(`There is no catalogue in ${language}.`);
  return found.default;
};

/** Labels of the page that lessons quote, by the English ones. */
const LABELS: Readonly<Record<string, (texts: Texts) => string>> = {
  'Use this message': ({ lesson }) => lesson.take,
  List: ({ verbs }) => verbs.of('List'),
  Read: ({ verbs }) => verbs.of('Read'),
  Search: ({ verbs }) => verbs.of('Search'),
  Run: ({ verbs }) => verbs.of('Run'),
  'Sub-agent': ({ verbs }) => verbs.of('Sub-agent'),
  'Open its session': ({ task }) => task.open,
  'not valid': ({ conversation }) => conversation.outcomes.invalid,
  failed: ({ conversation }) => conversation.outcomes.failed,
  '1 of 2': ({ conversation }) => conversation.nth(1, 2),
  'Allow once': ({ conversation }) => conversation.allowOnce,
  'Allow for this session': ({ conversation }) => conversation.allowSession,
  Deny: ({ conversation }) => conversation.deny,
  'Always allow': ({ conversation }) => conversation.allowAlways,
  'Allow everywhere': ({ conversation }) => conversation.allowEverywhere,
  'Start again': ({ lesson }) => lesson.restart,
  'Tell the agent why': ({ conversation }) => conversation.denyWhy,
  'Restore to here': ({ restore }) => restore.restore,
  Stop: ({ page }) => page.stop,
  'Context: …': ({ page }) => `${page.context}: …`,
  Files: ({ page }) => page.files,
  Preview: ({ page }) => page.preview,
  Console: ({ preview }) => preview.drawer,
  Inspector: ({ page }) => page.inspector,
  Rules: ({ inspector }) => inspector.tabs.rules,
  'Step 1': ({ inspector }) => inspector.step(1),
  'Step 2': ({ inspector }) => inspector.step(2),
  'You are the model': ({ you }) => you.title,
  'What the model sees': ({ you }) => you.sees,
  'Call a tool': ({ you }) => you.callTool,
  'Send with 1 call': ({ you }) => you.sendCalls(1),
  Text: ({ you }) => you.text,
  'Send the answer': ({ you }) => you.send,
};

/** The choices of a question that are labels of the page. */
const KINDS = [
  ({ conversation }: Texts) => conversation.contextKinds.system,
  ({ conversation }: Texts) => conversation.contextKinds.messages,
  ({ conversation }: Texts) => conversation.contextKinds.outputs,
];

/** These names are the same in every language: arguments of tools, and what JavaScript prints. */
const NAMES = ['filePath', 'pattern', 'oldString', 'newString', 'TypeError', 'cake'];

/** Lessons emphasise these words because of their meaning. */
const STRESSED = [
  ...['tool call', 'says', 'result', 'schema', 'loop', 'again', 'orders to the model', 'prompt injection'],
  ...['context', 'summarized', 'several calls', 'all', 'same', 'doom loop', 'sub-agent', 'here'],
  'Allow the first once. Refuse the second with a reason',
];

const marked = new Marked();

/** Returns what a Markdown text emphasises, what it marks as code, and its other texts, as the page will show them. */
function spansOf(markdown: string) {
  const emphasised: string[] = [];
  const code: string[] = [];
  const plain: string[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'em' || token.type === 'strong') emphasised.push(String(token['text']));
    if (token.type === 'codespan') code.push(String(token['text']));
    if (token.type === 'text' && !('tokens' in token && token.tokens)) plain.push(token.text);
  });
  return { emphasised, code, plain };
}

/** Asterisks that emphasise nothing: beside some punctuation, Markdown takes them for themselves. */
const strayIn = ({ plain }: ReturnType<typeof spansOf>) => plain.filter((text) => text.includes('*'));

/** Its numbers without what stands between thousands or before a fraction, which languages write differently. */
const numbersOf = (text: string) =>
  (text.match(/\d(?:[\d.,\u00a0\u202f]*\d)?/g) ?? []).map((number) => number.replace(/\D/g, ''));

/** The texts of a lesson, each with the place where it stands. */
function piecesOf({ intro, steps }: Lesson): readonly (readonly [place: string, text: string])[] {
  return [
    ['intro', intro],
    ...steps.flatMap(({ text, after, hints }, index) =>
      [text, after, ...hints].map((piece, at) => [`step ${index + 1}, text ${at + 1}`, piece] as const),
    ),
  ];
}

const without = (all: readonly string[], found: readonly string[]) =>
  all.filter((each) => !found.includes(each));

test.each(Object.entries(LABELS))('the label "%s" is on the page', (name, label) => {
  expect(label(english)).toBe(name);
});

test('whatever lessons emphasise is a label of the page, a name, or a word to stress', async () => {
  const all = await Promise.all(lessons.map(async ({ id }) => piecesOf(await loadLesson(id))));
  const emphasised = all.flat().flatMap(([, text]) => spansOf(text).emphasised);
  expect(without(emphasised, [...Object.keys(LABELS), ...NAMES, ...STRESSED])).toEqual([]);
  expect(without([...Object.keys(LABELS), ...NAMES, ...STRESSED], emphasised)).toEqual([]);
});

test.each(['en', ...translationsOf('truncation-and-context')])(
  'a question about the context has the names of its kinds as choices in %s',
  async (language) => {
    const texts = language === 'en' ? english : textsIn(language);
    const { steps } = await loadLesson('truncation-and-context', language);
    const choices = steps.flatMap(({ checks }) =>
      checks.map((check) => (check.kind === 'ask' ? (check.choices ?? []) : [])),
    );
    expect(choices).toContainEqual(KINDS.map((kind) => kind(texts)));
  },
);

const translations = lessons.flatMap(({ id }) =>
  translationsOf(id).map((language) => [id, language] as const),
);
const scripts = import.meta.glob<string>('./*/*/script.json', {
  eager: true,
  query: '?raw',
  import: 'default',
});

describe.each(translations)('%s in %s', (id, language) => {
  test('quotes the labels of the page as they are there, and keeps names, code and numbers', async () => {
    const own = piecesOf(await loadLesson(id, language));
    for (const [index, [place, text]] of piecesOf(await loadLesson(id)).entries()) {
      const from = spansOf(text);
      const translated = own[index]?.[1] ?? '';
      const to = spansOf(translated);
      const quoted = from.emphasised.flatMap((each) => LABELS[each]?.(textsIn(language)) ?? []);
      const names = from.emphasised.filter((each) => NAMES.includes(each));
      expect.soft(without([...quoted, ...names], to.emphasised), place).toEqual([]);
      expect.soft(without(from.code, to.code), place).toEqual([]);
      expect.soft(strayIn(to), place).toEqual([]);
      // A label may have its number in words.
      const figures = without(numbersOf(text), numbersOf(from.emphasised.join(' ')));
      expect.soft(without(figures, numbersOf(translated)), place).toEqual([]);
    }
  });

  test('has no line break that would be shown as a space between two Chinese characters', async () => {
    const texts = piecesOf(await loadLesson(id, language)).map(([, text]) => text);
    expect(texts.filter((text) => /[\u3000-\u9fff\uff00-\uffef]\n(?!\n)/.test(text))).toEqual([]);
  });

  test('lets the model say the same figures, and name the same files', () => {
    const written = Object.entries(scripts).find(
      ([path]) => path.replace(/^\.\/\d+-/, '') === `${id}/${language}/script.json`,
    )?.[1];
    const { texts } = scriptTranslationSchema.parse(JSON.parse(written ?? '{}'));
    expectSameFacts(texts, language);
  });
});

/** That texts have the figures, the code and the labels of the English ones. */
function expectSameFacts(texts: Readonly<Record<string, string>>, language: string): void {
  for (const [said, own] of Object.entries(texts)) {
    const [from, to] = [spansOf(said), spansOf(own)];
    expect.soft(without(numbersOf(said), numbersOf(own)), said).toEqual([]);
    expect.soft(without(from.code, to.code), said).toEqual([]);
    expect.soft(strayIn(to), said).toEqual([]);
    const labels = from.emphasised.flatMap((each) => LABELS[each]?.(textsIn(language)) ?? []);
    expect.soft(without(labels, to.emphasised), said).toEqual([]);
  }
}

const wordings = import.meta.glob<Wording>('./demo/words/*.json', { eager: true, import: 'default' });
const demos = [demoWhere({ isolated: true }), demoWhere({ isolated: false }), BUILD_PAGE];
const prompts = [DEMO_PROMPT, BUILD_PAGE_PROMPT, YOU_PROMPT];

/** Whatever a person reads of the starts of the first page. */
function readIn(language: (start: string) => string): readonly string[] {
  const said = demos.flatMap(({ title, turns }) => [
    title,
    ...turns.flatMap(({ steps }) =>
      steps
        .flatMap(answersOf)
        .flatMap(({ text, reasoning, tools = [] }) => [
          ...[text, reasoning],
          ...tools.map(({ input }) => input?.['description']),
        ]),
    ),
  ]);
  return [...said, ...prompts, YOU_TITLE, ...Object.values(YOU_FILES)]
    .filter((each) => typeof each === 'string' && each !== '')
    .map((each) => language(String(each)));
}

test('the starts of the first page are worded in every language of the page', () => {
  const tags = Object.keys(wordings).map((path) => /(\w+)\.json$/.exec(path)?.[1]);
  expect(tags.toSorted()).toEqual(LANGUAGES.filter((tag) => tag !== 'en').toSorted());
});

describe.each(Object.keys(wordings).map((path) => [/(\w+)\.json$/.exec(path)?.[1] ?? '', path] as const))(
  'the starts of the first page in %s',
  (language, path) => {
    const { texts, page } = wordings[path]!;

    test('are all worded, with the same facts', async () => {
      const inLanguage = await wordingIn(language);
      const english = readIn((text) => text);
      expect(readIn(inLanguage).filter((text) => english.includes(text))).toEqual([]);
      expect(without(Object.keys(texts), english)).toEqual([]);
      expectSameFacts(texts, language);
    });

    test('build a page in which the agent waits for what its program writes', async () => {
      const { turns } = (await wordingIn(language))(BUILD_PAGE);
      const inputs = turns.flatMap(({ steps }) =>
        steps.flatMap(answersOf).flatMap(({ tools = [] }) => tools.map(({ input }) => input ?? {})),
      );
      const built = inputs.map(({ content }) => String(content ?? '')).join('');
      const before = JSON.stringify(BUILD_PAGE);
      for (const [piece, own] of Object.entries(page)) {
        expect(before).toContain(JSON.stringify(piece).slice(1, -1));
        expect(built).toContain(own);
      }
      const waited = inputs.find(({ operation }) => operation === 'wait')?.['text'];
      expect(built).toContain(String(waited).replace('23.00', '${each.toFixed(2)}'));
    });
  },
);
