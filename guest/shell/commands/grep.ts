import picomatch from 'picomatch';
import { Complaint, fileError, textOf, type Call, type Output } from './command.ts';
import { matchingLines, withContext, type Line } from './match.ts';
import { countOf, parseOptions, valueOf, type Options, type OptionSpec } from './options.ts';
import { compilePatterns, type Dialect } from './pattern.ts';
import { filesBelow, readAhead, type Found, type Readable } from './walk.ts';

const SPEC: OptionSpec = {
  short: 'EFGPe:f:iyvwxcLlonHhqsrRA:B:C:m:aIZz0bUT',
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
    'exclude-dir:',
    'color?',
    'colour?',
    'binary-files:',
    'line-buffered',
    'no-ignore-case',
  ],
};

/** How matches are shown; shared by grep and rg. */
export interface Showing {
  readonly regexp: RegExp;
  readonly invert: boolean;
  readonly only: boolean;
  readonly numbers: boolean;
  readonly columns?: boolean;
  readonly names: boolean;
  readonly mode: 'lines' | 'count' | 'files' | 'filesWithout' | 'quiet';
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly binary: 'text' | 'note' | 'skip';
  readonly afterName: string;
  readonly replacement?: string;
  /** Group by file, under its name. */
  readonly headings?: boolean;
  /** `-c` of rg leaves out files without any. */
  readonly omitZero?: boolean;
}

export async function grep(call: Call, standard: Dialect = 'basic'): Promise<Output> {
  const options = parseOptions(digitsAsContext(call.args), SPEC);
  const operands = [...options.operands];
  const patterns = await patternsOf(call, options, operands);
  const dialect = dialectOf(options, standard);
  const recursive = options.has.has('r') || options.has.has('R');
  const names = recursive || operands.length > 1;
  const showing: Showing = {
    regexp: compilePatterns(patterns, dialect, {
      ignoreCase: options.has.has('i') || options.has.has('y'),
      wholeWord: options.has.has('w'),
      wholeLine: options.has.has('x'),
    }),
    invert: options.has.has('v'),
    only: options.has.has('o'),
    numbers: options.has.has('n'),
    names: lastOf(options, 'H', 'h') === 'H' || (names && lastOf(options, 'H', 'h') !== 'h'),
    mode: modeOf(options),
    before: countOf(options, 'B') ?? countOf(options, 'C') ?? 0,
    after: countOf(options, 'A') ?? countOf(options, 'C') ?? 0,
    limit: countOf(options, 'm') ?? Infinity,
    binary: options.has.has('I') ? 'skip' : options.has.has('a') ? 'text' : binaryFiles(options),
    afterName: options.has.has('Z') ? '\0' : ':',
  };
  const complaints: string[] = [];
  const complain = (name: string, reason: string) => complaints.push(`${name}: ${reason}`);
  if (operands.length === 0) operands.push(recursive ? '.' : '-');
  const bare = recursive && options.operands.length <= (options.has.has('e') || options.has.has('f') ? 0 : 1);
  const candidates = candidatesOf(call, operands, options, recursive, bare, complain);
  const { stdout, matched } = await search(call, candidates, showing, complain, 'grep');
  const stderr = options.has.has('s') ? '' : complaints.map((line) => `grep: ${line}\n`).join('');
  const code = matched && showing.mode === 'quiet' ? 0 : complaints.length > 0 ? 2 : matched ? 0 : 1;
  return { stdout, stderr, code };
}

/** `-3` is `-C 3`. */
function digitsAsContext(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, i) => (/^-\d+$/.test(arg) && (end < 0 || i < end) ? `-C${arg.slice(1)}` : arg));
}

async function patternsOf(call: Call, options: Options, operands: string[]): Promise<string[]> {
  const given = [...(options.values.get('e') ?? [])];
  for (const name of options.values.get('f') ?? []) {
    const content =
      name === '-' ? call.stdin() : await call.files.readFileBuffer(call.path(name)).catch(() => null);
    if (!content) throw new Complaint(`${name}: No such file or directory`);
    const text = textOf(content);
    given.push(...(text === '' ? [] : [text.replace(/\n$/, '')]));
  }
  if (!options.has.has('e') && !options.has.has('f')) {
    const first = operands.shift();
    if (first === undefined)
      throw new Complaint('no pattern given\nUsage: grep [OPTION]... PATTERNS [FILE]...');
    given.push(first);
  }
  const patterns = given.flatMap((pattern) => pattern.split('\n'));
  return patterns.length > 0 ? patterns : ['(?!)'];
}

function dialectOf(options: Options, standard: Dialect): Dialect {
  const last = lastOf(options, 'E', 'F', 'G', 'P');
  if (!options.has.has('e') && !options.has.has('f') && last === undefined) return standard;
  return last === 'E'
    ? 'extended'
    : last === 'F'
      ? 'fixed'
      : last === 'P'
        ? 'perl'
        : last === 'G'
          ? 'basic'
          : standard;
}

export function lastOf(options: Options, ...names: readonly string[]): string | undefined {
  return options.order.findLast(([name]) => names.includes(name))?.[0];
}

function modeOf(options: Options): Showing['mode'] {
  if (options.has.has('q')) return 'quiet';
  if (options.has.has('l')) return 'files';
  if (options.has.has('L')) return 'filesWithout';
  return options.has.has('c') ? 'count' : 'lines';
}

function binaryFiles(options: Options): Showing['binary'] {
  const value = valueOf(options, 'binary-files');
  return value === 'text' ? 'text' : value === 'without-match' ? 'skip' : 'note';
}

export interface Candidate {
  readonly shown: string;
  readonly path: string;
}

