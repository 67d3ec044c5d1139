import type { Plugin } from 'vite';

/**
 * What judges a command and what runs it need the same parser, and it is large. So it is a script of its own, which is
 * fetched once: the built page imports it, and the shell gets its text before its own. This entry is that script.
 */
export const PARSER = 'guest/shell/parser/main.ts';

/** What takes the place of the package, once the script has run. */
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
