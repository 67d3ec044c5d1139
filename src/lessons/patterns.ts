const LONGEST = 200;
const MOST_REPEATS = 1;
/** Places where one character more or less, or another branch of a group, is tried: each may double what is tried. */
const MOST_CHOICES = 4;

/**
 * Whether a regular expression of somebody else can be tried on a message without the risk that it never ends: no
 * repeated group, no reference back, and either one repeat or few optional pieces and branches within groups.
 */
export function isCheapPattern(source: string): boolean {
  if (source.length > LONGEST) return false;
  // What is escaped, and what stands in a class, repeats nothing. The mark behind a bracket says what group it is.
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