async function* candidatesOf(
  call: Call,
  operands: readonly string[],
  options: Options,
  recursive: boolean,
  bare: boolean,
  complain: (name: string, reason: string) => void,
): AsyncGenerator<Candidate> {
  const isWanted = fileFilter(options);
  const skipsFolder = anyOf(options.values.get('exclude-dir'));
  const enter = (found: Found) => (found.isDirectory ? !skipsFolder(found) : isWanted(found));
  for (const operand of operands) {
    if (operand === '-') {
      yield { shown: '(standard input)', path: '-' };
      continue;
    }
    const path = call.path(operand);
    try {
      if (!(await call.files.stat(path)).isDirectory) {
        if (isWanted({ shown: operand })) yield { shown: operand, path };
      } else if (recursive) {
        yield* filesBelow(call.files, path, bare ? '' : operand, {
          enter,
          followLinks: options.has.has('R'),
        });
      } else complain(operand, 'Is a directory');
    } catch (error) {
      complain(operand, fileError(error));
    }
  }
}

function fileFilter(options: Options): (found: { readonly shown: string }) => boolean {
  const included = options.values.get('include');
  const isIncluded = included ? anyOf(included) : () => true;
  const isExcluded = anyOf(options.values.get('exclude'));
  return (found) => isIncluded(found) && !isExcluded(found);
}

function anyOf(globs: readonly string[] | undefined): (found: { readonly shown: string }) => boolean {
  if (!globs) return () => false;
  const tests = globs.map((glob) => picomatch(glob.replace(/\/+$/, ''), { dot: true }));
  return ({ shown }) => {
    const name = shown.slice(shown.lastIndexOf('/') + 1);
    return tests.some((test) => test(name) || test(shown));
  };
}

export interface SearchResult {
  readonly stdout: string;
  readonly matched: boolean;
}

/** Searches files in their order and shows what matches. */
export async function search(
  call: Call,
  candidates: AsyncIterable<Candidate>,
  showing: Showing,
  complain: (name: string, reason: string) => void,
  program: 'grep' | 'rg',
): Promise<SearchResult> {
  const stdout: string[] = [];
  let matched = false;
  const files: Readable = {
    readFileBuffer: (path) =>
      path === '-' ? Promise.resolve(call.stdin()) : call.files.readFileBuffer(path),
  };
  for await (const { item, content } of readAhead(files, candidates)) {
    if (call.host.aborted()) break;
    if (content instanceof Error) {
      complain(item.shown, fileError(content));
      continue;
    }
    const found = show(item.shown, content, showing, stdout, program);
    matched ||= found;
    if (found && showing.mode === 'quiet') break;
  }
  return { stdout: stdout.join(''), matched };
}

function show(
  name: string,
  content: Uint8Array,
  showing: Showing,
  stdout: string[],
  program: 'grep' | 'rg',
): boolean {
  const isBinary = showing.binary !== 'text' && content.subarray(0, 8192).includes(0);
  if (isBinary && showing.binary === 'skip') return false;
  const text = textOf(content);
  const { mode } = showing;
  const limit = mode === 'lines' && !isBinary ? showing.limit : mode === 'count' ? showing.limit : 1;
  const lines = matchingLines(text, showing.regexp, showing.invert, limit);
  if (mode === 'count') {
    let count = 0;
    for (const _line of lines) count++;
    if (count > 0 || !showing.omitZero)
      stdout.push(`${showing.names ? name + showing.afterName : ''}${count}\n`);
    return count > 0;
  }
  if (mode !== 'lines' || isBinary) {
    const found = lines.next().done !== true;
    if (mode === 'files' ? found : mode === 'filesWithout' && !found) {
      stdout.push(name + (showing.afterName === '\0' ? '\0' : '\n'));
    } else if (mode === 'lines' && found) {
      stdout.push(
        program === 'grep' ? `grep: ${name}: binary file matches\n` : `${name}: binary file matches\n`,
      );
    }
    return mode === 'filesWithout' ? !found : found;
  }
  return showLines(name, text, lines, showing, stdout);
}

function showLines(
  name: string,
  text: string,
  lines: Iterable<Line>,
  showing: Showing,
  stdout: string[],
): boolean {
  const hasContext = (showing.before > 0 || showing.after > 0) && !showing.only;
  let found = false;
  const prefix = (line: Line, column: number) => {
    const mark = line.matched ? ':' : '-';
    const named = showing.names && !showing.headings ? name + (showing.afterName === '\0' ? '\0' : mark) : '';
    return `${named}${showing.numbers ? line.number + mark : ''}${showing.columns ? column + mark : ''}`;
  };
  const shown = hasContext ? withContext(text, lines, showing.before, showing.after) : lines;
  for (const line of shown) {
    if (!found) {
      if (hasContext && stdout.length > 0 && !showing.headings) stdout.push('--\n');
      if (showing.headings) stdout.push(`${stdout.length > 0 ? '\n' : ''}${name}\n`);
      found = true;
    }
    if (line === null) stdout.push('--\n');
    else if (showing.only && !showing.invert) {
      for (const hit of line.text.matchAll(showing.regexp)) {
        if (hit[0] === '') continue;
        stdout.push(`${prefix(line, hit.index + 1)}${replaced(hit[0], showing)}\n`);
      }
    } else if (!showing.only) {
      stdout.push(`${prefix(line, columnOf(line, showing))}${replaced(line.text, showing)}\n`);
    }
  }
  return found;
}

function columnOf(line: Line, { columns, regexp }: Showing): number {
  if (!columns) return 0;
  regexp.lastIndex = 0;
  return (regexp.exec(line.text)?.index ?? 0) + 1;
}

function replaced(text: string, { regexp, replacement }: Showing): string {
  return replacement === undefined ? text : text.replace(regexp, replacement);
}
