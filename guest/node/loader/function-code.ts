import { fileUrl } from './files.ts';

type ImportFrom = (url: string) => (specifier: unknown, options?: unknown) => Promise<unknown>;

const IMPORT = /(?<![.\w$#])import(?=\s*\()/g;

/**
 * `new Function('x', 'return import(x)')`: packages that are older than their own modules load them so. The engine would
 * ask the browser; this asks the loader, from the file that makes the function.
 */
export function importInFunctions(importFrom: ImportFrom, cwd: () => string): void {
  const Native = Function;
  const make = (args: unknown[], target: new (...args: never[]) => unknown): unknown => {
    const words = args.map(String);
    const body = words.at(-1) ?? '';
    if (!/\bimport\s*\(/.test(body)) return Reflect.construct(Native, words, target);
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

/** URL of the first file on the stack below `above`. */
function callerOf(above: (...args: never[]) => unknown): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, above);
  for (const line of String(holder.stack).split('\n')) {
    const [, place] = /(?:\(|at )((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/.exec(line) ?? [];
    if (place !== undefined) return place.startsWith('/') ? fileUrl(place) : place;
  }
  return undefined;
}
