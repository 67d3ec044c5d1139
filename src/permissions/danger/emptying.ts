import type { ShellCommand, ShellWord } from '../shell/opaque.ts';
import { areNeighbours, isAnywhere, leadsOutside, type Hit } from './targets.ts';

type HitOf = (word: ShellWord) => Hit;

/**
 * Whether `mv` moves anything outside the workspace, which does not outlive the page, or to a place known only at run
 * time.
 */
export function movesAway(args: readonly ShellWord[], directories: ReadonlySet<string> | null): boolean {
  const { sources, target } = movedBy(args);
  if (target === undefined) return false;
  if (isAnywhere(target)) return sources.some((word) => !areNeighbours(word, target));
  if (!leadsOutside(target, directories)) return false;
  return sources.length === 0 || sources.some((word) => !leadsOutside(word, directories));
}

/** The operands of `mv`: its sources and its target. */
export function movedBy(args: readonly ShellWord[]): {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord | undefined;
} {
  const end = args.findIndex(({ value }) => value === '--');
  const before = end < 0 ? args : args.slice(0, end);
  const at = before.findIndex(({ value }) => /^-[A-Za-z]*t|^--t/.test(value ?? ''));
  const attached = /^(?:-[A-Za-z]*?t(.+)|--t[a-z-]*=(.*))$/.exec(args[at]?.value ?? '');
  const named = attached?.[1] ?? attached?.[2];
  const given = at < 0 ? undefined : named === undefined ? args[at + 1] : { text: named, value: named };
  const isOption = ({ value }: ShellWord) => value?.startsWith('-') === true;
  const words = [...before.filter((word) => !isOption(word)), ...(end < 0 ? [] : args.slice(end + 1))];
  if (given) return { sources: words.filter((word) => word !== given), target: given };
  return { sources: words.slice(0, -1), target: words.at(-1) };
}

/** Whether `truncate` shortens all files, or files known only at run time. */
export function truncates(args: readonly ShellWord[], hit: HitOf): boolean {
  const at = args.findIndex(({ value }) => /^-[a-z]*s|^--s/.test(value ?? ''));
  const option = args[at]?.value ?? '';
  const attached = /^(?:-[a-z]*?s(.+)|--s[a-z]*=(.*))$/.exec(option);
  const size = attached?.[1] ?? attached?.[2] ?? args[at + 1]?.value ?? '';
  if (/^[+>]/.test(size)) return false;
  const isValue = (index: number) => at >= 0 && !attached && index === at + 1;
  const files = args.filter(({ value }, index) => !value?.startsWith('-') && !isValue(index));
  return files.length === 0 || files.some((word) => hit(word) !== 'no');
}

/** Commands of sed that leave nothing, or almost nothing, of a file. */
const EMPTIES = [
  // Deletes or replaces every line.
  /(?:^|[;{}\n])\s*(?:\d+\s*[,~]\s*[\d$]+|\/(?:\.\*?|\^)\/|\$\s*!)?\s*[dDzc](?:[\s;}\\]|$)/,
  // Quits at the beginning.
  /(?:^|[;{}\n])\s*\d*\s*[qQ]\d*(?:[\s;}]|$)/,
  /s(.)\^?\.\*\$?\1\1/,
];

/** Whether `sed -i` runs on all files with a script that empties them. */
export function editsAway(args: readonly ShellWord[], hit: HitOf): boolean {
  const values = args.map(({ value, text }) => value ?? text);
  if (!values.some((value) => /^-[A-Za-z]*i|^--in/.test(value) && !/^-[ef]/.test(value))) return false;
  const isQuiet = values.some((value) => /^-[rEsuz]*n|^--(?:quiet|silent)/.test(value));
  const given = values.findIndex((value) => /^-[A-Za-z]*[ef]$|^--(?:expression|file)$/.test(value));
  const scripts = values.flatMap((value, index) => {
    if (index > 0 && index - 1 === given) return [value];
    const inOption = /^(?:-e(.+)|--expression=(.*))$/.exec(value);
    return inOption ? [inOption[1] ?? inOption[2] ?? ''] : [];
  });
  const words = args.filter(({ value }, index) => !value?.startsWith('-') && index - 1 !== given);
  const [first, ...rest] = words;
  const isInOption = scripts.length > 0 || values.some((value) => /^--file=|^-f./.test(value));
  const script = isInOption ? scripts.join('\n') : (first?.value ?? first?.text ?? '');
  const files = isInOption ? words : rest;
  if (!EMPTIES.some((each) => each.test(script)) && (!isQuiet || /^\s*p\s*;?\s*$/.test(script))) return false;
  return files.length === 0 || files.some((word) => hit(word) !== 'no');
}

/**
 * Whether an empty file is copied over all files or over files known only at run time, or `tee` writes to all files.
 */
export function copiesNothing(args: readonly ShellWord[], hit: HitOf): boolean {
  const { sources, target } = movedBy(args);
  const isNothing = (word: ShellWord | undefined) => word?.value === '/dev/null';
  // A single operand is the target's name; the contents come from elsewhere.
  if (sources.length === 0) return isNothing(target);
  if (!sources.some(isNothing)) return false;
  return target === undefined || hit(target) !== 'no' || sources.some((word) => hit(word) === 'yes');
}

/** Whether a loop over all files, or over files known only at run time, overwrites each of them. */
export function emptiesInLoop(commands: readonly ShellCommand[], script: string): boolean {
  const empties = ({ words: [name, ...args], redirects }: ShellCommand) =>
    redirects.some(({ text, target }) => isTruncating(text) && isOneVariable(target)) ||
    (name?.value === 'tee' &&
      args.some(isOneVariable) &&
      !args.some(({ value }) => /^-\w*a/.test(value ?? '')));
  return isLoopOverFiles(script) && commands.some(empties);
}

/** Whether a script loops over all files of a folder, or over a list that is read or computed. */
export function isLoopOverFiles(script: string): boolean {
  return (
    /\bfor\s+\w+\s+in(?=\s)[^;\n]*?(?:[\s/]\*+(?=[\s;]|$)|\$[({\w]|`)/.test(script) ||
    /\b(?:while|until)\b[^]*\bshift\b|\bwhile\b[^\n;]*\bread\b|\bfor\s+\w+\s*(?:;|\n|do\b)/.test(script)
  );
}

/** Whether a redirection truncates its file: `>` and the like, but not `>>`. */
function isTruncating(redirect: string): boolean {
  return /^(?:\d*|&)>(?![>&])/.test(redirect);
}

function isOneVariable(target: ShellWord | undefined): boolean {
  return target?.value === null && /^(?:\.\/)?\$(?:\w+|\{\w+\})$/.test(target.text.replaceAll('"', ''));
}
