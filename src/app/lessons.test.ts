import { expect, onTestFinished, test } from 'vitest';
import { takeLesson } from '../../test/support/learner.ts';
import { lessonApp } from '../../test/support/lesson-app.ts';
import { lessons, translationsOf } from '../lessons/library.ts';
import { lessonWords } from '../ui/lessons/lesson-words.ts';

/** Its page needs a browser, so it is taken in test/e2e/lessons-to-the-end.spec.ts. */
const WITH_A_PAGE = 'the-agent-looks';

const taken = lessons
  .filter(({ id }) => id !== WITH_A_PAGE)
  .flatMap(({ id }) => ['en', ...translationsOf(id)].map((language) => [id, language] as const));

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
