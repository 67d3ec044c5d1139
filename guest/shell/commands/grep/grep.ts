import { fileError } from '../../files.ts';
import type { ByteSource, Program, ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { globRegex } from '../../kit/glob.ts';
import { complain, open, optionsOf, readText, sourceOf, writing } from '../../kit/io.ts';
import { countOf, lastOf, valueOf, type Options, type OptionSpec } from '../../kit/options.ts';
import { filesBelow, readAhead, type WalkEntry } from '../../kit/walk.ts';
import { matcherOf, type GrepDialect } from './pattern.ts';
import { searchOne, type Groups, type Showing } from './show.ts';

const SPEC: OptionSpec = {
  short: 'EFGPe:f:iyvwxcLlonHhqsrRA:B:C:m:aIZz0bUTD:d:u',
  long: [
    'extended-regexp=E',
    'fixed-strings=F',
    'basic-regexp=G',
    'perl-regexp=P',
    'regexp=e',
    'file=f',
    'ignore-case=i',
    'invert-match=v',
    'word-regexp=w',
    'line-regexp=x',
    'count=c',
    'files-without-match=L',
    'files-with-matches=l',
    'only-matching=o',
    'line-number=n',
    'byte-offset=b',
    'initial-tab=T',
    'with-filename=H',
    'no-filename=h',
    'quiet=q',
    'silent=q',
    'no-messages=s',
    'recursive=r',
    'dereference-recursive=R',
    'after-context=A',
    'before-context=B',
    'context=C',
    'max-count=m',
    'text=a',
    'null=Z',
    'null-data=z',
    'include:',
    'exclude:',
    'exclude-from:',
    'exclude-dir:',
    'color?',
    'colour?',
    'binary-files:',
    'directories=d',
    'label:',
    'line-buffered',
    'no-ignore-case',
    'version=V',
  ],
};

/** Makes GNU grep; `egrep` and `fgrep` begin with another dialect. */
export function grepOf(standard: GrepDialect): Program {
  return writing(async (call, out) => {
    const options = await withExcluded(call, optionsOf(call, SPEC, 2, false, digitsAsContext(call.args)));
    if (options.has.has('V')) return (await out.write('grep (GNU grep) 3.8\n'), 0);
    const operands = [...options.operands];
    const patterns = await patternsOf(call, options, operands);
    const recursive = options.has.has('r') || options.has.has('R') || valueOf(options, 'd') === 'recurse';
    const bare = recursive && operands.length === 0;
    if (operands.length === 0) operands.push(recursive ? '.' : '-');
    const showing = showingOf(call, options, patterns, standard, recursive || operands.length > 1);
    const silent = options.has.has('s');
    const groups: Groups = { any: false };
    let [matched, failed] = [false, false];
    const wrong = async (name: string, reason: string) => {
      failed = true;
      if (silent) return;
      await out.flush();
      await complain(call, `${name}: ${reason}`);
    };
    const one = async (source: ByteSource, name: string, size: number | undefined): Promise<boolean> => {
      const outcome = await searchOne(source, name, size, showing, out, groups);
      if (outcome.binary) {
        await out.flush();
        await complain(call, `${name}: binary file matches`);
      }
      const counts = showing.mode === 'filesWithout' ? !outcome.matched : outcome.matched;
      matched ||= counts;
      return counts && showing.mode === 'quiet';
    };
    for (const operand of operands) {
      if (call.signal.aborted) break;
      try {
        if (operand === '-') {
          if (await one(call.stdin, valueOf(options, 'label') ?? '(standard input)', undefined)) return 0;
          continue;
        }
        if (recursive || !operand.startsWith('/dev/')) {
          const stat = await call.files.stat(call.path(operand));
          if (stat.isDirectory && !recursive) {
            if (valueOf(options, 'd') !== 'skip') await wrong(operand, 'Is a directory');
            continue;
          }
          if (stat.isDirectory) {
            const found = candidates(call, operand, options, bare);
            const read = ({ path }: WalkEntry) => call.files.readFileBuffer(path);
            for await (const { item, content } of readAhead(read, found)) {
              if (call.signal.aborted) break;
              if (content instanceof Error) await wrong(item.shown, fileError(content));
              else if (await one(sourceOf(content), item.shown, content.length)) return 0;
            }
            continue;
          }
          if (!fileFilter(options)({ shown: operand })) continue;
          if (await one(await open(call, operand, 2), operand, stat.size)) return 0;
        } else if (await one(await open(call, operand, 2), operand, undefined)) return 0;
      } catch (error) {
        if (error instanceof Complaint) await wrong(operand, error.message.replace(`${operand}: `, ''));
        else if (error instanceof Error && /^E[A-Z]+:/.test(error.message))
          await wrong(operand, fileError(error));
        else throw error;
      }
    }
    return failed ? 2 : matched ? 0 : 1;
  });
}

function showingOf(
  call: ProgramCall,
  options: Options,
  patterns: readonly string[],
  standard: GrepDialect,
  names: boolean,
): Showing {
  const { has } = options;
  const dialects: Readonly<Record<string, GrepDialect>> = {
    E: 'extended',
    F: 'fixed',
    G: 'basic',
    P: 'perl',
  };
  const color = valueOf(options, 'color') ?? valueOf(options, 'colour');
  const binary = valueOf(options, 'binary-files');
  const named = lastOf(options, 'H', 'h');
  return {
    matcher: matcherOf(patterns, {
      dialect: dialects[lastOf(options, 'E', 'F', 'G', 'P') ?? ''] ?? standard,
      ignoreCase:
        (has.has('i') || has.has('y')) && lastOf(options, 'i', 'y', 'no-ignore-case') !== 'no-ignore-case',
      wholeWord: has.has('w'),
      wholeLine: has.has('x'),
      overLines: has.has('z'),
    }),
    invert: has.has('v'),
    mode: has.has('q')
      ? 'quiet'
      : lastOf(options, 'l', 'L') === 'l'
        ? 'files'
        : has.has('L')
          ? 'filesWithout'
          : has.has('c')
            ? 'count'
            : 'lines',
    only: has.has('o'),
    numbers: has.has('n'),
    offsets: has.has('b'),
    names: named === 'H' || (names && named !== 'h'),
    before: countOf(options, 'B') ?? countOf(options, 'C') ?? 0,
    after: countOf(options, 'A') ?? countOf(options, 'C') ?? 0,
    limit: countOf(options, 'm') ?? Infinity,
    binary:
      has.has('I') || binary === 'without-match'
        ? 'skip'
        : has.has('a') || binary === 'text'
          ? 'text'
          : 'note',
    nul: has.has('Z'),
    colors: color === 'always' || ((color === 'auto' || color === '') && call.terminal(1) !== undefined),
    tabs: has.has('T'),
    end: has.has('z') ? 0 : 10,
    flushes: has.has('line-buffered'),
  };
}

/** Turns `-3` into `-C 3`. */
function digitsAsContext(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, at) => (/^-\d+$/.test(arg) && (end < 0 || at < end) ? `-C${arg.slice(1)}` : arg));
}

