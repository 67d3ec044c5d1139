import picomatch from 'picomatch';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { globRegex } from '../../kit/glob.ts';
import { parseOptions, valueOf, type Options } from '../../kit/options.ts';
import { substitute } from '../sed/replace.ts';
import { parseScript } from '../sed/script.ts';

export const SPEC = {
  short: 'cxtrudf:zvC:OpkhPaT:jJX:mS',
  long: [
    'create=c',
    'extract=x',
    'get=x',
    'list=t',
    'append=r',
    'update=u',
    'diff=d',
    'compare=d',
    'files-from=T',
    'exclude-from=X',
    'touch=m',
    'wildcards',
    'no-wildcards',
    'transform:',
    'xform:',
    'totals',
    'null',
    'overwrite',
    'one-top-level?',
    'anchored',
    'no-anchored',
    'delete',
    'warning:',
    'show-transformed-names',
    'checkpoint?',
    'no-same-permissions',
    'ignore-failed-read',
    'absolute-names=P',
    'keep-newer-files',
    'no-recursion',
    'file=f',
    'gzip=z',
    'gunzip=z',
    'verbose=v',
    'directory=C',
    'to-stdout=O',
    'preserve-permissions=p',
    'keep-old-files=k',
    'dereference=h',
    'auto-compress=a',
    'exclude:',
    'strip-components:',
    'no-same-owner',
    'owner:',
    'group:',
    'sort:',
    'mtime:',
    'numeric-owner',
  ],
};

/** Turns `tar czf` into `tar -c -z -f`, whose values follow in order. */
export function dashed(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  if (first === undefined || first.startsWith('-')) return [...args];
  return [...first]
    .flatMap((letter) => ('fCTX'.includes(letter) ? [`-${letter}`, rest.shift() ?? ''] : [`-${letter}`]))
    .concat(rest);
}

/** Renames members for `--transform s/from/to/flags`. */
export function renamed(options: Options): (name: string) => string {
  const given = valueOf(options, 'transform') ?? valueOf(options, 'xform');
  if (given === undefined) return (name) => name;
  const { commands } = parseScript(given, given.endsWith('x'));
  const substitution = commands[0]?.substitution;
  const regex = substitution?.regex;
  if (!substitution || !regex) throw new Complaint('Invalid transform expression');
  return (name) => substitute(name, regex, substitution) ?? name;
}

/** The folder that each operand is relative to: `-C` applies to the operands after it. */
export function basesOf(call: ProgramCall): (operand: number) => string {
  const args = dashed(call.args);
  const changes: { readonly from: number; readonly base: string }[] = [];
  for (const [at, arg] of args.entries()) {
    const [, joined, long] = /^(?:-C(.*)|--directory(?:=(.*))?)$/s.exec(arg) ?? [];
    if (!/^(?:-C|--directory(?:=|$))/.test(arg)) continue;
    const folder = joined || long || (args[at + 1] ?? '');
    const from = parseOptions(args.slice(0, at), SPEC).operands.length;
    changes.push({ from, base: call.files.resolvePath(changes.at(-1)?.base ?? call.cwd, folder) });
  }
  return (operand) => changes.findLast(({ from }) => from <= operand)?.base ?? call.cwd;
}

/** Patterns of `--exclude` after the last file name, which would apply only to names after them. */
export function excludedTooLate(call: ProgramCall, { operands }: Options): string[] {
  const args = dashed(call.args);
  return args.flatMap((arg, at) => {
    const [, glob] = /^--exclude(?:=(.*))?$/s.exec(arg) ?? [];
    if (!arg.startsWith('--exclude') || arg.startsWith('--exclude-')) return [];
    const before = parseOptions(args.slice(0, at), SPEC).operands.length;
    return before > 0 && before === operands.length ? [glob ?? args[at + 1] ?? ''] : [];
  });
}

/** Whether a name is excluded; the patterns in `late` do not count. */
export function excluded(options: Options, late: readonly string[] = []): (name: string) => boolean {
  const globs = (options.values.get('exclude') ?? []).filter((glob) => !late.includes(glob));
  const tests = globs.map((glob) =>
    picomatch(glob.replace(/^\.\//, '').replace(/\/$/, ''), { dot: true, basename: !glob.includes('/') }),
  );
  return (name) => tests.some((test) => test(name.replace(/^\.\//, '').replace(/\/$/, '')));
}

/** Whether the word `asked` selects the member. */
export function asks(asked: string, member: string, has: Options['has']): boolean {
  const name = member.replace(/\/$/, '');
  if (!has.has('wildcards')) return name === asked || name.startsWith(`${asked}/`);
  const glob = globRegex(asked);
  // A pattern also selects everything below a folder that it matches.
  const parts = name.split('/');
  const starts = has.has('no-anchored') ? parts.map((_part, at) => at) : [0];
  return starts.some((from) =>
    parts.some((_part, at) => at >= from && glob.test(parts.slice(from, at + 1).join('/'))),
  );
}

/** Whether the options and operands select a member. */
export function memberFilter(options: Options): (name: string) => boolean {
  const isLeftOut = excluded(options);
  const asked = options.operands.map((name) => name.replace(/\/$/, ''));
  return (name) =>
    !isLeftOut(name.replace(/\/$/, '')) &&
    (asked.length === 0 || asked.some((one) => asks(one, name, options.has)));
}
