import type { Plugin } from 'vite';

/**
 * The entry of the script that holds the parser of bash. The page judges a command with it and the shell runs the command
 * with it, and it is large, so both take it from one script: the page imports that, and the shell's own script comes after it.
 */
export const PARSER = 'guest/shell/parser/main.ts';

/** This module stands in for the package, and takes the parser from the global that the script has set. */
export const FROM_PARSER = `export const { forEachChild, parse } = globalThis.__vtr_unbash;`;

/** Makes guest scripts take `unbash` from the parser's script. */
export function parserApart(): Plugin {
  const id = '\0shell-parser';
  return {
    name: 'vitrine:shell-parser',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'unbash' && !importer?.endsWith(PARSER) ? id : undefined),
    load: (asked) => (asked === id ? FROM_PARSER : undefined),
  };
}
