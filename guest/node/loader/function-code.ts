import type { Position } from './edits.ts';
import { fileUrl } from './files.ts';

type ImportFrom = (url: string) => (specifier: unknown, options?: unknown) => Promise<unknown>;

/** For each function made by `new Function`, the stack of that call. The engine formats it only when it is read. */
const makers = new WeakMap<object, { stack?: string }>();

/** The position, in the code that runs, of the `new Function` that made a function. */
export function makerOf(made: unknown): { readonly file: string; readonly place: Position } | undefined {
  const maker = typeof made === 'function' ? makers.get(made) : undefined;
  // A stack that is read while another one is formatted has the engine's own format.
  const frames = maker?.stack?.matchAll(/^ +at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm) ?? [];
  for (const [, file = '', line, column] of frames)
    if (!file.startsWith('blob:')) return { file, place: { line: Number(line), column: Number(column) } };
  return undefined;
}

const IMPORT = /(?<![.\w$#])import(?=\s*\()/g;

/**
 * Supports `new Function('x', 'return import(x)')`, which older packages use to import modules from CommonJS. The engine
 * would ask the browser for the module; this asks the loader, for the file that makes the function.
 */
export function importInFunctions(importFrom: ImportFrom, cwd: () => string): void {
  const Native = Function;
  const make = (args: unknown[], target: new (...args: never[]) => unknown): unknown => {
    const words = args.map(String);
    const body = words.at(-1) ?? '';
    if (!/\bimport\s*\(/.test(body)) {
      const made: unknown = Reflect.construct(Native, words, target);
      const maker: { stack?: string } = {};
      Error.captureStackTrace(maker, make);
      makers.set(Object(made), maker);
      return made;
    }
    words.pop();
    const code = `return function anonymous(${words.join(',')}\n) {\n${body.replace(IMPORT, '__vtr_import')}\n}`;
    const around: unknown = Reflect.construct(Native, ['__vtr_import', code]);
    return Reflect.apply(Object(around), undefined, [
      importFrom(callerOf(make) ?? fileUrl(`${cwd()}/[eval]`)),
    ]);
  };
  const Patched: FunctionConstructor = new Proxy(Native, {
    apply: (_target, _this, args: unknown[]) => make(args, Native),
    construct: (_target, args: unknown[], target) =>
      Object(make(args, target === Patched ? Native : (target as new (...args: never[]) => unknown))),
  });
  Object.defineProperty(Native.prototype, 'constructor', {
    value: Patched,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(globalThis, 'Function', { value: Patched, writable: true, configurable: true });
}

/** The URL of the first file on the stack below the function `above`. */
function callerOf(above: (...args: never[]) => unknown): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, above);
  for (const line of String(holder.stack).split('\n')) {
    const [, place] = /(?:\(|at )((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/.exec(line) ?? [];
    if (place !== undefined) return place.startsWith('/') ? fileUrl(place) : place;
  }
  return undefined;
}
