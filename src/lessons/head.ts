import * as z from 'zod/mini';
import type { LessonCard } from './parts.ts';

const MINUTES = 'expected 1 to 120';

const headSchema = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(80)),
  summary: z.string().check(z.minLength(1), z.maxLength(200)),
  minutes: z._default(
    z.coerce.number(MINUTES).check(z.int(MINUTES), z.minimum(1, MINUTES), z.maximum(120, MINUTES)),
    5,
  ),
  model: z._default(z.enum(['script', 'you']), 'script'),
});

export interface Head {
  readonly card?: LessonCard;
  /** Index of the first line after the head. */
  readonly end: number;
  readonly problems: readonly string[];
}

/** Parses the `key: value` lines between two lines of `---` at the start. */
export function parseHead(lines: readonly string[]): Head {
  const close = lines.indexOf('---', 1);
  if (lines[0] !== '---' || close < 0)
    return {
      end: 0,
      problems: ['Line 1: the lesson must begin with front matter between two lines of ---.'],
    };
  const values: Record<string, string> = Object.create(null);
  const problems: string[] = [];
  for (const [index, line] of lines.slice(1, close).entries()) {
    const [, key, value] = /^(\w+):(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values[key] = value.trim();
    else if (line.trim() !== '')
      problems.push(`Line ${index + 2}: the front matter needs lines like "title: …".`);
  }
  const parsed = headSchema.safeParse({ ...values });
  if (!parsed.success)
    problems.push(
      ...parsed.error.issues.map(({ path, message }) => `Front matter: ${[...path, message].join(': ')}`),
    );
  return { ...(parsed.success && { card: parsed.data }), end: close + 1, problems };
}
