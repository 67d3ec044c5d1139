import { expect, onTestFinished, test } from 'vitest';
import { takeLesson } from '../../test/support/learner.ts';
import { lessonApp } from '../../test/support/lesson-app.ts';
import { lessons } from '../lessons/library.ts';

test.each(lessons.map(({ id }) => id))(
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

test('there are at least nine', () => {
  expect(lessons.length).toBeGreaterThanOrEqual(9);
});
