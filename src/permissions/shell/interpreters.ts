import { Opaque, type ShellWord } from './opaque.ts';

/** By interpreter: the options, or the first word, that a program follows as text. */
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

/** Options that name what is run before, or in place of, a file. */
const LOAD = /^-(?:[mMrIl]|-require|-import|-loader|-experimental-loader)$/;

/** Options that leave the program to come from the input. */
const PLAIN = /^-[BEIOSWiqsuwn]+$/;

/** Throws {@link Opaque} where the program that runs is neither written here as it stands nor in a file that is named. */
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

/** Whether a program that runs depends on what is filled into these words, or put behind them, as `xargs` does. */
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
