import * as z from 'zod';
import { isCanonicalRelative } from '../paths.ts';
import type { HelperMessage } from './frames.ts';

/*
 * Whatever the helper says is parsed before it is believed: programs in the container can print frames as well, if they
 * guess the nonce.
 */

const told = z.union([
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ output: z.base64() }),
  z.object({ exit: z.number().int() }),
]);

/** Answers are as large as the tree: they are looked at once, by who asked. */
export function helperMessage(value: unknown): HelperMessage {
  if (typeof value === 'object' && value !== null) {
    if ('answer' in value) return { answer: value.answer };
    if ('partial' in value) return { partial: value.partial };
  }
  return told.parse(value);
}

const stat = {
  type: z.enum(['file', 'directory', 'symlink']),
  size: z.number().int().nonnegative(),
  modified: z.number(),
  mode: z.number().int().min(0).max(0o7777),
};
const found = { truncated: z.boolean(), timedOut: z.boolean(), hidden: z.number().int().nonnegative() };

export const helperAnswers = {
  scan: z.array(
    z.object({ path: z.string().refine(isCanonicalRelative), ...stat, target: z.string().exactOptional() }),
  ),
  stat: z.object({ real: z.string(), stat: z.object(stat).nullable() }),
  list: z.array(z.object({ name: z.string(), ...stat })),
  glob: z.object({ paths: z.array(z.string()), ...found }),
  grep: z.object({
    matches: z.array(z.object({ path: z.string(), line: z.number().int().positive(), text: z.string() })),
    ...found,
  }),
  programs: z.array(z.string()),
  nothing: z.unknown(),
};
