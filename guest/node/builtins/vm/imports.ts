import { nodeError } from '../internal/errors.ts';
import { isFunction } from '../internal/guards.ts';
import { VM_NAMES } from '../../loader/vm-code.ts';
import { constants } from './contexts.ts';

/** The default `import()` of a script. */
export type Import = (specifier: string, options?: unknown) => Promise<unknown>;

export interface ImportsOptions {
  readonly importMain: () => Import;
  /** Whether `--experimental-vm-modules` is set. */
  readonly withModules: boolean;
}

/** The functions that `import()` in scripts calls, each under a number in the script's code. */
export class VmImports {
  readonly #options: ImportsOptions;
  readonly #all: Import[] = [];

  constructor(options: ImportsOptions) {
    this.#options = options;
  }

  /** Registers a script's `import()` and returns the number under which the script finds it. */
  add(importModuleDynamically: unknown, script: () => unknown): number {
    const run = async (specifier: string, options?: unknown): Promise<unknown> => {
      if (importModuleDynamically === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER)
        return this.#options.importMain()(specifier, options);
      if (!isFunction(importModuleDynamically))
        throw nodeError(
          'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING',
          'A dynamic import callback was not specified.',
          TypeError,
        );
      if (!this.#options.withModules)
        throw nodeError(
          'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG',
          'A dynamic import callback was invoked without --experimental-vm-modules',
          TypeError,
        );
      return await Reflect.apply(importModuleDynamically, undefined, [specifier, script(), {}]);
    };
    Object.defineProperty(globalThis, VM_NAMES.imports, { value: this.#all, configurable: true });
    return this.#all.push(run) - 1;
  }
}
