import { needInteger } from '../internal/errors.ts';
import { membersOf } from '../internal/guards.ts';
import { evalCode } from '../../loader/cjs-code.ts';
import { evaluate } from '../../loader/evaluate.ts';
import type { EditedText } from '../../loader/edits.ts';
import { arrowFor } from '../../loader/syntax-errors.ts';
import { vmCode, type VmCodeOptions } from '../../loader/vm-code.ts';
import type { Sources } from '../../errors/sources.ts';
import { arrowOfThrown, decorate } from '../../errors/uncaught.ts';
import { createContext, needContext, runInContext } from './contexts.ts';
import { inTime } from './deadline.ts';
import type { VmImports } from './imports.ts';

/** Makes the class `vm.Script`, whose sources are known to the stack traces of the process. */
export function makeScriptClass(sources: Sources, imports: VmImports) {
  return class Script {
    readonly #source: string;
    readonly #filename: string;
    readonly #importId: number;

    constructor(source: unknown, options?: unknown) {
      const { filename, importModuleDynamically } =
        typeof options === 'string' ? membersOf({ filename: options }) : membersOf(options);
      this.#filename = String(filename ?? 'evalmachine.<anonymous>');
      this.#source = String(source);
      this.#importId = /\bimport\b/.test(this.#source) ? imports.add(importModuleDynamically, () => this) : 0;
      checkSyntax(this.#source, this.#filename);
    }

    runInThisContext(options?: unknown): unknown {
      return this.#run(options, false, (code) => evaluate(code, this.#filename));
    }

    runInContext(context: unknown, options?: unknown): unknown {
      needContext(context, 'contextifiedObject');
      return this.#run(options, true, (code) => runInContext(code, this.#filename, context));
    }

    runInNewContext(object: object = {}, options?: unknown): unknown {
      return this.runInContext(createContext(object), options);
    }

    #run(options: unknown, isInContext: boolean, run: (code: string) => unknown): unknown {
      const { timeout, displayErrors } = membersOf(options);
      if (timeout !== undefined) needInteger(timeout, 'options.timeout', 1, 2 ** 32 - 1);
      const text = scriptCode(this.#source, {
        isTimed: timeout !== undefined,
        isInContext,
        importId: this.#importId,
      });
      sources.add(this.#filename, this.#source, text);
      try {
        return timeout === undefined ? run(text.code) : inTime(timeout, () => run(text.code));
      } catch (error) {
        const arrow = displayErrors === false ? undefined : arrowOfThrown(sources, error);
        if (arrow !== undefined) decorate(error, arrow);
        throw error;
      }
    }

    createCachedData(): Uint8Array {
      return new Uint8Array(0);
    }
  };
}

/** Parses a script without running it. Throws its syntax error. */
function checkSyntax(source: string, filename: string): void {
  const { code } = evalCode(source);
  try {
    (0, eval)(`(function () {${code}\n})`);
  } catch (error) {
    try {
      (0, eval)(`0 && (async function () {${code}\n})`);
    } catch {
      decorate(error, arrowFor(error, source, filename, 'script'));
      throw error;
    }
  }
}

function scriptCode(source: string, options: VmCodeOptions): EditedText {
  try {
    return vmCode(source, options);
  } catch {
    // The parser cannot read the source, but the engine may.
    return evalCode(source);
  }
}
