import { patternSource, regexOf } from '../interpreter/patterns.ts';

/** Matches like fnmatch without flags: `*` and `?` also match slashes, and `@(a|b)` is plain text. */
export function globRegex(glob: string, ignoreCase = false): RegExp {
  return regexOf(`^${patternSource(glob, { extended: false })}$`, ignoreCase);
}
