import type { Plugin } from 'vite';

/**
 * Packages whose own imports do nothing but define. isomorphic-git is one file that imports what any of its functions
 * needs; without this, code that only its unused functions need would be in the script.
 */
const PACKAGES = ['isomorphic-git'];

/** Leaves out what these packages import and the bundle does not use. */
export function pureImports(): Plugin {
  return {
    name: 'vitrine:pure-imports',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source.startsWith('.') || !PACKAGES.some((name) => importer?.includes(`/node_modules/${name}/`)))
        return undefined;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && { ...found, moduleSideEffects: false };
    },
  };
}
