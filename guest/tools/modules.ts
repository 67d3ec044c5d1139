import * as zod from 'zod';
import type { ModuleText } from '../../src/protocol/custom-tools.ts';
import { pluginModule } from './define.ts';
import type { NodeWorld } from './world.ts';

type Run = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
  meta: object,
) => Promise<void>;

/** Modules of Node that can neither change anything nor reach the network. */
const HARMLESS = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'constants',
  'crypto',
  'diagnostics_channel',
  'events',
  'module',
  'os',
  'path',
  'path/posix',
  'perf_hooks',
  'punycode',
  'querystring',
  'readline',
  'readline/promises',
  'stream',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'timers',
  'timers/promises',
  'tty',
  'url',
  'util',
  'util/types',
  'zlib',
]);

/** Modules that the host provides, some in place of Node's. Keyed by name, without `node:`. */
export type ProvidedModules = Readonly<Record<string, unknown>>;

const zodModule = { ...zod, z: zod, default: zod, __esModule: true };

/** Runs modules, each once, and resolves what they require. */
export class Modules {
  readonly #world: NodeWorld;
  readonly #provided: ProvidedModules;
  readonly #modules = new Map<string, { exports: unknown }>();

  constructor(world: NodeWorld, provided: ProvidedModules) {
    this.#world = world;
    this.#provided = {
      '@opencode-ai/plugin': pluginModule,
      '@opencode-ai/plugin/tool': pluginModule,
      zod: zodModule,
      'zod/v4': zodModule,
      'zod/v3': zodModule,
      ...provided,
    };
  }

  /** Runs the modules in the given order. Where one throws, those that require it fail too. */
  async run(modules: readonly ModuleText[], failed: (path: string, error: unknown) => void): Promise<void> {
    const broken = new Set<string>();
    for (const module of modules) {
      const needed = Object.values(module.requires).find((path) => path !== null && broken.has(path));
      try {
        if (needed !== undefined) throw new Error(`It requires ${String(needed)}, which failed to load.`);
        await this.#runOne(module);
      } catch (error) {
        broken.add(module.path);
        this.#modules.delete(module.path);
        failed(module.path, error);
      }
    }
  }

  exportsOf(path: string): unknown {
    return this.#modules.get(path)?.exports;
  }

  async #runOne({ path, kind, text, requires }: ModuleText): Promise<void> {
    const module: { exports: unknown } = { exports: {} };
    // Set before the module runs, so that modules that require each other see the exports made so far.
    this.#modules.set(path, module);
    if (kind === 'json') {
      module.exports = JSON.parse(text);
      return;
    }
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    const meta = { url: `file://${path}`, filename: path, dirname: folder, dir: folder, path, main: false };
    const require = (name: string) => {
      const inside = Object.hasOwn(requires, name) ? requires[name] : null;
      return typeof inside === 'string' ? this.#requireFile(inside, name) : this.#requirePackage(name, path);
    };
    // The text begins on the first line, so that errors give the line numbers of the author's file.
    const source = `(async function (exports, require, module, __filename, __dirname, __meta) { ${text}\n})\n//# sourceURL=${path}`;
    const run = (0, eval)(source) as Run;
    await run(module.exports as object, require, module, path, folder, meta);
  }

  #requireFile(path: string, name: string): unknown {
    const module = this.#modules.get(path);
    if (!module) throw new Error(`Cannot find module '${name}'`);
    return module.exports;
  }

  #requirePackage(name: string, from: string): unknown {
    const bare = name.replace(/^node:/, '');
    if (Object.hasOwn(this.#provided, bare)) return this.#provided[bare];
    if (HARMLESS.has(bare)) return this.#world.require(bare);
    if (name.startsWith('node:') || !this.#isPackage(bare))
      throw new Error(
        `'${name}' is not available to custom tools. Files, commands and fetch are: each asks for permission first.`,
      );
    const { createRequire } = this.#world.require('module') as {
      createRequire(path: string): (name: string) => unknown;
    };
    return createRequire(from)(name);
  }

  #isPackage(name: string): boolean {
    const { builtinModules } = this.#world.require('module') as { builtinModules: readonly string[] };
    return !builtinModules.includes(name);
  }
}
