import picomatch from 'picomatch';
import type { LoadBuiltin } from '../builtin.ts';

const kinds = '{js,mjs,cjs,ts,mts,cts}';
const usual = [`**/{test,test-*,*[._-]test}.${kinds}`, `**/test/**/*.${kinds}`];

/** The test files that patterns name, or where node looks for them by itself; absolute, in order. */
export function testFiles(
  load: LoadBuiltin,
  cwd: string,
  patterns: readonly string[],
): { files: string[] } | { missing: string } {
  const path = load('path');
  const fs = load('fs');
  const found = new Set<string>();
  const all = walk(load, cwd, '');
  if (patterns.length === 0) {
    const matches = picomatch(usual);
    for (const file of all) if (matches(file)) found.add(path.join(cwd, file));
    return { files: [...found].sort() };
  }
  for (const pattern of patterns) {
    const full = path.resolve(cwd, pattern);
    if (fs.existsSync(full) && fs.statSync(full).isFile()) found.add(full);
    else {
      const matches = picomatch(path.relative(cwd, full));
      for (const file of all) if (matches(file)) found.add(path.join(cwd, file));
    }
  }
  const isSought = patterns.some((pattern) => picomatch.scan(pattern).isGlob);
  if (found.size === 0 && !isSought) return { missing: patterns.join(', ') };
  return { files: [...found].sort() };
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
