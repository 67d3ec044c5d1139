import { Complaint } from '../../kit/complaint.ts';
import { complain, readInput, writing } from '../../kit/io.ts';
import { countOf, parseOptions } from '../../kit/options.ts';

export const cmp = writing(async (call, out) => {
  const options = parseOptions(call.args, {
    short: 'sln:bi:',
    long: ['quiet=s', 'silent=s', 'verbose=l', 'bytes=n'],
  });
  const [left, right = '-'] = options.operands;
  if (left === undefined) throw new Complaint('missing operand');
  const limit = countOf(options, 'n') ?? Infinity;
  const first = await readInput(call, left, 2);
  const second = right === left ? first : await readInput(call, right, 2);
  const [a, b] = [first.subarray(0, limit), second.subarray(0, limit)];
  const at = a.findIndex((byte, i) => byte !== b[i]);
  if (at < 0 && a.length === b.length) return 0;
  if (options.has.has('s')) return 1;
  if (options.has.has('l')) {
    await out.write(differingBytes(a, b, left.startsWith('/dev/') ? 19 : String(a.length).length));
    return 1;
  }
  if (at < 0 || at >= b.length) {
    const [short, length] = a.length < b.length ? [left, a.length] : [right, b.length];
    await complain(call, `EOF on ${short} after byte ${length}`);
    return 1;
  }
  const line = a.subarray(0, at).filter((byte) => byte === 10).length + 1;
  await out.write(`${left} ${right} differ: byte ${at + 1}, line ${line}\n`);
  return 1;
});

/** Lists every differing byte in octal, for `cmp -l`. */
function differingBytes(a: Uint8Array, b: Uint8Array, width: number): string {
  const lines: string[] = [];
  const octal = (byte: number | undefined) => (byte ?? 0).toString(8).padStart(3);
  for (let at = 0; at < Math.min(a.length, b.length); at++)
    if (a[at] !== b[at]) lines.push(`${String(at + 1).padStart(width)} ${octal(a[at])} ${octal(b[at])}\n`);
  return lines.join('');
}
