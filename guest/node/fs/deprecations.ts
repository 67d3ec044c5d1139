import type { LoadBuiltin } from '../builtins/builtin.ts';

/** Emits deprecation warnings, once for each code. */
export class Deprecations {
  readonly #load: LoadBuiltin;
  readonly #emitted = new Set<string>();

  constructor(load: LoadBuiltin) {
    this.#load = load;
  }

  warn(message: string, code: string): void {
    if (this.#emitted.has(code)) return;
    this.#emitted.add(code);
    this.#load('process').emitWarning(message, 'DeprecationWarning', code);
  }
}
