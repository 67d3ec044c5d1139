import { isProxy, PlainProxy } from '../../builtins/internal/proxies.ts';
import { requireCycle } from '../require-errors.ts';
import type { CjsModule, CjsOptions } from './types.ts';

/** Gives out the exports of modules that are still running, and warns about access to those that they lack. */
export class UnfinishedExports {
  readonly #isRunningEsm: CjsOptions['isRunningEsm'];
  /** The prototype of the exports of unfinished modules. It warns about access to a missing property. */
  readonly #warning: object;

  constructor({ isRunningEsm, unfinished }: CjsOptions) {
    this.#isRunningEsm = isRunningEsm;
    const warnMissing = (key: string | symbol) =>
      unfinished(
        `Accessing non-existent property '${String(key)}' of module exports inside circular dependency`,
      );
    this.#warning = new PlainProxy(
      {},
      {
        get(target, key): unknown {
          if (!(key in target) && key !== '__esModule') warnMissing(key);
          return Reflect.get(target, key);
        },
        getOwnPropertyDescriptor(target, key) {
          if (!Object.hasOwn(target, key) && key !== '__esModule') warnMissing(key);
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
  }

  of({ exports, filename, parent }: CjsModule): unknown {
    if (filename && this.#isRunningEsm(filename))
      throw requireCycle(filename, parent?.filename ?? undefined, '');
    if (isPlain(exports) && Object.getPrototypeOf(exports) === Object.prototype && !('__esModule' in exports))
      Object.setPrototypeOf(exports, this.#warning);
    return exports;
  }

  /** Ends the warnings for a module, which has run. */
  finish({ exports }: CjsModule): void {
    if (isPlain(exports) && Object.getPrototypeOf(exports) === this.#warning)
      Object.setPrototypeOf(exports, Object.prototype);
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isProxy(value);
}
