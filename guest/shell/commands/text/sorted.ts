import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { lineBatches, open, optionsOf, writing, type Writer } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { Lines } from './lines.ts';

/** Shows the lines that two sorted files have alone and in common. */
export const comm = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: '123z',
    long: ['output-delimiter:', 'total', 'check-order', 'nocheck-order', 'zero-terminated=z'],
  });
  const [first, second] = options.operands;
  if (first === undefined || second === undefined)
    throw new Complaint(`missing operand${first === undefined ? '' : ` after '${first}'`}`, 1);
  const end = options.has.has('z') ? '\0' : '\n';
  const [a, b] = [await linesOf(call, first, out, end), await linesOf(call, second, out, end)];
  const between = valueOf(options, 'output-delimiter') ?? '\t';
  const shows = ['1', '2', '3'].map((column) => !options.has.has(column));
  const totals = [0, 0, 0];
  const show = (column: 0 | 1 | 2, line: string) => {
    totals[column] = (totals[column] ?? 0) + 1;
    if (!shows[column]) return undefined;
    const before = shows.slice(0, column).filter(Boolean).length;
    return out.write(between.repeat(before) + line + end);
  };
  while (a.now !== undefined || b.now !== undefined) {
    const [x, y] = [a.now, b.now];
    const column = y === undefined || (x !== undefined && x < y) ? 0 : x === undefined || y < x ? 1 : 2;
    const waits = [
      show(column, (column === 1 ? y : x) ?? ''),
      column !== 1 && a.next(),
      column !== 0 && b.next(),
    ];
    for (const wait of waits) if (wait) await wait;
  }
  if (options.has.has('total')) await out.write(`${totals.join(between)}${between}total${end}`);
  return 0;
});

/** Joins lines of two sorted files with a common field. */
export const join = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: '1:2:j:t:a:v:o:e:iz',
    long: ['ignore-case=i', 'header', 'check-order', 'nocheck-order', 'zero-terminated=z'],
  });
  const [first, second] = options.operands;
  if (first === undefined || second === undefined) throw new Complaint('missing operand', 1);
  const separator = valueOf(options, 't');
  const both = valueOf(options, 'j');
  const [on1, on2] = ['1', '2'].map((side) => Number(valueOf(options, side) ?? both ?? 1) - 1);
  const split = (line: string) =>
    separator === undefined ? line.trim().split(/[ \t]+/) : line.split(separator);
  const [left, right] = [await linesOf(call, first, out), await linesOf(call, second, out)];
  const rowOf = (lines: Lines) => (lines.now === undefined ? undefined : split(lines.now));
  const between = separator ?? ' ';
  const empty = valueOf(options, 'e') ?? '';
  const fold = (text: string) => (options.has.has('i') ? text.toLowerCase() : text);
  const keyOf = (row: readonly string[] | undefined, at = 0) => row && fold(row[at] ?? '');
  const unpaired = [...(options.values.get('a') ?? []), ...(options.values.get('v') ?? [])];
  const pairs = !options.has.has('v');
  const format = valueOf(options, 'o');
  const widths = [rowOf(left)?.length ?? 0, rowOf(right)?.length ?? 0];
  const rest = (row: readonly string[] | undefined, on = 0, width = 0) =>
    row
      ? row.filter((_field, at) => at !== on)
      : format === 'auto'
        ? Array.from({ length: width - 1 }, () => empty)
        : [];
  const show = (a: readonly string[] | undefined, b: readonly string[] | undefined) => {
    const key = a?.[on1 ?? 0] ?? b?.[on2 ?? 0] ?? '';
    const fields =
      format === undefined || format === 'auto'
        ? [key, ...rest(a, on1, widths[0]), ...rest(b, on2, widths[1])]
        : format.split(/[ ,]+/).map((field) => {
            if (field === '0') return key;
            const [side, at] = field.split('.');
            return (side === '1' ? a : b)?.[Number(at) - 1] ?? empty;
          });
    return out.write(`${fields.map((field) => field || empty).join(between)}\n`);
  };
  if (options.has.has('header') && (left.now !== undefined || right.now !== undefined)) {
    await show(rowOf(left), rowOf(right));
    await left.next();
    await right.next();
  }
  let [a, b] = [rowOf(left), rowOf(right)];
  while (a || b) {
    const [x, y] = [keyOf(a, on1), keyOf(b, on2)];
    if (y === undefined || (x !== undefined && x < y)) {
      if (unpaired.includes('1')) await show(a, undefined);
      await left.next();
      a = rowOf(left);
    } else if (x === undefined || y < x) {
      if (unpaired.includes('2')) await show(undefined, b);
      await right.next();
      b = rowOf(right);
    } else {
      // Every line of the second file with this key is joined to each line of the first.
      const same: (readonly string[])[] = [];
      for (; b && keyOf(b, on2) === x; b = rowOf(right)) {
        same.push(b);
        await right.next();
      }
      for (; a && keyOf(a, on1) === x; a = rowOf(left)) {
        if (pairs) for (const one of same) await show(a, one);
        await left.next();
      }
    }
  }
  return 0;
});

async function linesOf(call: ProgramCall, name: string, out: Writer, end = '\n'): Promise<Lines> {
  const lines = new Lines(lineBatches(await open(call, name), out, end.charCodeAt(0)));
  await lines.next();
  return lines;
}
