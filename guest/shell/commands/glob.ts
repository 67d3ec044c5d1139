import { patternSource, regexOf } from '../interpreter/patterns.ts';

/** What a pattern of fnmatch means: `*` and `?` take slashes too, and `@(a|b)` is text. */
export function globRegex(glob: string, ignoreCase = false): RegExp {
  return regexOf(`^${patternSource(glob, { extended: false })}$`, ignoreCase);
}
