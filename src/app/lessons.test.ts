import { expect, onTestFinished, test } from 'vitest';
import { takeLesson } from '../../test/support/learner.ts';
import { lessonApp } from '../../test/support/lesson-app.ts';
import { lessons, loadLesson, translationsOf } from '../lessons/library.ts';
import { lessonWords } from '../ui/lessons/lesson-words.ts';

/** Its page needs a browser, so it is taken in test/e2e/lessons-to-the-end.spec.ts. */
const WITH_A_PAGE = 'the-agent-looks';

const taken = lessons
  .filter(({ id }) => id !== WITH_A_PAGE)
  .flatMap(({ id }) => ['en', ...translationsOf(id)].map((language) => [id, language] as const));

/**
 * Lists the texts that the model says in place of the meant answer if a call did not do what it was for. A learner who
 * follows the lesson to the letter never reads one.
 */
async function excusesOf(id: string, language: string): Promise<readonly string[]> {
  const answers = async (of: string) =>
    (await loadLesson(id, of)).script.turns.flatMap(({ steps }) =>
      steps.flatMap(({ cases = [] }) => cases.map(({ text = '' }) => text)),
    );
  const english = await answers('en');
  const translated = await answers(language);
  return translated.filter((_, index) => english[index]?.includes('To go on with the lesson'));
}

test.each(taken)(
  'the lesson %s can be taken to its end in %s',
  async (id, language) => {
    const { lessons: app, sessions, queue, close } = await lessonApp(undefined, language);
    onTestFinished(close);
    const open = await app.open(id);
    onTestFinished(() => open.close());
    await takeLesson(open, { queue, live: () => sessions.live() });
    expect(app.list().find((entry) => entry.id === id)).toMatchObject({
      step: open.run.lesson.steps.length,
      language,
    });
    const parts = [...open.session.state.parts.values()];
    const said = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
    const excuses = await excusesOf(id, language);
    expect(said.filter((text) => excuses.includes(text))).toEqual([]);
  },
  30_000,
);

test('a message that a lesson does not know is answered in the language of the page', async () => {
  const { lessons: app, close } = await lessonApp();
  onTestFinished(close);
  const script = await app.script('lesson/what-a-tool-call-is');
  expect(script?.turns.at(-1)).toEqual({ steps: [{ text: lessonWords.unknownMessage }] });
});

test('there are at least ten', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(10);
  expect(lessons.map(({ id }) => id)).toContain(WITH_A_PAGE);
});
