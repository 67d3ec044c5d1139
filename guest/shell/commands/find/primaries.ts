import { Complaint } from '../../kit/complaint.ts';
import { parseDate } from '../../kit/date-text.ts';
import { globRegex } from '../../kit/glob.ts';
import { changedMode } from '../../kit/mode.ts';
import { posixSource } from '../../kit/posix-regex.ts';
import { now } from '../../kit/strftime.ts';
import type { Comparison, Node } from './plan.ts';

/** The words after a test, an action or an option, and the options that are set so far. */
export interface Arguments {
  readonly zone: string;
  isExtended: boolean;
  /** Whether regular expressions are of Emacs's syntax. */
  isEmacs: boolean;
  depthFirst: boolean;
  follows: boolean;
  runs: boolean;
  least: number;
  most: number;
  next(): string | undefined;
  /** The next word; a missing one is an error of the test that is called `name`. */
  value(name: string): string;
  number(name: string): number;
  comparison(name: string, text?: string): Comparison;
}

type Primary = (name: string, args: Arguments) => Node;

const YES: Node = { t: 'constant', value: true };
const NO: Node = { t: 'constant', value: false };

const text =
  (of: 'name' | 'path' | 'link', ignoreCase: boolean): Primary =>
  (name, args) => ({ t: 'text', of, regex: globRegex(args.value(name), ignoreCase) });

const regex: Primary = (name, args) => ({
  t: 'text',
  of: 'path',
  regex: pathRegex(args.value(name), name === '-iregex', args),
});

const type: Primary = (name, args) => ({ t: 'type', letters: args.value(name).split(',') });

const age =
  (unit: number): Primary =>
  (name, args) => ({ t: 'age', compare: args.comparison(name), unit });

const newer: Primary = (name, args) => ({ t: 'newer', file: args.value(name) });

const after: Primary = (name, args) => {
  const date = args.value(name);
  const moment = parseDate(date, now(), args.zone);
  if (!moment) throw new Complaint(`I cannot figure out how to interpret '${date}' as a date or time`, 1);
  return { t: 'after', seconds: moment.seconds + moment.nanoseconds / 1e9 };
};

const SIZE_UNITS: Readonly<Record<string, number>> = {
  c: 1,
  w: 2,
  b: 512,
  '': 512,
  k: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
};

const size: Primary = (name, args) => {
  const value = args.value(name);
  const letter = /[a-zA-Z]$/.exec(value)?.[0] ?? '';
  const unit = SIZE_UNITS[letter];
  if (unit === undefined) throw new Complaint(`invalid -size type \`${letter}'`, 1);
  return { t: 'size', compare: args.comparison(name, letter ? value.slice(0, -1) : value), unit };
};

const perm: Primary = (name, args) => {
  const value = args.value(name);
  const how = value.startsWith('-') ? '-' : value.startsWith('/') ? '/' : '';
  const bits = changedMode(value.slice(how.length), 0, false);
  if (bits === undefined) throw new Complaint(`invalid mode '${value}'`, 1);
  return { t: 'perm', how, bits };
};

const owner: Primary = (name, args) => ({ t: 'owner', compare: args.comparison(name) });
const ownerName: Primary = (name, args) => ({
  t: 'constant',
  value: ['user', '1000'].includes(args.value(name)),
});

const regextype: Primary = (name, args) => {
  const kind = args.value(name);
  args.isExtended = /extended|egrep|awk/.test(kind);
  args.isEmacs = /emacs|findutils-default/.test(kind);
  return YES;
};

const depth: Primary = (_name, args) => {
  args.depthFirst = true;
  return YES;
};

const fprint =
  (end: string): Primary =>
  (name, args) => ({ t: 'print', end, file: args.value(name) });

const fprintf: Primary = (name, args) => {
  const file = args.value(name);
  return { t: 'printf', format: args.value(name), file };
};