async function patternsOf(call: ProgramCall, options: Options, operands: string[]): Promise<string[]> {
  const given = [...(options.values.get('e') ?? [])];
  for (const name of options.values.get('f') ?? []) {
    const text = await readText(await open(call, name, 2));
    if (text !== '') given.push(text.replace(/\n$/, ''));
  }
  if (!options.has.has('e') && !options.has.has('f')) {
    const first = operands.shift();
    if (first === undefined)
      throw new Complaint(
        `no pattern given\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.`,
        2,
      );
    given.push(first);
  }
  return given.flatMap((pattern) => pattern.split('\n'));
}

function candidates(call: ProgramCall, operand: string, options: Options, bare: boolean) {
  const isWanted = fileFilter(options);
  const skipsFolder = anyOf(options.values.get('exclude-dir'));
  return filesBelow(call.files, call.path(operand), bare ? '' : operand, {
    enter: (found: WalkEntry) => (found.isDirectory ? !skipsFolder(found) : isWanted(found)),
    followLinks: options.has.has('R'),
  });
}

/** Adds the patterns from the files of `--exclude-from` to the options. */
async function withExcluded(call: ProgramCall, options: Options): Promise<Options> {
  const lists = options.values.get('exclude-from');
  if (!lists) return options;
  const excluded = [...(options.values.get('exclude') ?? [])];
  for (const list of lists)
    excluded.push(...(await readText(await open(call, list))).split('\n').filter(Boolean));
  return { ...options, values: new Map([...options.values, ['exclude', excluded]]) };
}

function fileFilter(options: Options): (found: { readonly shown: string }) => boolean {
  const included = options.values.get('include');
  const isIncluded = included ? anyOf(included) : () => true;
  const isExcluded = anyOf(options.values.get('exclude'));
  return (found) => isIncluded(found) && !isExcluded(found);
}

function anyOf(globs: readonly string[] | undefined): (found: { readonly shown: string }) => boolean {
  if (!globs) return () => false;
  const tests = globs.map((glob) => globRegex(glob.replace(/\/+$/, '')));
  return ({ shown }) => {
    const name = shown.slice(shown.lastIndexOf('/') + 1);
    return tests.some((test) => test.test(name) || test.test(shown));
  };
}
