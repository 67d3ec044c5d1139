import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { libraryPartOf } from '../src/language/typescript/library-parts.ts';

const PREFIX = 'typescript-library:';

/** Makes `import('typescript-library:core')` the declaration files of TypeScript, as names with texts. */
export function typescriptLibraries(): Plugin {
  return {
    name: 'vitrine:typescript-libraries',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const part = id.slice(PREFIX.length + 1);
      const folder = dirname(createRequire(import.meta.url).resolve('typescript'));
      const names = readdirSync(folder).filter((name) => libraryPartOf(name) === part);
      if (names.length === 0) throw new Error(`There is no part ${part} of TypeScript's declarations.`);
      const texts = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
      // The module parses a string of JSON, which is many times faster than an object literal.
      const json = JSON.stringify(Object.fromEntries(texts));
      return { code: `export default JSON.parse(${JSON.stringify(json)});`, map: null };
    },
  };
}
