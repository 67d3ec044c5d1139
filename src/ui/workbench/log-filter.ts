import { entryText } from '../../preview/log.ts';
import type { NotedRecord } from '../../session/log/noted-record.ts';
import type { ToolRecord } from '../../tools/log/record.ts';

/** The records that contain every word of `query`, in any case, newest first. */
export function matching(records: readonly ToolRecord[], query: string): readonly ToolRecord[] {
  return newestWith(records, query, textOf);
}

/** The same for what happened in the preview. */
export function matchingNoted(records: readonly NotedRecord[], query: string): readonly NotedRecord[] {
  return newestWith(records, query, (record) => ('entry' in record ? entryText(record.entry) : ''));
}

function newestWith<T>(records: readonly T[], query: string, textOf: (record: T) => string): readonly T[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const newest = records.toReversed();
  if (wanted.length === 0) return newest;
  return newest.filter((record) => {
    const text = textOf(record).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function textOf({
  service,
  outcome,
  timedOut,
  args,
  result = '',
  agent = '',
  callID = '',
}: ToolRecord): string {
  const ended = timedOut ? 'timeout' : '';
  return [service, outcome, ended, agent, callID, JSON.stringify(args ?? ''), result].join('\n');
}
