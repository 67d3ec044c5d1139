import * as z from 'zod/mini';

/** How much a model thinks before it answers, lowest first. */
export const effortSchema = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export type Effort = z.infer<typeof effortSchema>;

/**
 * Picks the wanted effort if the model offers it, otherwise the next lower one, otherwise the lowest.
 * `offered` is sorted, lowest first.
 */
export function fittingEffort(wanted: Effort, offered: readonly Effort[]): Effort | undefined {
  const rank = (effort: Effort) => effortSchema.options.indexOf(effort);
  return offered.findLast((effort) => rank(effort) <= rank(wanted)) ?? offered[0];
}
