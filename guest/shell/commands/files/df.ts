import { LIMITS } from '../../../../src/protocol/limits.ts';
import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { sizeBelow } from '../../kit/walk.ts';

const UNITS = ['', 'K', 'M', 'G'];

/** Shows the free space. All files share one limit and count as one file system. */
export const df = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, {
    short: 'ahHkmlPTt:x:',
    long: [
      'all=a',
      'human-readable=h',
      'si=H',
      'local=l',
      'portability=P',
      'print-type=T',
      'total',
      'sync',
      'no-sync',
    ],
  });
  let code = 0;
  let lines = operands.length === 0 ? 1 : 0;
  for (const name of operands) {
    const isThere = await found(call, name);
    if (isThere) lines++;
    else code = 1;
  }
  if (lines === 0) return code;
  // The contents of node_modules lie in the storage of the browser, which the limit does not count.
  const sizes = ['/home', '/tmp'].map((folder) => sizeBelow(call.files, folder, 'node_modules'));
  const used = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const size = Math.max(LIMITS.fileBytes, used);
  const isHuman = has.has('h') || has.has('H');
  const shown = isHuman
    ? human
    : (bytes: number) => String(Math.ceil(bytes / (has.has('m') ? 1024 ** 2 : 1024)));
  const [blocks, part] = has.has('P')
    ? [has.has('m') ? '1048576-blocks' : '1024-blocks', 'Capacity']
    : [isHuman ? 'Size' : has.has('m') ? '1M-blocks' : '1K-blocks', 'Use%'];
  const type = (text: string) => (has.has('T') ? [text] : []);
  const amounts = [shown(size), shown(used), shown(size - used), `${Math.ceil((used / size) * 100)}%`];
  const rows = [
    [
      'Filesystem',
      ...type('Type'),
      blocks,
      'Used',
      isHuman && !has.has('P') ? 'Avail' : 'Available',
      part,
      'Mounted on',
    ],
    ...Array.from({ length: lines }, () => ['workspace', ...type('memory'), ...amounts, '/']),
    ...(has.has('total') ? [['total', ...type('-'), ...amounts, '-']] : []),
  ];
  await out.write(inColumns(rows, has.has('T') ? 2 : 1));
  return code;
});

async function found(call: ProgramCall, name: string): Promise<boolean> {
  try {
    await call.files.stat(call.path(name));
    return true;
  } catch (error) {
    await complain(call, `${name}: ${fileError(error)}`);
    return false;
  }
}

function human(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  const text = amount < 10 && unit > 0 ? (Math.ceil(amount * 10) / 10).toFixed(1) : String(Math.ceil(amount));
  return text + (UNITS[unit] ?? '');
}

/** Aligns the first columns left and the amounts right; the last column stays as it is. */
function inColumns(rows: readonly (readonly string[])[], left: number): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(at === 0 ? 14 : at >= left ? 5 : 0, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const cell = (text: string, at: number, last: number) => {
    if (at === last) return text;
    const width = (rows[0] ?? [])[at]?.endsWith('%') ? 4 : (widths[at] ?? 0);
    return at < left ? text.padEnd(width) : text.padStart(width);
  };
  return rows.map((row) => `${row.map((text, at) => cell(text, at, row.length - 1)).join(' ')}\n`).join('');
}
