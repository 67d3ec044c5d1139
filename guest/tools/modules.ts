import * as zod from 'zod';
import type { ModuleText } from '../../src/extensions/custom/protocol.ts';
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

/** Modules of node that change nothing and reach nowhere. */
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

/** What the host puts in the place of a module of node, or beside them: by name, without `node:`. */
export type Given = Readonly<Record<string, unknown>>;

const zodModule = { ...zod, z: zod, default: zod, __esModule: true };

/** Runs modules, each once, and hands each what it asks for. */
export class Modules {
  readonly #world: NodeWorld;
  readonly #given: Given;
  readonly #made = new Map<string, { exports: unknown }>();

  constructor(world: NodeWorld, given: Given) {
    this.#world = world;
    this.#given = {
      '@opencode-ai/plugin': pluginModule,
      '@opencode-ai/plugin/tool': pluginModule,
      zod: zodModule,
      'zod/v4': zodModule,
      'zod/v3': zodModule,
      ...given,
    };
  }

  /** In the given order; one that throws takes those with it that need it. */
  async run(modules: readonly ModuleText[], failed: (path: string, error: unknown) => void): Promise<void> {
    const broken = new Set<string>();
    for (const module of modules) {
      const needed = Object.values(module.requires).find((path) => path !== null && broken.has(path));
      try {
        if (needed !== undefined) throw new Error(`It needs ${String(needed)}, which failed.`);
        await this.#runOne(module);
      } catch (error) {
        broken.add(module.path);
        this.#made.delete(module.path);
        failed(module.path, error);
      }
    }
  }

  exportsOf(path: string): unknown {
    return this.#made.get(path)?.exports;
  }

  async #runOne({ path, kind, text, requires }: ModuleText): Promise<void> {
    const module: { exports: unknown } = { exports: {} };
    // Before it runs: modules in a circle see what is there so far.
    this.#made.set(path, module);
    if (kind === 'json') {
      module.exports = JSON.parse(text);
      return;
    }
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    const meta = { url: `file://${path}`, filename: path, dirname: folder, dir: folder, path, main: false };
    const require = (name: string) => {
      const inside = Object.hasOwn(requires, name) ? requires[name] : null;
      return typeof inside === 'string' ? this.#inside(inside, name) : this.#outside(name, path);
    };
    // The first line stays the first: errors tell the author's own lines.
    const source = `(async function (exports, require, module, __filename, __dirname, __meta) { ${text}\n})\n//# sourceURL=${path}`;
    const run = (0, eval)(source) as Run;
    await run(module.exports as object, require, module, path, folder, meta);
  }

  #inside(path: string, name: string): unknown {
    const module = this.#made.get(path);
    if (!module) throw new Error(`Cannot find module '${name}'`);
    return module.exports;
  }

  #outside(name: string, from: string): unknown {
    const bare = name.replace(/^node:/, '');
    if (Object.hasOwn(this.#given, bare)) return this.#given[bare];
    if (HARMLESS.has(bare)) return this.#world.require(bare);
    if (name.startsWith('node:') || !this.#isPackage(bare))
      throw new Error(
        `'${name}' is not there for custom tools. Files, commands and fetch are: each asks first.`,
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
