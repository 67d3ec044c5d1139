import type { ArithmeticFor, Case, CompoundList, For, Select, While } from 'unbash';
import { decode } from '../kit/io.ts';
import { ShellError } from './errors.ts';
import { calculate, expandPattern, expandText, expandWords } from './expand.ts';
import { matches, quotePattern } from './patterns.ts';
import { readLine } from './reading.ts';
import type { Shell } from './shell.ts';
import type { Task } from './task.ts';
import { compile } from './words.ts';
import { isName } from './reference.ts';
import { runTested } from './tested.ts';
import { traceText, traceWord } from './trace.ts';

/** Call it after the body of a loop has jumped: true where this loop ends as well. */
function leaves(shell: Shell): boolean {
  if (shell.flow === 'return') return true;
  if (--shell.levels > 0) return true;
  const isBreak = shell.flow === 'break';
  shell.flow = undefined;
  return isBreak;
}

function* runBody(shell: Shell, body: CompoundList): Task<number> {
  shell.loops++;
  try {
    return yield* shell.interpreter.runList(shell, body.commands);
  } finally {
    shell.loops--;
  }
}

export function* runWhile(shell: Shell, node: While): Task<number> {
  const wanted = node.kind === 'while';
  let status = 0;
  shell.loops++;
  try {
    for (;;) {
      const test = yield* runTested(shell, shell.interpreter.runList(shell, node.clause.commands));
      if (shell.flow) {
        if (leaves(shell)) break;
        continue;
      }
      if ((test === 0) !== wanted) break;
      status = yield* shell.interpreter.runList(shell, node.body.commands);
      if (shell.flow && leaves(shell)) break;
    }
  } finally {
    shell.loops--;
  }
  return (shell.status = status);
}

export function* runFor(shell: Shell, node: For): Task<number> {
  shell.at = node.pos;
  const name = node.name.text;
  if (!isName(name)) throw new ShellError(`\`${name}': not a valid identifier`);
  const values = node.wordlist ? yield* expandWords(shell, node.wordlist) : [...shell.args];
  let status = 0;
  const header = `for ${name} in ${node.wordlist?.map(({ text }) => text).join(' ') ?? '"$@"'}`;
  for (const value of values) {
    if (shell.on('xtrace')) yield* traceText(shell, header);
    shell.variables.set(name, value);
    status = yield* runBody(shell, node.body);
    if (shell.flow && leaves(shell)) break;
  }
  return (shell.status = status);
}

const headers = new WeakMap<ArithmeticFor, readonly string[]>();

/** The three expressions between `((` and `))`. */
function headerOf(shell: Shell, node: ArithmeticFor): readonly string[] {
  let header = headers.get(node);
  if (!header) {
    const text = shell.source.text.slice(node.pos, node.body.pos);
    const inner = text.slice(text.indexOf('((') + 2, text.lastIndexOf('))'));
    const parts = [''];
    let level = 0;
    for (const char of inner) {
      if (char === '(' || char === '{') level++;
      if (char === ')' || char === '}') level--;
      if (char === ';' && level === 0) parts.push('');
      else parts[parts.length - 1] += char;
    }
    header = parts;
    headers.set(node, header);
  }
  return header;
}

export function* runArithmeticFor(shell: Shell, node: ArithmeticFor): Task<number> {
  shell.at = node.pos;
  const [first = '', test = '', update = ''] = headerOf(shell, node);
  let status = 0;
  try {
    if (first.trim()) yield* calculate(shell, first);
    for (;;) {
      if (test.trim() && !(yield* calculate(shell, test))) break;
      status = yield* runBody(shell, node.body);
      if (shell.flow && leaves(shell)) break;
      if (update.trim()) yield* calculate(shell, update);
    }
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    throw new ShellError(error.message.startsWith('((: ') ? error.message : `((: ${error.message}`);
  }
  return (shell.status = status);
}

export function* runCase(shell: Shell, node: Case): Task<number> {
  shell.at = node.pos;
  const text = yield* expandText(shell, compile(node.word, 'assignment'));
  if (shell.on('xtrace')) yield* traceText(shell, `case ${traceWord(text)} in`);
  const ignoreCase = shell.shopt.get('nocasematch') === true;
  let status = 0;
  let falls = false;
  for (const { pattern, body, terminator } of node.items) {
    let fits = falls;
    for (const word of fits ? [] : pattern) {
      const form = compile(word, 'pattern');
      fits = matches(
        text,
        form.plain === undefined ? yield* expandPattern(shell, form) : quoted(form.plain),
        ignoreCase,
      );
      if (fits) break;
    }
    if (!fits) continue;
    status = yield* shell.interpreter.runList(shell, body.commands);
    if (shell.flow || terminator === ';;' || terminator === undefined) return status;
    falls = terminator === ';&';
  }
  return (shell.status = status);
}

function quoted(text: string): string {
  return /[\\*?[(]/.test(text) ? quotePattern(text) : text;
}

export function* runSelect(shell: Shell, node: Select): Task<number> {
  shell.at = node.pos;
  const values = node.wordlist ? yield* expandWords(shell, node.wordlist) : [...shell.args];
  let status = 0;
  let shows = true;
  while (values.length > 0) {
    if (shows) {
      const width = String(values.length).length;
      const lines = values.map((value, index) => `${String(index + 1).padStart(width)}) ${value}\n`);
      yield* shell.print(lines.join(''), 2);
    }
    yield* shell.print(shell.variables.get('PS3') ?? '#? ', 2);
    const line = yield* readLine(shell, 0);
    if (line === null) {
      yield* shell.print('\n', 2);
      return (shell.status = 1);
    }
    const answer = decode(line).replace(/\n$/, '').trim();
    shell.variables.set('REPLY', answer);
    shows = answer === '';
    if (shows) continue;
    shell.variables.set(node.name.text, /^\d+$/.test(answer) ? (values[Number(answer) - 1] ?? '') : '');
    status = yield* runBody(shell, node.body);
    if (shell.flow && leaves(shell)) break;
  }
  return (shell.status = status);
}
