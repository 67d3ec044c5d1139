import path from 'node:path';
import type { Plugin } from 'vite';
import { hostOf, partsOf } from './guest-parts.ts';
import { bundledPackages } from './licence-notices.ts';
import { nodeBuiltins } from './node-builtins.ts';
import { oneScript } from './one-script.ts';
import { onnxRuntime, withoutAddress } from './onnx-runtime.ts';
import { pureImports } from './pure-imports.ts';
import { parserApart } from './shell-parser.ts';
import { wasmModules } from './wasm-modules.ts';

export interface Bundle {
  readonly code: string;
  /** Absolute paths of the files that it depends on: its own modules and, in a host, those of its parts. */
  readonly sources: readonly string[];
  /** The modules that a part takes from its host. */
  readonly imports: readonly string[];
}

/** The module that a host script imports to hand its own modules to its parts; see `globalsOf`. */
const SHARED = 'virtual:guest-shared';
/** The global in which a part finds its host's modules while its script starts. */
const TABLE = '__vtr_shared';

/** Keeps names of classes and functions that programs can print. */
const isSeen = (entry: string) => entry.startsWith('guest/node/');
const NAMED = {
  mangle: { keepNames: true },
  compress: { keepNames: { function: true, class: true } },
  codegen: true,
};

/** Bundles a guest module and all its imports into one classic script, cached until a source changes. */
export class GuestBundler {
  readonly #root: string;
  readonly #minify: boolean;
  readonly #made = new Map<string, Promise<Bundle>>();

  constructor(root: string, minify: boolean) {
    this.#root = root;
    this.#minify = minify;
  }

  script(entry: string): Promise<Bundle> {
    return this.#once(entry, async () => {
      const host = hostOf(entry);
      if (host !== undefined) return this.#part(entry, host);
      const parts = await Promise.all(partsOf(entry).map((part) => this.script(part)));
      const shared = [...new Set(parts.flatMap(({ imports }) => imports))].sort();
      const script = await this.#build(entry, this.#minify, sharing(this.#root, shared));
      // The imports of its parts decide which modules its table has.
      return { ...script, sources: [...new Set([script, ...parts].flatMap(({ sources }) => sources))] };
    });
  }

  forget(file: string): void {
    for (const [key, bundle] of this.#made)
      bundle.then(
        ({ sources }) => sources.includes(file) && this.#made.delete(key),
        // A bundle that failed is forgotten anyway.
        () => undefined,
      );
  }

  #once(key: string, make: () => Promise<Bundle>): Promise<Bundle> {
    let bundle = this.#made.get(key);
    if (!bundle) {
      bundle = make();
      this.#made.set(key, bundle);
      // A failed bundle is not cached, since its cause may be fixed by the next request.
      bundle.catch(() => this.#made.delete(key));
    }
    return bundle;
  }

  async #part(entry: string, host: string): Promise<Bundle> {
    const alone = await this.#once(`${host} alone`, () => this.#build(host, false, sharing(this.#root, [])));
    return this.#build(entry, this.#minify, fromHost(this.#root, new Set(alone.sources)));
  }

  async #build(entry: string, minify: boolean, shares: Plugin): Promise<Bundle> {
    const chunk = await oneScript(this.#root, entry, {
      root: path.dirname(path.join(this.#root, entry)),
      plugins: [
        shares,
        parserApart(),
        pureImports(),
        nodeBuiltins(),
        wasmModules(),
        onnxRuntime(entry),
        bundledPackages(),
      ],
      define: withoutAddress(entry),
      build: {
        minify,
        rolldownOptions: {
          output: {
            globals: (id) => `${TABLE}[${JSON.stringify(id)}]`,
            ...(minify && isSeen(entry) && { minify: NAMED }),
          },
        },
      },
    });
    const { code, moduleIds, imports } = chunk;
    return { code, sources: moduleIds.filter((id) => path.isAbsolute(id)), imports };
  }
}

/** Adds the table of modules that parts take from this host script. */
function sharing(root: string, shared: readonly string[]): Plugin {
  const load = () =>
    [
      ...shared.map((id, at) => `import * as m${at} from ${JSON.stringify(path.join(root, id))};`),
      `export const shared = { ${shared.map((id, at) => `${JSON.stringify(id)}: m${at}`).join(', ')} };`,
    ].join('\n');
  return {
    name: 'vitrine:guest-sharing',
    enforce: 'pre',
    resolveId: (id) => (id === SHARED ? `\0${SHARED}` : undefined),
    load: (id) => (id === `\0${SHARED}` ? load() : undefined),
  };
}

/** Makes a part take this repository's modules from its host's table, if the host has them. */
function fromHost(root: string, has: ReadonlySet<string>): Plugin {
  return {
    name: 'vitrine:guest-from-host',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || source.startsWith('\0')) return undefined;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!found || !has.has(found.id) || found.id.includes('/node_modules/')) return undefined;
      return { id: path.relative(root, found.id), external: true };
    },
  };
}
