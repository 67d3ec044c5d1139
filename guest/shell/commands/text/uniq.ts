import { Complaint } from '../../kit/complaint.ts';
import { encode, lineBatches, open, optionsOf, save, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

/** Counts, drops or selects lines that equal the line before. */
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
