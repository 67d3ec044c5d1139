const LONGEST = 200;
const MOST_REPEATS = 1;

/**
 * Whether a regular expression of somebody else can be tried on a message without the risk that it never ends: no
 * repeated group, no reference back, and one repeat at most.
 */
export function isCheapPattern(source: string): boolean {
  if (source.length > LONGEST) return false;
  // What is escaped, and what stands in a class, repeats nothing.
  const bare = source
    .replace(/\\[^]/g, (escaped) => (/\d|k/.test(escaped) ? '\\1' : 'x'))
    .replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+?{]/.test(bare) || bare.includes('\\1')) return false;
  return (bare.match(/[*+{]/g)?.length ?? 0) <= MOST_REPEATS;
}
