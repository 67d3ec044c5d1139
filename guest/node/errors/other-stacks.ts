import { shownCode } from './shown-codes.ts';
import type { Sources } from './sources.ts';
import { WrittenSite } from './written-site.ts';

/** How a program writes stacks itself, as with `Error.prepareStackTrace`. */
export type Prepare = (error: Error, sites: NodeJS.CallSite[]) => unknown;

/**
 * If the engine is not V8, `stack` lacks the first line with the error, and its lines have another form.
 * Programs that read stacks know only V8's form, and without that first line an error's message would be
 * shown nowhere. `prepared` tells what a program's own `prepareStackTrace` makes of the call sites, if it has one.
 */
export function writeStacksAsV8(
  sources: Sources,
  prepared: (error: Error, sites: () => NodeJS.CallSite[], otherwise: () => string) => unknown,
): void {
  const own = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  if (!own?.get || !own.set) return;
  const { get } = own;
  const readOwn = (error: unknown): unknown => Reflect.apply(get, error, []);
  if (String(readOwn(new Error('message'))).startsWith('Error: message')) return;
  const written = (error: object, stack: string) =>
    prepared(
      error as Error,
      () => sitesIn(stack, sources),
      () => asV8(error, stack, sources),
    );
  Object.defineProperty(Error.prototype, 'stack', {
    ...own,
    get(this: object) {
      const stack = readOwn(this);
      return typeof stack === 'string' ? written(this, stack) : stack;
    },
  });
  Error.captureStackTrace = (target: object) => {
    const value = written(target, String(readOwn(new Error())));
    Object.defineProperty(target, 'stack', { value, writable: true, configurable: true });
  };
}

/** Rewrites a stack of SpiderMonkey in the form of V8, with the places of the original sources. */
export function asV8(error: unknown, stack: string, sources: Sources): string {
  return [headerOf(error), ...sitesIn(stack, sources).map((site) => `    at ${String(site)}`)].join('\n');
}

/** The call sites of a stack of SpiderMonkey, without our own. */
export function sitesIn(stack: string, sources: Sources): NodeJS.CallSite[] {
  return stack.split('\n').flatMap((line) => {
    const [, name = '', file = '', row = '', column = ''] = /^(.*?)@(.*):(\d+):(\d+)$/.exec(line) ?? [];
    if (file === '' || file === 'self-hosted' || file.startsWith('blob:')) return [];
    const written = { line: Number(row), column: Number(column) };
    const { line: at, column: from } = sources.has(file) ? sources.original(file, written) : written;
    return [new WrittenSite(nameOf(name), file, at, from)];
  });
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
