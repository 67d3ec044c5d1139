import type { ToolMetrics } from './metrics.ts';
import type { ToolRecord } from './record.ts';

/** The content of the exported log file. */
export function logAsJSON(records: readonly ToolRecord[], metrics: readonly ToolMetrics[]): string {
  return JSON.stringify({ records, metrics }, null, 2);
}
