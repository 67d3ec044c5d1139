import { expect, test } from 'vitest';
import type { ToolRecord } from '../../tools/log/record.ts';
import { matching } from './log-filter.ts';

const record = (id: number, part: Partial<ToolRecord>): ToolRecord => ({
  id,
  service: 'tool.bash',
  event: 'call',
  time: 0,
  duration: 1,
  success: true,
  outcome: 'ok',
  timedOut: false,
  ...part,
});
const records = [
  record(0, { args: { command: 'npm test' }, result: 'All passed' }),
  record(1, { service: 'tool.read', outcome: 'failed', success: false }),
  record(2, { timedOut: true }),
];

test.each<[string, number[]]>([
  ['', [2, 1, 0]],
  ['  ', [2, 1, 0]],
  ['NPM', [0]],
  ['bash passed', [0]],
  ['failed', [1]],
  ['timeout', [2]],
  ['read npm', []],
])('what %j leaves', (query, ids) => {
  expect(matching(records, query).map(({ id }) => id)).toEqual(ids);
});
