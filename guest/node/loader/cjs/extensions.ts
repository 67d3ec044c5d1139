import { nodeError } from '../../builtins/internal/errors.ts';
import { folderOf } from '../files.ts';
import { parseJson, withName, withoutBom } from '../json.ts';
import type { Packages } from '../packages.ts';
import { requireOfModule } from '../require-errors.ts';
import { modulePaths } from '../resolve.ts';
import { refuseInPackages } from '../typescript.ts';
import type { CjsContext, CjsModule, Extension } from './types.ts';

/** Adds `load`, which runs a file by the function for its extension. */
export function addFileLoading({ Module }: CjsContext): void {
  Module.prototype.load = function (filename) {
    this.filename = filename;
    this.paths = modulePaths(folderOf(filename));
    const extension = longestExtension(filename, Module._extensions);
    Module._extensions[extension]?.(this, filename);
    this.loaded = true;
  };
}

/** Adds the functions that load files, by their extension. Only those that node shows are enumerable. */
export function addExtensions(context: CjsContext): void {
  const { Module, files, packages, typescript } = context;
  const loadModule: Extension = (module, filename) => {
    const from = module.parent?.filename ?? undefined;
    if (!context.requiresModules) {
      const isModule = context.looksLikeModule(files.readText(filename));
      throw requireOfModule(filename, from, isModule ? undefined : packages.scopeOf(filename)?.path);
    }
    module.exports = context.requireEsm(filename, from);
  };
  const loadScript = function (module: CjsModule, filename: string): void {
    // For `require`, a file with another extension, or none, is CommonJS, whatever its package says.
    const format = /\.c?js$/.test(filename) ? formatOf(packages, filename) : undefined;
    if (format === 'module') loadModule(module, filename);
    else module._compile(withoutBom(files.readText(filename)), filename, format);
  };
  Object.defineProperty(loadScript, 'name', { value: '' });
  const loadTyped: Extension = (module, filename) => {
    const format = formatOf(packages, filename);
    if (format === 'module') return loadModule(module, filename);
    refuseInPackages(filename);
    const { text } = typescript.read(withoutBom(files.readText(filename)), filename);
    module._compile(text, filename, format);
  };
  Module._extensions['.js'] = loadScript;
  Module._extensions['.json'] = (module, filename) => {
    try {
      module.exports = parseJson(withoutBom(files.readText(filename)));
    } catch (error) {
      throw withName(error, filename);
    }
  };
  Module._extensions['.node'] = (_module, filename) => {
    throw nodeError(
      'ERR_DLOPEN_FAILED',
      `${filename}: native addons cannot be loaded in this workspace: it has no machine code`,
    );
  };
  const isTyped = typescript.mode !== 'none';
  const hidden: Readonly<Record<string, Extension>> = {
    '.cjs': loadScript,
    ...(isTyped && { '.ts': loadTyped, '.cts': loadTyped }),
    '.mjs': loadModule,
    ...(isTyped && { '.mts': loadModule }),
  };
  for (const [extension, value] of Object.entries(hidden))
    Object.defineProperty(Module._extensions, extension, { value, writable: true, configurable: true });
}

/** The format of a `.js` or `.ts` file, if its package or its name says it. */
export function formatOf(packages: Packages, filename: string): 'module' | 'commonjs' | undefined {
  if (/\.c[jt]s$/.test(filename)) return 'commonjs';
  const type = packages.scopeOf(filename)?.type;
  return type === 'module' || type === 'commonjs' ? type : undefined;
}

function longestExtension(filename: string, known: Record<string, unknown>): string {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = name.indexOf('.', 1); at > 0; at = name.indexOf('.', at + 1))
    if (name.slice(at) in known) return name.slice(at);
  return '.js';
}
