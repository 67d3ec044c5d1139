import { FaultError } from '../base/fault.ts';
import { parseLesson, type Lesson, type LessonSource } from './lesson.ts';

/** Throws a fault that lists everything that is wrong with the lesson. */
export function lessonOf(source: LessonSource, id: string): Lesson {
  const parsed = parseLesson(source);
  if (parsed.ok) return parsed.lesson;
  throw new FaultError({
    code: 'lesson-invalid',
    what: `The lesson is not valid: ${parsed.problems.join(' ')}`,
    where: id,
    next: 'docs/teaching.md describes how a lesson is written.',
  });
}
