import { Opaque, type ShellWord } from './opaque.ts';

/** For each interpreter, the options or the first word that are followed by a program as text. */
const EVALUATE: ReadonlyMap<string, RegExp> = new Map<string, RegExp>(
  (
    [
      ['python pypy', /^-[A-Za-z]*c/],
      ['perl', /^-[A-Za-z0-9]*[eE]/],
      ['ruby', /^-[A-Za-z0-9]*e/],
      ['node nodejs bun deno tsx ts-node', /^-(?:[ep]+|-eval|-print)(?:=|$)|^eval$/],
      ['php', /^-(?:[rBRE]|-run)/],
      ['lua luajit', /^-e/],
      ['osascript Rscript R', /^-e/],
    ] as const
  ).flatMap(([names, options]) => names.split(' ').map((name) => [name, options] as const)),
);

/** Options that name code to run before, or instead of, a file. */
const LOAD = /^-(?:[mMrIl]|-require|-import|-loader|-experimental-loader)$/;

/** Options after which the program may still come from the input. */
const PLAIN = /^-[BEIOSWiqsuwn]+$/;

/** Throws {@link Opaque} unless the program is written out here or is in a named file. */
export function checkInterpreter(name: string, args: readonly ShellWord[]): void {
  const evaluate = evaluatorOf(name);
  if (!evaluate) return;
  const evaluates = args.some(({ value }) => evaluate.test(value ?? ''));
  const isComputed = (word: ShellWord | undefined) => word?.value === null;
  if (
    (evaluates && args.some(isComputed)) ||
    args.some(({ value }, index) => LOAD.test(value ?? '') && isComputed(args[index + 1]))
  )
    throw new Opaque(`${name} with computed words`);
  const isInput = ({ value }: ShellWord) => value === '-' || value === '--' || PLAIN.test(value ?? '');
  const first = args.find((word) => !PLAIN.test(word.value ?? ''));
  if (!evaluates && (args.every(isInput) || first?.value === '-'))
    throw new Opaque(`${name} that reads its program from its input`);
}

/** Whether the program that runs depends on what is inserted into these words, or appended to them, as `xargs` does. */
export function dependsOn(
  isFilled: (word: ShellWord) => boolean,
  name: string,
  args: readonly ShellWord[],
): boolean {
  const evaluate = evaluatorOf(name);
  if (!evaluate) return false;
  const evaluates = args.some(({ value }) => evaluate.test(value ?? ''));
  const isOption = ({ value }: ShellWord) => value?.startsWith('-') === true || evaluate.test(value ?? '');
  return args.every(isOption) || (evaluates && args.some(isFilled));
}

function evaluatorOf(name: string): RegExp | undefined {
  return EVALUATE.get(name) ?? EVALUATE.get(name.replace(/[\d.]+$/, ''));
}
