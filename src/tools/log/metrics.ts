import type { ToolRecord } from './record.ts';
import type { Startup } from './starts.ts';

/** Statistics of the calls of one tool. */
export interface ToolMetrics {
  readonly tool: string;
  readonly count: number;
  /** The average of the calls that ran, in milliseconds. */
  readonly avgDuration: number;
  /** The 95th percentile of the durations, in milliseconds. */
  readonly p95: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly denials: number;
  /** How long preparing the tool took since the page was opened. */
  readonly startup: Startup | null;
}

/** Computes the statistics of each tool with calls in `records` or a startup, sorted by name. */
export function metricsOf(
  records: readonly ToolRecord[],
  startups: ReadonlyMap<string, Startup>,
): readonly ToolMetrics[] {
  const calls = records.filter(({ event }) => event === 'call');
  const tools = new Set([...calls.map(toolOf), ...startups.keys()]);
  return [...tools].sort().map((tool) => ({
    tool,
    ...counted(calls.filter((call) => toolOf(call) === tool)),
    startup: startups.get(tool) ?? null,
  }));
}

/** The smallest of `values` that at least a `share` of them does not exceed; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function counted(calls: readonly ToolRecord[]): Omit<ToolMetrics, 'tool' | 'startup'> {
  const durations = calls.flatMap(({ outcome, duration }) =>
    outcome === 'ok' || outcome === 'failed' ? duration : [],
  );
  const total = durations.reduce((sum, duration) => sum + duration, 0);
  const among = (fits: (call: ToolRecord) => boolean) => calls.filter(fits).length;
  return {
    count: calls.length,
    avgDuration: durations.length === 0 ? 0 : total / durations.length,
    p95: percentile(durations, 0.95),
    errors: among(({ outcome }) => outcome === 'failed' || outcome === 'invalid'),
    timeouts: among(({ timedOut }) => timedOut),
    denials: among(({ outcome }) => outcome === 'denied'),
  };
}

function toolOf({ service }: ToolRecord): string {
  return service.slice('tool.'.length);
}
