import { Complaint } from '../../kit/complaint.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';

type Takes = 'nothing' | 'a value' | 'maybe a value';

function takes(colons: string): Takes {
  return colons === '' ? 'nothing' : colons === ':' ? 'a value' : 'maybe a value';
}

interface OptionSpec {
  readonly short: ReadonlyMap<string, Takes>;
  readonly long: ReadonlyMap<string, Takes>;
  /** Accepts `-long` in place of `--long`. */
  readonly oneDash: boolean;
  /** Stops at the first word that is not an option. */
  readonly stops: boolean;
  /** Leaves words that are not options in their places. */
  readonly inPlace: boolean;
}

/** Brings a command line into a uniform order, for a script to process. */
export const getopt = writing(async (call, out) => {
  const isOld = call.args[0] !== undefined && !call.args[0].startsWith('-');
  const options = optionsOf(
    call,
    {
      short: 'al:n:o:qQs:TuhV',
      long: [
        ...['alternative=a', 'longoptions=l', 'name=n', 'options=o', 'quiet=q', 'quiet-output=Q', 'shell=s'],
        ...['test=T', 'unquoted=u', 'version=V'],
      ],
    },
    2,
    true,
    isOld ? ['-u', '--', ...call.args] : call.args,
  );
  const { has } = options;
  if (has.has('T')) return 4;
  const words = [...options.operands];
  const letters = valueOf(options, 'o') ?? words.shift();
  if (letters === undefined)
    throw new Complaint("missing optstring argument\nTry 'getopt --help' for more information.", 2);
  const spec: OptionSpec = {
    short: new Map(
      [...letters.matchAll(/([^:+-])(:{0,2})/g)].map(([, name = '', colons = '']) => [name, takes(colons)]),
    ),
    long: new Map(
      (options.values.get('l') ?? []).flatMap((list) =>
        [...list.matchAll(/([^:,\s]+)(:{0,2})/g)].map(([, name = '', colons = '']): [string, Takes] => [
          name,
          takes(colons),
        ]),
      ),
    ),
    oneDash: has.has('a'),
    stops: letters.startsWith('+') || call.env.has('POSIXLY_CORRECT'),
    inPlace: letters.startsWith('-'),
  };
  const isPlain = has.has('u');
  const { text, complaints } = ordered(words, spec, (word) =>
    isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  if (!has.has('q'))
    for (const complaint of complaints)
      await complain({ ...call, name: valueOf(options, 'n') ?? call.name }, complaint);
  if (!has.has('Q')) await out.write(`${text}\n`);
  return complaints.length > 0 ? 1 : 0;
});

function ordered(words: readonly string[], spec: OptionSpec, quote: (word: string) => string) {
  let text = '';
  const rest: string[] = [];
  const complaints: string[] = [];
  let at = 0;
  const long = (word: string, dashes: string) => {
    const [, name = '', given] = /^([^=]*)(?:=([^]*))?$/.exec(word.slice(dashes.length)) ?? [];
    const fitting = [...spec.long.keys()].filter((each) => each.startsWith(name));
    const found = fitting.includes(name) ? name : fitting.length === 1 ? fitting[0] : undefined;
    if (found === undefined) {
      const known = fitting.map((each) => ` '--${each}'`).join('');
      complaints.push(
        fitting.length > 1
          ? `option '${dashes}${name}' is ambiguous; possibilities:${known}`
          : `unrecognized option '${dashes}${name}'`,
      );
      return;
    }
    const kind = spec.long.get(found);
    if (kind === 'nothing') {
      if (given === undefined) text += ` --${found}`;
      else complaints.push(`option '--${found}' doesn't allow an argument`);
      return;
    }
    const value = given ?? (kind === 'a value' ? words[++at] : '');
    if (value === undefined) complaints.push(`option '--${found}' requires an argument`);
    else text += ` --${found} ${quote(value)}`;
  };
  const short = (word: string) => {
    for (let i = 1; i < word.length; i++) {
      const letter = word.charAt(i);
      const kind = spec.short.get(letter);
      if (kind === undefined) complaints.push(`invalid option -- '${letter}'`);
      else if (kind === 'nothing') text += ` -${letter}`;
      else {
        const joined = word.slice(i + 1);
        const value = joined === '' && kind === 'a value' ? words[++at] : joined;
        if (value === undefined) complaints.push(`option requires an argument -- '${letter}'`);
        else text += ` -${letter} ${quote(value)}`;
        return;
      }
    }
  };
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    const isLetter = word.length === 2 && spec.short.has(word.charAt(1));
    if (word.startsWith('--')) long(word, '--');
    else if (word.startsWith('-') && word.length > 1)
      if (spec.oneDash && !isLetter) long(word, '-');
      else short(word);
    else if (spec.stops) {
      rest.push(...words.slice(at));
      break;
    } else if (spec.inPlace) text += ` ${quote(word)}`;
    else rest.push(word);
  }
  return { text: `${text} --${rest.map((word) => ` ${quote(word)}`).join('')}`, complaints };
}
