import type { ToolRecord } from '../../tools/log/record.ts';

/** The records that contain every word of `query`, in any case, newest first. */
export function matching(records: readonly ToolRecord[], query: string): readonly ToolRecord[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const newest = records.toReversed();
  if (wanted.length === 0) return newest;
  return newest.filter((record) => {
    const text = textOf(record);
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
  return [service, outcome, ended, agent, callID, JSON.stringify(args ?? ''), result]
    .join('\n')
    .toLowerCase();
}
