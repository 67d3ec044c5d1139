import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../command.ts';
import { allLines, encode, lineBatches, open, optionsOf, save, writing } from '../io.ts';
import { valueOf } from '../options.ts';

/** Lines that are the same as the one before, counted, left out or shown alone. */
export const uniq = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'cdDuif:s:w:z',
    long: [
      'count=c',
      'repeated=d',
      'all-repeated?',
      'unique=u',
      'ignore-case=i',
      'skip-fields=f',
      'skip-chars=s',
      'check-chars=w',
      'zero-terminated=z',
      'group?',
    ],
  });
  const { has } = options;
  const number = (name: string) => {
    const value = valueOf(options, name);
    if (value !== undefined && !/^\d+$/.test(value)) throw new Complaint(`${value}: invalid number`, 1);
    return value === undefined ? undefined : Number(value);
  };
  const [fields, chars, length] = [number('f') ?? 0, number('s') ?? 0, number('w')];
  const end = has.has('z') ? '\0' : '\n';
  const keyOf = (line: string): string => {
    let key = line;
    for (let left = fields; left > 0; left--) key = key.replace(/^\s*\S+/, '');
    if (chars > 0) key = key.slice(chars);
    if (length !== undefined) key = key.slice(0, length);
    return has.has('i') ? key.toLowerCase() : key;
  };
  const isPlain = fields === 0 && chars === 0 && length === undefined && !has.has('i');
  const [input = '-', output] = options.operands;
  const written: string[] = [];
  const write =
    output === undefined ? (text: string) => out.write(text) : (text: string) => void written.push(text);
  const all = has.has('D') || has.has('all-repeated');
  let group: string[] = [];
  let count = 0;
  let key: string | undefined;
  const show = () => {
    const [first = ''] = group;
    if (count === 0) return undefined;
    if (all) return count > 1 ? write(group.map((line) => line + end).join('')) : undefined;
    if ((has.has('d') && count === 1) || (has.has('u') && count > 1)) return undefined;
    return write(`${has.has('c') ? `${String(count).padStart(7)} ` : ''}${first}${end}`);
  };
  for await (const { lines } of lineBatches(await open(call, input), out, end.charCodeAt(0))) {
    for (const line of lines) {
      const own = isPlain ? line : keyOf(line);
      if (own === key) {
        count++;
        if (all) group.push(line);
        continue;
      }
      const waits = show();
      if (waits) await waits;
      [group, count, key] = [[line], 1, own];
    }
  }
  await show();
  if (output !== undefined) await save(call, output, encode(written.join('')));
  return 0;
});

async function linesOf(call: ProgramCall, name: string, end = '\n'): Promise<string[]> {
  return (await allLines(await open(call, name), undefined, end.charCodeAt(0))).lines;
}

/** What two sorted files have alone and in common. */
export const comm = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: '123z',
    long: ['output-delimiter:', 'total', 'check-order', 'nocheck-order', 'zero-terminated=z'],
  });
  const [first, second] = options.operands;
  if (first === undefined || second === undefined)
    throw new Complaint(`missing operand${first === undefined ? '' : ` after '${first}'`}`, 1);
  const end = options.has.has('z') ? '\0' : '\n';
  const [a, b] = [await linesOf(call, first, end), await linesOf(call, second, end)];
  const between = valueOf(options, 'output-delimiter') ?? '\t';
  const shows = ['1', '2', '3'].map((column) => !options.has.has(column));
  const totals = [0, 0, 0];
  const show = (column: 0 | 1 | 2, line: string) => {
    totals[column] = (totals[column] ?? 0) + 1;
    if (!shows[column]) return undefined;
    const before = shows.slice(0, column).filter(Boolean).length;
    return out.write(between.repeat(before) + line + end);
  };
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const [x, y] = [a[i], b[j]];
    if (y === undefined || (x !== undefined && x < y)) await show(0, a[i++] ?? '');
    else if (x === undefined || y < x) await show(1, b[j++] ?? '');
    else {
      await show(2, x);
      i++;
      j++;
    }
  }
  if (options.has.has('total')) await out.write(`${totals.join(between)}${between}total${end}`);
  return 0;
});

/** Lines of two sorted files that have a field in common. */
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
  const [left, right] = [(await linesOf(call, first)).map(split), (await linesOf(call, second)).map(split)];
  const between = separator ?? ' ';
  const empty = valueOf(options, 'e') ?? '';
  const fold = (text: string) => (options.has.has('i') ? text.toLowerCase() : text);
  const keyOf = (row: readonly string[] | undefined, at = 0) => row && fold(row[at] ?? '');
  const unpaired = [...(options.values.get('a') ?? []), ...(options.values.get('v') ?? [])];
  const pairs = !options.has.has('v');
  const format = valueOf(options, 'o');
  const widths = [left[0]?.length ?? 0, right[0]?.length ?? 0];
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
  let [i, j] = [0, 0];
  if (options.has.has('header') && left.length + right.length > 0) await show(left[i++], right[j++]);
  while (i < left.length || j < right.length) {
    const [x, y] = [keyOf(left[i], on1), keyOf(right[j], on2)];
    if (y === undefined || (x !== undefined && x < y)) {
      if (unpaired.includes('1')) await show(left[i], undefined);
      i++;
    } else if (x === undefined || y < x) {
      if (unpaired.includes('2')) await show(undefined, right[j]);
      j++;
    } else {
      const start = j;
      for (; i < left.length && keyOf(left[i], on1) === x; i++)
        for (j = start; j < right.length && keyOf(right[j], on2) === x; j++)
          if (pairs) await show(left[i], right[j]);
    }
  }
  return 0;
});
