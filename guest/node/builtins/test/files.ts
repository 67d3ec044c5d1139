import type { LoadBuiltin, NodeHost } from '../builtin.ts';

/** Where node looks by itself, as one expression: patterns are fetched only where some are given. */
const USUAL = /(?:^|\/)(?:test|test-[^/]*|[^/]*[._-]test|test\/.*)\.[cm]?[jt]s$/;
const isHidden = (path: string) => /(?:^|\/)\.(?!test\.[cm]?[jt]s$)/.test(path);

/**
 * The test files that patterns name, or where node looks for them by itself, in order; from `cwd` as far as the pattern is.
 * Undefined where a pattern that is a plain name names nothing.
 */
export function testFiles(
  host: NodeHost,
  load: LoadBuiltin,
  cwd: string,
  patterns: readonly string[] | undefined,
): string[] | undefined {
  const all = walk(load, cwd, '');
  if (!patterns || patterns.length === 0)
    return all.filter((file) => USUAL.test(file) && !isHidden(file)).sort();
  const path = load('path');
  const fs = load('fs');
  const picomatch = host.part('patterns');
  const found = new Set<string>();
  for (const pattern of patterns) {
    const full = path.resolve(cwd, pattern);
    const named = path.isAbsolute(pattern) ? full : path.relative(cwd, full);
    if (fs.existsSync(full)) found.add(named);
    else {
      const matches = picomatch(path.relative(cwd, full));
      for (const file of all)
        if (matches(file)) found.add(path.isAbsolute(pattern) ? path.join(cwd, file) : file);
    }
  }
  if (found.size === 0 && patterns.every((pattern) => !picomatch.scan(pattern).isGlob)) return undefined;
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
