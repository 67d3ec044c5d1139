import { Complaint } from '../../kit/complaint.ts';
import { decode, eachInput, encode, lineBatches, open, optionsOf, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { Lines } from './lines.ts';

type Range = readonly [from: number, to: number];

function rangesOf(list: string, what: string): Range[] {
  return list.split(/[, ]/).map((part) => {
    const found = /^(\d*)(-?)(\d*)$/.exec(part);
    if (!found || part === '-' || part === '') throw new Complaint(`invalid ${what} value '${part}'`, 1);
    const from = found[1] === '' ? 1 : Number(found[1]);
    const to = found[2] === '' ? from : found[3] === '' ? Infinity : Number(found[3]);
    if (from === 0) throw new Complaint(`${what}s are numbered from 1`, 1);
    if (to < from) throw new Complaint('invalid decreasing range', 1);
    return [from, to];
  });
}

/** Cuts columns out of lines, by bytes or fields. */
export const cut = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'b:c:d:f:nsz',
    long: [
      'bytes=b',
      'characters=c',
      'delimiter=d',
      'fields=f',
      'complement',
      'only-delimited=s',
      'output-delimiter:',
      'zero-terminated=z',
    ],
  });
  const { has } = options;
  const kinds = ['b', 'c', 'f'].filter((kind) => has.has(kind));
  if (kinds.length === 0) throw new Complaint('you must specify a list of bytes, characters, or fields', 1);
  if (kinds.length > 1) throw new Complaint('only one type of list may be specified', 1);
  const byFields = kinds[0] === 'f';
  const ranges = rangesOf(
    valueOf(options, kinds[0] ?? '') ?? '',
    byFields ? 'field' : 'byte/character position',
  );
  const delimiter = valueOf(options, 'd') ?? '\t';
  if ([...delimiter].length > 1) throw new Complaint('the delimiter must be a single character', 1);
  const complement = has.has('complement');
  const between = valueOf(options, 'output-delimiter') ?? (byFields ? delimiter : '');
  const end = has.has('z') ? '\0' : '\n';
  const isChosen = (at: number) => ranges.some(([from, to]) => at >= from && at <= to) !== complement;

  const fields = (line: string): string | undefined => {
    if (!line.includes(delimiter)) return has.has('s') ? undefined : line;
    return line
      .split(delimiter)
      .filter((_field, at) => isChosen(at + 1))
      .join(between);
  };
  const bytes = (line: string): string => {
    const all = encode(line);
    const pieces: string[] = [];
    let run: number[] = [];
    for (let at = 0; at <= all.length; at++) {
      if (at < all.length && isChosen(at + 1)) run.push(all[at] ?? 0);
      else if (run.length > 0) {
        pieces.push(decode(Uint8Array.from(run)));
        run = [];
      }
    }
    return pieces.join(between);
  };
  return eachInput(call, options.operands, async (source) => {
    for await (const { lines } of lineBatches(source, out, end.charCodeAt(0))) {
      let text = '';
      for (const line of lines) {
        const found = byFields ? fields(line) : bytes(line);
        if (found !== undefined) text += found + end;
      }
      await out.write(text);
    }
  });
});

/** Joins lines of files side by side. */
export const paste = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'd:sz', long: ['delimiters=d', 'serial=s', 'zero-terminated=z'] });
  const end = options.has.has('z') ? '\0' : '\n';
  const delimiters = [...(valueOf(options, 'd') ?? '\t').matchAll(/\\([\s\S])|[\s\S]/gu)].map(
    ([all, escaped]) =>
      escaped === undefined ? all : ({ n: '\n', t: '\t', '0': '', '\\': '\\' }[escaped] ?? escaped),
  );
  const delimiter = (at: number) => delimiters[at % Math.max(1, delimiters.length)] ?? '';
  const names = options.operands.length > 0 ? options.operands : ['-'];
  const streams = new Map<string, Lines>();
  const inputs: Lines[] = [];
  for (const name of names) {
    const known = name === '-' ? streams.get(name) : undefined;
    const lines = known ?? new Lines(lineBatches(await open(call, name), out, end.charCodeAt(0)));
    streams.set(name, lines);
    inputs.push(lines);
  }
  if (options.has.has('s')) {
    for (const input of inputs) {
      let at = 0;
      await input.next();
      let text = input.now ?? '';
      for (await input.next(); input.now !== undefined; await input.next())
        text += delimiter(at++) + input.now;
      await out.write(text + end);
    }
    return 0;
  }
  for (;;) {
    const row: (string | undefined)[] = [];
    for (const input of inputs) {
      await input.next();
      row.push(input.now);
    }
    if (row.every((line) => line === undefined)) return 0;
    await out.write(row.map((line, at) => (at > 0 ? delimiter(at - 1) : '') + (line ?? '')).join('') + end);
  }
});
