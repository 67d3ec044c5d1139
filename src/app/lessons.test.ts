import { expect, onTestFinished, test } from 'vitest';
import { takeLesson } from '../../test/support/learner.ts';
import { lessonApp } from '../../test/support/lesson-app.ts';
import { lessons } from '../lessons/library.ts';

/** Its page needs a browser, so it is taken in test/e2e/lessons-to-the-end.spec.ts. */
const WITH_A_PAGE = 'the-agent-looks';

test.each(lessons.map(({ id }) => id).filter((id) => id !== WITH_A_PAGE))(
  'the lesson %s can be taken to its end',
  async (id) => {
    const { lessons: app, sessions, queue, close } = await lessonApp();
    onTestFinished(close);
    const open = await app.open(id);
    onTestFinished(() => open.close());
    await takeLesson(open, { queue, live: () => sessions.live() });
    expect(app.list().find((entry) => entry.id === id)).toMatchObject({ step: open.run.lesson.steps.length });
  },
  30_000,
);

test('there are at least ten', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(10);
  expect(lessons.map(({ id }) => id)).toContain(WITH_A_PAGE);
});
