import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Matches files of packages whose `exports` do not list them. */
const DEEP = /^brotli-wasm\/pkg\./;

/**
 * Supports `import * as wasm from './x.wasm'`, as in packages for bundlers. The bytes go into the script, and
 * the module is compiled synchronously, which only workers may do. Its own imports are resolved relative to
 * its file.
 */
export function wasmModules(): Plugin {
  return {
    name: 'vitrine:wasm-modules',
    enforce: 'pre',
    resolveId(source, importer) {
      if (DEEP.test(source)) return path.resolve(import.meta.dirname, '../node_modules', source);
      if (!source.endsWith('.wasm') || !importer) return undefined;
      return `\0wasm:${path.resolve(path.dirname(importer), source)}`;
    },
    async load(id) {
      if (!id.startsWith('\0wasm:')) return undefined;
      const file = id.slice('\0wasm:'.length);
      const bytes = await readFile(file);
      const module = new WebAssembly.Module(bytes);
      const wanted = byModule(WebAssembly.Module.imports(module));
      const imports = [...wanted].map(([from, items]) => ({ from, names: items.map(({ name }) => name) }));
      const names = WebAssembly.Module.exports(module).map(({ name }) => name);
      return [
        // Each function is imported by name: the two modules import each other, and only functions exist
        // from the start.
        ...imports.map(({ from, names: functions }) => {
          const place = JSON.stringify(path.resolve(path.dirname(file), from));
          return `import { ${functions.join(', ')} } from ${place};`;
        }),
        `const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (char) => char.charCodeAt(0));`,
        `const given = { ${imports.map(({ from, names: functions }) => `${JSON.stringify(from)}: { ${functions.join(', ')} }`).join(', ')} };`,
        'const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), given);',
        ...names.map((name) => `export const ${name} = exports[${JSON.stringify(name)}];`),
      ].join('\n');
    },
  };
}

function byModule(imports: readonly WebAssembly.ModuleImportDescriptor[]) {
  const groups = new Map<string, WebAssembly.ModuleImportDescriptor[]>();
  for (const each of imports) groups.set(each.module, [...(groups.get(each.module) ?? []), each]);
  return groups;
}
