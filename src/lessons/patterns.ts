const LONGEST = 200;
const MOST_REPEATS = 1;
/**
 * Positions where the engine tries alternatives: an optional character, or another branch of a group. Each may double
 * the number of attempts.
 */
const MOST_CHOICES = 4;

/**
 * Whether it is safe to match a foreign regular expression against messages, without the risk of exponential time: it
 * may have no repeated group and no back reference, and either one repetition or a few optional pieces and branches
 * within groups.
 */
export function isCheapPattern(source: string): boolean {
  if (source.length > LONGEST) return false;
  // Escapes and character classes contain no repetition, and the `?` after a bracket only marks the kind of group.
  const bare = source
    .replace(/\\[^]/g, (escaped) => (/\d|k/.test(escaped) ? '\\1' : 'x'))
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?', '(');
  if (/\)[*+?{]/.test(bare) || bare.includes('\\1')) return false;
  const repeats = bare.match(/[*+{]/g)?.length ?? 0;
  return repeats <= MOST_REPEATS && choices(bare) <= (repeats > 0 ? 0 : MOST_CHOICES);
}

function choices(bare: string): number {
  let depth = 0;
  let found = 0;
  for (const char of bare) {
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === '?' || (char === '|' && depth > 0)) found++;
  }
  return found;
}
