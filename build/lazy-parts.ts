import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
const PARTS = normalizePath(fileURLToPath(new URL('../src/base/parts.ts', import.meta.url)));

const CHANGES = [
  ['return baseModule().catch(', `return loadModule(baseModule).catch(`],
  ['if (!e.defaultPrevented) throw err;', 'if (!e.defaultPrevented) return lostModule(err);'],
] as const;

/**
 * Every `import()` of the built page uses Vite's preload helper. This makes it use src/base/parts.ts, which
 * tries again and finds out why a part cannot be loaded. Throws if the helper is not the version expected
 * here.
 */
export function withRetries(helper: string): string {
  const changed = CHANGES.reduce((code, [from, to]) => {
    if (code.split(from).length !== 2) throw new Error(`Vite's preload helper has no "${from}" any more`);
    return code.replace(from, () => to);
  }, helper);
  return `import { loadModule, lostModule } from ${JSON.stringify(PARTS)};\n${changed}`;
}

export function lazyParts(): Plugin {
  return {
    name: 'vitrine:lazy-parts',
    apply: 'build',
    enforce: 'post',
    transform: (code, id) => (id === HELPER ? { code: withRetries(code), map: null } : undefined),
  };
}