/** The tests, options and actions of find. */
const PRIMARIES: Readonly<Record<string, Primary>> = {
  '-name': text('name', false),
  '-iname': text('name', true),
  '-path': text('path', false),
  '-wholename': text('path', false),
  '-ipath': text('path', true),
  '-iwholename': text('path', true),
  '-lname': text('link', false),
  '-ilname': text('link', true),
  '-regex': regex,
  '-iregex': regex,
  '-type': type,
  '-xtype': type,
  '-empty': () => ({ t: 'empty' }),
  '-size': size,
  '-mtime': age(86400),
  '-atime': age(86400),
  '-ctime': age(86400),
  '-mmin': age(60),
  '-amin': age(60),
  '-cmin': age(60),
  '-newer': newer,
  '-anewer': newer,
  '-cnewer': newer,
  '-newermm': newer,
  '-newermt': after,
  '-newerat': after,
  '-newerct': after,
  '-perm': perm,
  '-samefile': (name, args) => ({ t: 'same', file: args.value(name) }),
  '-readable': () => ({ t: 'can', bit: 4 }),
  '-writable': () => ({ t: 'can', bit: 2 }),
  '-executable': () => ({ t: 'can', bit: 1 }),
  '-links': (name, args) => ({ t: 'links', compare: args.comparison(name) }),
  '-uid': owner,
  '-gid': owner,
  '-user': ownerName,
  '-group': ownerName,
  '-nouser': () => NO,
  '-nogroup': () => NO,
  '-false': () => NO,
  '-true': () => YES,
  '-regextype': regextype,
  '-noleaf': () => YES,
  '-mount': () => YES,
  '-xdev': () => YES,
  '-ignore_readdir_race': () => YES,
  '-daystart': () => YES,
  '-follow'(_name, args) {
    args.follows = true;
    return YES;
  },
  '-depth': depth,
  '-d': depth,
  '-maxdepth'(name, args) {
    args.most = args.number(name);
    return YES;
  },
  '-mindepth'(name, args) {
    args.least = args.number(name);
    return YES;
  },
  '-print': () => ({ t: 'print', end: '\n' }),
  '-print0': () => ({ t: 'print', end: '\0' }),
  '-fprint': fprint('\n'),
  '-fprint0': fprint('\0'),
  '-printf': (name, args) => ({ t: 'printf', format: args.value(name) }),
  '-fprintf': fprintf,
  '-ls': () => ({ t: 'ls' }),
  '-prune': () => ({ t: 'prune' }),
  '-quit': () => ({ t: 'quit' }),
  '-delete'(_name, args) {
    args.depthFirst = true;
    return { t: 'delete' };
  },
  '-exec': exec,
  '-execdir': exec,
  '-ok': exec,
  '-okdir': exec,
};

/** Reads the test, option or action of this name, with its arguments. */
export function primaryOf(name: string, args: Arguments): Node {
  const primary = Object.hasOwn(PRIMARIES, name) ? PRIMARIES[name] : undefined;
  if (primary) return primary(name, args);
  throw new Complaint(
    name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`,
    1,
  );
}

function exec(name: string, args: Arguments): Node {
  args.runs = true;
  const words: string[] = [];
  for (;;) {
    const word = args.next();
    if (word === undefined) throw new Complaint(`missing argument to \`${name}'`, 1);
    const all = word === '+' && words.at(-1) === '{}';
    if (word !== ';' && !all) {
      words.push(word);
      continue;
    }
    if (words.length === 0) throw new Complaint(`missing argument to \`${name}'`, 1);
    return { t: 'exec', words, all, inFolder: name.endsWith('dir'), asks: name.startsWith('-ok') };
  }
}

/** Compiles a regular expression that has to match the whole path. */
function pathRegex(pattern: string, ignoreCase: boolean, { isEmacs, isExtended }: Arguments): RegExp {
  // In Emacs's syntax, the default, + and ? are operators, and so are \| and \( \).
  const basic = isEmacs
    ? pattern.replace(
        /(\[\^?\]?[^\]]*\]|\\.)|([+?])/g,
        (_all, kept?: string, sign?: string) => kept ?? `\\${sign ?? ''}`,
      )
    : pattern;
  const source = posixSource(basic, { extended: isExtended, escapes: 'grep' });
  return new RegExp(`^(?:${source})$`, ignoreCase ? 'usi' : 'us');
}
