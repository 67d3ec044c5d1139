import type { Assignment } from 'unbash';
import { expandText } from './expand.ts';
import { quoteWord } from './quoting.ts';
import type { Argument, Shell } from './shell.ts';
import { read } from './source.ts';
import type { Task } from './task.ts';
import { compile } from './words.ts';

export function* trace(
  shell: Shell,
  assignments: readonly Assignment[],
  words: readonly Argument[],
): Task<void> {
  const shown = words.map((word) => (typeof word === 'string' ? traceWord(word) : word.text));
  const before = assignments.map(({ text }) => text);
  yield* shell.print(`${yield* tracePrompt(shell)}${[...before, ...shown].join(' ')}\n`, 2);
}

export function* traceAssignment(shell: Shell, { name, append, index, text, value }: Assignment): Task<void> {
  const isPlain = !index && !append && value.type === 'Word';
  const shown = isPlain ? `${name}=${traceWord(shell.variables.get(name) ?? '', true)}` : text;
  yield* shell.print(`${yield* tracePrompt(shell)}${shown}\n`, 2);
}

function* tracePrompt(shell: Shell): Task<string> {
  const prompt = shell.variables.get('PS4') ?? '+ ';
  if (!/[$`\\]/.test(prompt)) return prompt;
  shell.options.set('xtrace', false);
  try {
    const [statement] = read(`: "${prompt}"`).tree.commands;
    const word = statement?.command.type === 'Command' ? statement.command.args[0] : undefined;
    return word?.type === 'Word' ? yield* expandText(shell, compile(word)) : prompt;
  } finally {
    shell.options.set('xtrace', true);
  }
}

export function* traceText(shell: Shell, text: string): Task<void> {
  yield* shell.print(`${yield* tracePrompt(shell)}${text}\n`, 2);
}

export function traceWord(word: string, isValue = false): string {
  if (word === '' && isValue) return '';

  if (word !== '' && !/[\s'"\\$`&|;<>()*?[\]{}!#~^\x00-\x1f]/.test(word)) return word;
  return quoteWord(word, true);
}
