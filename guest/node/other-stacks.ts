import type { Sources } from './sources.ts';

/**
 * Where the engine is not V8, `stack` begins with the first line and not with the error, and its lines have another form.
 * What reads stacks in a program knows V8's alone, and the message of what was thrown would be seen nowhere.
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

/** A stack of SpiderMonkey's as V8 would write it, its lines at the places of the sources as they were written. */
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

/** `outer/inner<` is a function without a name in what `inner` is given; `async*` stands before one that waited. */
function nameOf(name: string): string {
  const [, isAsync, path = ''] = /^(async\*)?(.*)$/.exec(name) ?? [];
  const last = (path.split('/').at(-1) ?? '').replaceAll('<', '');
  return isAsync && last !== '' ? `async ${last}` : last;
}

/** What a stack begins with; getters of an error may throw. */
export function headerOf(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}
