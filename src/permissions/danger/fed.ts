import type { ShellWord } from '../shell/opaque.ts';

/** Stands for words that are known only at run time, as in `find -exec` and `xargs -I{}`. */
export const INPUT_WORD = '{}';

/**
 * The words after a command's name, with a placeholder for what `xargs` or `parallel` adds. `before` are the words in
 * front of the name.
 */
export function withInputWords(
  before: readonly ShellWord[],
  args: readonly ShellWord[],
  nameOf: (word: ShellWord) => string,
): readonly ShellWord[] {
  const at = before.findIndex((word) => /^(?:xargs|parallel)$/.test(nameOf(word)));
  if (at < 0) return args;
  const options = before.slice(at + 1).map(({ value, text }) => value ?? text);
  const isParallel = before[at] !== undefined && nameOf(before[at]) === 'parallel';
  const mark = isParallel && args.some(({ text }) => /\{[^{}]*\}/.test(text)) ? INPUT_WORD : markOf(options);
  if (mark === undefined) return [...args, { text: INPUT_WORD, value: INPUT_WORD }];
  return args.map((word) => {
    const text = (isParallel ? word.text.replace(/\{[^{}]*\}/g, INPUT_WORD) : word.text).replaceAll(
      mark,
      INPUT_WORD,
    );
    return text === word.text ? word : { text, value: text };
  });
}

/** The text that `xargs` replaces with each line; undefined if it appends the lines to the words instead. */
function markOf(options: readonly string[]): string | undefined {
  const at = options.findIndex((option) => /^-[0-9a-zA-Z]*?[Ii]|^--rep/.test(option));
  const [, letter, attached, long] =
    /^(?:-[0-9a-zA-Z]*?([Ii])(.*)|--rep[a-z]*(?:=(.*))?)$/.exec(options[at] ?? '') ?? [];
  if (at < 0) return undefined;
  return attached || long || (letter === 'I' ? options[at + 1] : undefined) || INPUT_WORD;
}
