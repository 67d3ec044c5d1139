import type { Modules } from '../builtins/modules.ts';
import { AWAIT_NAMES, evaluated, EVALUATED_NAME } from '../loader/await-code.ts';
import { fileUrl } from '../loader/files.ts';

/**
 * Lets a function run that a program made from another one's text, as pools of threads do. The code of a module calls
 * functions which only its own scope has, so the global scope has them too: on its prototype, where no program lists them.
 */
export function runFunctionTexts({ awaits, esm }: Modules, cwd: () => string): void {
  const importFromHere = (specifier: unknown, options?: unknown) =>
    esm.importFrom(fileUrl(`${cwd()}/[eval]`))(specifier, options);
  const names = {
    [AWAIT_NAMES.take]: awaits.take,
    [AWAIT_NAMES.each]: awaits.each,
    [EVALUATED_NAME]: evaluated,
    __vtr_import: importFromHere,
  };
  const holder: unknown = Object.getPrototypeOf(globalThis);
  for (const [name, value] of Object.entries(names))
    Object.defineProperty(holder, name, { value, writable: true, configurable: true });
}
