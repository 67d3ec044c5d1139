import { Complaint, textOf, type Call, type Output } from './command.ts';
import { countOf, parseOptions, valueOf, type Options } from './options.ts';

const SPEC = {
  short: '0rtpxn:L:I:P:d:a:s:E:',
  long: [
    'null=0',
    'no-run-if-empty=r',
    'verbose=t',
    'max-args=n',
    'max-lines=L',
    'replace=I',
    'max-procs=P',
    'delimiter=d',
    'arg-file=a',
    'max-chars=s',
    'exit=x',
  ],
};

export async function xargs(call: Call): Promise<Output> {
  const options = parseOptions(call.args, SPEC, true);
  const words = options.operands.length > 0 ? options.operands : ['echo'];
  const file = valueOf(options, 'a');
  const input = file === undefined ? call.stdin() : await call.files.readFileBuffer(call.path(file));
  const lines = itemsOf(textOf(input), options);
  const runs = runsOf(words, lines, options);
  const stdout: string[] = [];
  const stderr: string[] = [];
  let code = 0;
  for (const run of runs) {
    if (call.host.aborted()) break;
    if (options.has.has('t')) stderr.push(`${run.join(' ')}\n`);
    const result = await call.run(run);
    stdout.push(result.stdout);
    stderr.push(result.stderr);
    if (result.exitCode === 0) continue;
    if (result.exitCode === 255) return output(stdout, stderr, 124);
    code = result.exitCode === 126 || result.exitCode === 127 ? result.exitCode : 123;
    if (code === 127) break;
  }
  return output(stdout, stderr, code);
}

function output(stdout: readonly string[], stderr: readonly string[], code: number): Output {
  return { stdout: stdout.join(''), stderr: stderr.join(''), code };
}

/** The items of each line of input: `-L` and `-I` go by lines. */
function itemsOf(input: string, options: Options): string[][] {
  const delimiter = options.has.has('0') ? '\0' : delimiterOf(valueOf(options, 'd'));
  if (delimiter !== undefined) {
    const items = input.split(delimiter);
    if (items.at(-1) === '') items.pop();
    return items.map((item) => [item]);
  }
  if (options.has.has('I')) {
    const lines = input.split('\n').map((line) => line.trimStart());
    return lines.filter((line) => line !== '').map((line) => [unquoted(line)]);
  }
  return input
    .split('\n')
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function delimiterOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const escapes: Record<string, string> = { '\\n': '\n', '\\t': '\t', '\\0': '\0', '\\\\': '\\' };
  return escapes[value] ?? value.charAt(0);
}

function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\]|["'])+/g)) {
    if (/^(?:"[^"]*$|'[^']*$)/.test(word))
      throw new Complaint(
        'unmatched quote; by default quotes are special to xargs unless you use the -0 option',
        1,
      );
    words.push(unquoted(word));
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /"([^"]*)"|'([^']*)'|\\(.)/g,
    (_all, double?: string, single?: string, escaped?: string) => {
      return double ?? single ?? escaped ?? '';
    },
  );
}

function runsOf(words: readonly string[], lines: readonly string[][], options: Options): string[][] {
  const mark = valueOf(options, 'I');
  if (mark !== undefined) {
    return lines.flat().map((item) => words.map((word) => word.replaceAll(mark, () => item)));
  }
  const perLine = countOf(options, 'L');
  const items = lines.flat();
  const size = countOf(options, 'n') ?? (items.length || 1);
  if (size === 0 || perLine === 0) throw new Complaint('value 0 should be >= 1', 1);
  if (items.length === 0) return options.has.has('r') ? [] : [[...words]];
  const groups: string[][] = [];
  if (perLine !== undefined) {
    for (let i = 0; i < lines.length; i += perLine) groups.push(lines.slice(i, i + perLine).flat());
  } else {
    for (let i = 0; i < items.length; i += size) groups.push(items.slice(i, i + size));
  }
  return groups.map((group) => [...words, ...group]);
}
