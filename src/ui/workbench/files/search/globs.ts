import picomatch from 'picomatch';

/**
 * Globs as a person types them, with commas between. One without a slash means names at any depth; each also means
 * what is in a folder of that name. Undefined for none.
 */
export function globOf(text: string): string | undefined {
  const globs = parts(text).flatMap((part) => {
    const glob = part.replace(/^\.?\/+/, '').replace(/\/+$/, '');
    if (glob === '') return [];
    // Within braces, `**/` does not stand for the root itself.
    const placed = glob.includes('/') ? [glob] : [glob, `**/${glob}`];
    return placed.flatMap((each) => (each.endsWith('**') ? [each] : [each, `${each}/**`]));
  });
  return globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
}

/** A test for paths from the root. */
export function excluder(text: string): (path: string) => boolean {
  const glob = globOf(text);
  if (glob === undefined) return () => false;
  const matches = picomatch(glob, { dot: true });
  return (path) => matches(path);
}

/** Commas within braces belong to the glob. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let part = '';
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth <= 0) {
      found.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...found, part.trim()];
}
