import * as z from 'zod';
import { isRegExp } from '../../base/regexp.ts';
import { matches } from '../../permissions/wildcard.ts';

/** What is about to happen: a request goes out, its answer is taken up, a tool runs, its result is told. */
export const pausePointSchema = z.enum(['request', 'response', 'call', 'result']);
export type PausePoint = z.infer<typeof pausePointSchema>;

/** Pauses where all of it holds. */
export const breakpointSchema = z.strictObject({
  /** Absent: at each of them. */
  point: pausePointSchema.optional(),
  /** Of the tool; may contain `*` and `?`. Only calls and results have one. */
  tool: z.string().min(1).optional(),
  /** A regular expression on what is about to be told: messages, answer, arguments, output. */
  pattern: z.string().min(1).refine(isRegExp, 'is not a regular expression').optional(),
  /** Only where something failed: an answer that ended in an error, a result that is one. */
  errors: z.literal(true).optional(),
});
export type Breakpoint = z.infer<typeof breakpointSchema>;

/** Of a point that is reached, what a breakpoint looks at. */
export interface Reached {
  readonly point: PausePoint;
  readonly tool?: string;
  readonly failed: boolean;
  text(): string;
}

export function breaksAt({ point, tool, pattern, errors }: Breakpoint, reached: Reached): boolean {
  return (
    (point === undefined || point === reached.point) &&
    (tool === undefined || (reached.tool !== undefined && matches(tool, reached.tool))) &&
    (!errors || reached.failed) &&
    (pattern === undefined || new RegExp(pattern).test(reached.text()))
  );
}
