import { Complaint } from '../../kit/complaint.ts';
import { complain, encode, lineBatches, open, optionsOf, save, writing } from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { comparisonOf, type Key, type Ordering } from './sort-keys.ts';

const SPEC = {
  short: 'bdfghiMnRrVcCmo:st:uzk:T:S:',
  long: [
    'ignore-leading-blanks=b',
    'dictionary-order=d',
    'ignore-case=f',
    'general-numeric-sort=g',
    'human-numeric-sort=h',
    'ignore-nonprinting=i',
    'month-sort=M',
    'numeric-sort=n',
    'random-sort=R',
    'reverse=r',
    'version-sort=V',
    'check?',
    'merge=m',
    'output=o',
    'stable=s',
    'field-separator=t',
    'unique=u',
    'zero-terminated=z',
    'key=k',
    'parallel:',
    'buffer-size=S',
    'temporary-directory=T',
  ],
};

export const sort = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 2);
  const { has } = options;
  const end = has.has('z') ? '\0' : '\n';
  const names = options.operands.length > 0 ? options.operands : ['-'];
  const checks = has.has('c') || has.has('C') || has.has('check');
  const lines: string[] = [];
  for (const name of names) {
    const source = await open(call, name, 2).catch((error: unknown) => {
      throw error instanceof Complaint ? new Complaint(`cannot read: ${error.message}`, 2) : error;
    });
    for await (const batch of lineBatches(source, out, end.charCodeAt(0)))
      for (const line of batch.lines) lines.push(line);
  }
  const separator = separatorOf(options);
  const global: Ordering = orderingOf([...has].filter((name) => name.length === 1).join(''));
  const keys = (options.values.get('k') ?? []).map((spec) => keyOf(spec, global));
  const unique = has.has('u');
  const compare = comparisonOf(lines, {
    keys,
    global,
    separator,
    lastResort: !unique && !has.has('s'),
  });
  if (checks) {
    for (let at = 1; at < lines.length; at++) {
      const order = compare(at - 1, at);
      if (order < 0 || (order === 0 && !unique)) continue;
      if (!has.has('C') && valueOf(options, 'check') !== 'quiet' && valueOf(options, 'check') !== 'silent')
        await complain(call, `${names[0] ?? '-'}:${at + 1}: disorder: ${lines[at] ?? ''}`);
      return 1;
    }
    return 0;
  }
  const order = lines.map((_line, at) => at).sort((a, b) => compare(a, b) || a - b);
  const kept = unique ? order.filter((at, i) => i === 0 || compare(order[i - 1] ?? 0, at) !== 0) : order;
  const target = valueOf(options, 'o');
  if (target !== undefined) {
    await save(call, target, encode(kept.map((at) => (lines[at] ?? '') + end).join('')));
    return 0;
  }
  for (const at of kept) {
    const waits = out.write((lines[at] ?? '') + end);
    if (waits) await waits;
  }
  return 0;
});

function separatorOf(options: Options): string | undefined {
  const given = valueOf(options, 't');
  if (given === undefined) return undefined;
  if (given === '\\0') return '\0';
  if ([...given].length !== 1)
    throw new Complaint(given === '' ? 'empty tab' : `multi-character tab '${given}'`, 2);
  return given;
}

function orderingOf(letters: string): Ordering {
  return {
    blanks: letters.includes('b'),
    dictionary: letters.includes('d'),
    fold: letters.includes('f'),
    printing: letters.includes('i'),
    reverse: letters.includes('r'),
    kind: (['n', 'g', 'h', 'M', 'V', 'R'] as const).find((kind) => letters.includes(kind)),
  };
}

function keyOf(spec: string, global: Ordering): Key {
  const found = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(spec);
  if (!found) throw new Complaint(`invalid number at field start: invalid count at start of '${spec}'`, 2);
  const [, field = '1', char, flags = '', endField, endChar, endFlags = ''] = found;
  if (field === '0') throw new Complaint(`-: invalid field specification '${spec}'`, 2);
  const own = flags + endFlags;
  return {
    field: Number(field) - 1,
    char: char === undefined ? 0 : Number(char) - 1,
    endField: endField === undefined ? undefined : Number(endField) - 1,
    endChar: endChar === undefined ? 0 : Number(endChar),
    startBlanks: own === '' ? global.blanks : flags.includes('b'),
    endBlanks: own === '' ? global.blanks : endFlags.includes('b'),
    ordering: own === '' ? global : orderingOf(own),
  };
}
