/**
 * Whether the whole `text` matches `pattern`: `*` is any run of characters including slashes and newlines, `?` is one
 * character, and everything else is itself, in any Unicode normalization form. A pattern that ends in ` *` also
 * matches without the arguments.
 */
export function matches(writtenPattern: string, writtenText: string): boolean {
  const pattern = writtenPattern.normalize();
  const text = writtenText.normalize();
  if (run(pattern, text, (char) => char === '?')) return true;
  return pattern.endsWith(' *') && run(pattern.slice(0, -2), text, (char) => char === '?');
}

/** Whether `outer` matches everything that `inner` matches; false if that is not obvious. */
export function covers(outer: string, inner: string): boolean {
  return run(outer.normalize(), inner.normalize(), (char, other) => char === '?' && other !== '*');
}

// Uses two indices and one position to go back to. That is linear for ordinary patterns, and no pattern from a
// settings file can make it exponential, as a regular expression could be.
function run(pattern: string, text: string, isAny: (char: string, other: string) => boolean): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const char = pattern[p];
    if (char === '*') {
      star = p++;
      resume = t;
    } else if (char !== undefined && (char === text[t] || isAny(char, text[t] ?? ''))) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Whether some text matches both patterns. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [one.normalize(), other.normalize()];
  // One row per position in `a`: whether the rests of both texts from there on can match a common text.
  let below: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = b.length; j >= 0; j--) row[j] = meetAt(a[i], b[j], row[j + 1], below[j], below[j + 1]);
    below = row;
  }
  return below[0] === true;
}

/** The arguments say whether the rests match after skipping a character of `b`, of `a`, or of both. */
function meetAt(a?: string, b?: string, skipB = false, skipA = false, both = false): boolean {
  if (a === undefined && b === undefined) return true;
  // A `*` either ends here or takes in the other text's next character.
  if (a === '*') return skipA || skipB;
  if (b === '*') return skipB || skipA;
  return a !== undefined && b !== undefined && (a === b || a === '?' || b === '?') && both;
}
