import type { ToolMetrics } from './metrics.ts';
import type { ToolRecord } from './record.ts';

/** The content of the exported log file. `preview` is what happened in the preview, which may be any JSON. */
export function logAsJSON(
  records: readonly ToolRecord[],
  metrics: readonly ToolMetrics[],
  preview: readonly object[],
): string {
  return JSON.stringify({ records, metrics, preview }, null, 2);
}
