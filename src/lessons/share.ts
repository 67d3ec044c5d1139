import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { readJsonFile } from '../base/json-file.ts';
import { collect, pack, unpacking } from '../base/packed.ts';
import type { LessonSource } from './lesson.ts';
import { SOURCE_LIMITS } from './parts.ts';

const fileSchema = z.strictObject({
  vitrineLesson: z.literal(1),
  markdown: z.string().check(z.maxLength(SOURCE_LIMITS.markdown)),
  script: z.string().check(z.maxLength(SOURCE_LIMITS.script)),
});

/** Limit for the whole file as UTF-8, including JSON escapes. */
const MOST_BYTES = 2 * (SOURCE_LIMITS.markdown + SOURCE_LIMITS.script);

/** Stores a lesson in one file. */
export function toFile({ markdown, script }: LessonSource): string {
  return `${JSON.stringify({ vitrineLesson: 1, markdown, script }, null, 2)}\n`;
}

/** Rejects with a fault if the file does not have this format. The lesson itself is not checked. */
export function fromFile(text: string): LessonSource {
  const { markdown, script } = readJsonFile(text, fileSchema, { most: MOST_BYTES, invalid });
  return { markdown, script };
}

/** Returns the part of the address after `#lesson=`. */
export function toLink(source: LessonSource): Promise<string> {
  return pack(toFile(source));
}

export async function fromLink(data: string): Promise<LessonSource> {
  try {
    const bytes = await collect(unpacking(data), MOST_BYTES, () => invalid('it is too large'));
    return fromFile(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw error instanceof FaultError ? error : invalid('the link is damaged');
  }
}

function invalid(why: string): FaultError {
  return new FaultError({
    code: 'lesson-invalid',
    what: `This lesson cannot be read: ${why}.`,
    next: 'Ask whoever made it for a new file or link.',
  });
}
