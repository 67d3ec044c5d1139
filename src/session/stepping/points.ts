import * as z from 'zod/mini';
import { isRegExp } from '../../base/regexp.ts';
import { matches } from '../../permissions/wildcard.ts';

/** The next event: a request is sent, its answer is used, a tool runs, or its result is passed on. */
export const pausePointSchema = z.enum(['request', 'response', 'call', 'result']);
export type PausePoint = z.infer<typeof pausePointSchema>;

/** A breakpoint pauses when all of its conditions are true. */
export const breakpointSchema = z.strictObject({
  /** Absent means every point. */
  point: z.optional(pausePointSchema),
  /** The name of the tool, which may contain `*` and `?`. Only calls and results have one. */
  tool: z.optional(z.string().check(z.minLength(1))),
  /** A regular expression for the messages, answer, arguments or output at the point. */
  pattern: z.optional(
    z.string().check(z.minLength(1)).check(z.refine(isRegExp, 'is not a regular expression')),
  ),
  /** Set to pause only at failures: an answer that ended in an error, or a result that is one. */
  errors: z.optional(z.literal(true)),
});
export type Breakpoint = z.infer<typeof breakpointSchema>;

/** The data of a reached point that breakpoints are compared with. */
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
