import type { ShellWord } from '../shell/opaque.ts';

/** The name of the program that a word calls, without its folder; '' if only the running shell can tell. */
export function nameOf(word: ShellWord | undefined): string {
  return nameIn(word?.value ?? '');
}

/** The last part of a path. */
export function nameIn(path: string): string {
  return path.replace(/^.*\//, '');
}
