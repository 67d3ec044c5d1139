import { shownCode } from './shown-codes.ts';
import type { Sources } from './sources.ts';

/**
 * If the engine is not V8, `stack` lacks the first line with the error, and its lines have another form.
 * Programs that read stacks know only V8's form, and without that first line an error's message would be
 * shown nowhere.
 */
export function writeStacksAsV8(sources: Sources): void {
  const own = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  if (!own?.get || !own.set) return;
  const { get } = own;
  const readOwn = (error: unknown): unknown => Reflect.apply(get, error, []);
  if (String(readOwn(new Error('message'))).startsWith('Error: message')) return;
  Object.defineProperty(Error.prototype, 'stack', {
    ...own,
    get(this: unknown) {
      const stack = readOwn(this);
      return typeof stack === 'string' ? asV8(this, stack, sources) : stack;
    },
  });
  Error.captureStackTrace = (target: object) => {
    const value = asV8(target, String(readOwn(new Error())), sources);
    Object.defineProperty(target, 'stack', { value, writable: true, configurable: true });
  };
}

/** Rewrites a stack of SpiderMonkey in the form of V8, with the places of the original sources. */
export function asV8(error: unknown, stack: string, sources: Sources): string {
  const lines = stack.split('\n').flatMap((line) => {
    const [, name = '', file = '', row = '', column = ''] = /^(.*?)@(.*):(\d+):(\d+)$/.exec(line) ?? [];
    if (file === '' || file === 'self-hosted' || file.startsWith('blob:')) return [];
    const written = { line: Number(row), column: Number(column) };
    const place = sources.has(file) ? sources.original(file, written) : written;
    const where = `${file}:${place.line}:${place.column}`;
    const called = nameOf(name);
    return [called === '' ? `    at ${where}` : `    at ${called} (${where})`];
  });
  return [headerOf(error), ...lines].join('\n');
}

/**
 * In SpiderMonkey, `outer/inner<` is a nameless function in the value of `inner`. A frame that had waited
 * begins with `async*`.
 */
function nameOf(name: string): string {
  const [, isAsync, path = ''] = /^(async\*)?(.*)$/.exec(name) ?? [];
  const last = (path.split('/').at(-1) ?? '').replaceAll('<', '');
  return isAsync && last !== '' ? `async ${last}` : last;
}

/** Returns the first line of a stack. Getters of an error may throw: then it falls back to a fixed text. */
export function headerOf(error: unknown): string {
  try {
    const text = Error.prototype.toString.call(error);
    const code = shownCode(error);
    if (code === undefined || !(error instanceof Error) || !text.startsWith(error.name)) return text;
    return `${error.name} [${code}]${text.slice(error.name.length)}`;
  } catch {
    return '<error>';
  }
}
