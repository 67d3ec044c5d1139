/**
 * Whether `text` as a whole matches `pattern`: `*` is any run of characters, slashes and newlines too, `?` one
 * character, everything else itself, in whichever of its Unicode forms it is written. A pattern that ends in ` *` also matches without the arguments.
 */
export function matches(writtenPattern: string, writtenText: string): boolean {
  const pattern = writtenPattern.normalize();
  const text = writtenText.normalize();
  if (run(pattern, text, (char) => char === '?')) return true;
  return pattern.endsWith(' *') && run(pattern.slice(0, -2), text, (char) => char === '?');
}

/** Whether everything that `inner` matches is matched by `outer` too; false where that is not plain to see. */
export function covers(outer: string, inner: string): boolean {
  return run(outer.normalize(), inner.normalize(), (char, other) => char === '?' && other !== '*');
}

// Two indices and one place to go back to: linear in both for ordinary patterns, and no pattern from a settings file
// can make it exponential, as a regular expression could be made.
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
