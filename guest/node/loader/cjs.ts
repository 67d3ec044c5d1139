import { addCompilation, addWrapper } from './cjs/compile.ts';
import { addExtensions, addFileLoading, formatOf } from './cjs/extensions.ts';
import { addLoading } from './cjs/loading.ts';
import { addCreateRequire, addRequire, requireOf } from './cjs/require.ts';
import { addResolution } from './cjs/resolution.ts';
import type { CjsContext, CjsModule, CjsOptions, ModuleClass } from './cjs/types.ts';
import { folderOf } from './files.ts';

/** The CommonJS loader of a process. */
export interface Cjs {
  readonly Module: ModuleClass;
  readonly requireOf: (module: CjsModule) => unknown;
  readonly formatOf: (filename: string) => 'module' | 'commonjs' | undefined;
}

/** Makes the CommonJS loader: `require`, and the `Module` class, whose internals many packages use. */
export function makeCjs(options: CjsOptions): Cjs {
  const Module = makeModuleClass();
  const context: CjsContext = { ...options, Module, main: undefined, isPreloading: false };
  // The order of these is that of the members of `Module`.
  Module._cache = Object.create(null);
  Module._pathCache = Object.create(null);
  Module._extensions = Object.create(null);
  Module.globalPaths = [...options.globalPaths()];
  Module.builtinModules = options.builtinNames;
  Module.isBuiltin = (name) => options.resolver.builtin(String(name)) !== undefined;
  const isPatched = addWrapper(context);
  addResolution(context);
  addLoading(context);
  addFileLoading(context);
  addRequire(context);
  addCompilation(context, isPatched);
  addExtensions(context);
  addCreateRequire(context);
  Module.Module = Module;
  Object.defineProperty(Module.prototype, 'isPreloading', {
    get: () => context.isPreloading,
    configurable: true,
    enumerable: false,
  });
  return {
    Module,
    requireOf: (module) => requireOf(context, module),
    formatOf: (filename) => formatOf(options.packages, filename),
  };
}

function makeModuleClass(): ModuleClass {
  // A plain function, because programs call it on objects of their own.
  const Module = function (this: CjsModule, id = '', parent?: CjsModule | null) {
    this.id = id;
    this.path = folderOf(id);
    this.exports = {};
    Object.defineProperty(this, 'parent', { value: parent, writable: true, configurable: true });
    if (parent && !parent.children.includes(this)) parent.children.push(this);
    this.filename = null;
    this.loaded = false;
    this.children = [];
  };
  Object.defineProperty(Module, 'name', { value: 'Module' });
  return Object(Module);
}
