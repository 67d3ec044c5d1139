import picomatch from 'picomatch';
import type { LoadBuiltin } from '../builtin.ts';

const kinds = '{js,mjs,cjs,ts,mts,cts}';
const usual = [`**/{test,test-*,*[._-]test}.${kinds}`, `**/test/**/*.${kinds}`];

/**
 * The test files that patterns name, or where node looks for them by itself, in order; from `cwd` as far as the pattern is.
 * Undefined where a pattern that is a plain name names nothing.
 */
export function testFiles(
  load: LoadBuiltin,
  cwd: string,
  patterns: readonly string[] | undefined,
): string[] | undefined {
  const path = load('path');
  const fs = load('fs');
  const found = new Set<string>();
  const all = walk(load, cwd, '');
  const sought = patterns && patterns.length > 0 ? patterns : usual;
  for (const pattern of sought) {
    const full = path.resolve(cwd, pattern);
    const named = path.isAbsolute(pattern) ? full : path.relative(cwd, full);
    if (fs.existsSync(full)) found.add(named);
    else {
      const matches = picomatch(path.relative(cwd, full));
      for (const file of all)
        if (matches(file)) found.add(path.isAbsolute(pattern) ? path.join(cwd, file) : file);
    }
  }
  const isPlain = sought.every((pattern) => !picomatch.scan(pattern).isGlob);
  if (found.size === 0 && patterns && isPlain && patterns.length > 0) return undefined;
  return [...found].sort();
}

function walk(load: LoadBuiltin, top: string, folder: string): string[] {
  const path = load('path');
  return load('fs')
    .readdirSync(path.join(top, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const inner = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : walk(load, top, inner);
      return [inner];
    });
}
