import * as z from 'zod';

/** How much a model thinks before it answers, from the least on. */
export const effortSchema = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export type Effort = z.infer<typeof effortSchema>;

/** Of what a model offers, from the least on: what was asked for, else the next below, else the least. */
export function fittingEffort(wanted: Effort, offered: readonly Effort[]): Effort | undefined {
  const rank = (effort: Effort) => effortSchema.options.indexOf(effort);
  return offered.findLast((effort) => rank(effort) <= rank(wanted)) ?? offered[0];
}
