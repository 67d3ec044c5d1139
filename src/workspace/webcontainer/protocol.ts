import * as z from 'zod';
import { isCanonicalRelative } from '../../protocol/paths.ts';
import type { HelperMessage } from '../../protocol/container-frames.ts';

/*
 * Validates everything that the helper sends, because programs in the container could print frames too, if they guess the
 * nonce.
 */

const told = z.union([
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ output: z.base64() }),
  z.object({ exit: z.number().int(), cwd: z.string().exactOptional() }),
]);

/** Checks only the outer form. Answers can be as large as the tree, so the caller validates them, once. */
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
const found = {
  truncated: z.boolean(),
  timedOut: z.boolean(),
  hidden: z.number().int().nonnegative(),
  ignored: z.boolean(),
};

export const helperAnswers = {
  scan: z.array(
    z.object({ path: z.string().refine(isCanonicalRelative), ...stat, target: z.string().exactOptional() }),
  ),
  stat: z.object({ real: z.string(), stat: z.object(stat).nullable() }),
  list: z.array(z.object({ name: z.string(), ...stat })),
  glob: z.object({ paths: z.array(z.string()), ...found }),
  grep: z.object({
    matches: z.array(
      z.object({
        path: z.string(),
        line: z.number().int().positive(),
        text: z.string(),
        before: z.array(z.string()).exactOptional(),
        after: z.array(z.string()).exactOptional(),
      }),
    ),
    ...found,
  }),
  programs: z.array(z.string()),
  nothing: z.unknown(),
};
