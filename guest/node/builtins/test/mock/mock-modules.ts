import type { LoadBuiltin, NodeHost } from '../../builtin.ts';
import { warnExperimental } from '../warning.ts';
import { argTypeError, needObject } from '../../internal/errors.ts';
import { callerPosition } from '../position.ts';

interface Mocked {
  readonly cache: boolean;
  readonly named: Readonly<Record<string, unknown>>;
  readonly defaults: { readonly value: unknown } | undefined;
  /** How often it was loaded: one that is not kept is another module each time. */
  loads: number;
}

type Next = (specifier: string, context?: object) => { readonly url: string };
interface Hooks {
  resolve(specifier: string, context: { readonly conditions: readonly string[] }, next: Next): object;
  load(url: string, context: object, next: Next): object;
}

const SCHEME = 'node-test-mock:';
/** Where the text of a mocked module finds what it exports. */
const REGISTRY = Symbol.for('node:test mocked modules');

const mocks = new Map<string, Mocked>();
const loads = new Map<string, Mocked>();
let isHooked = false;

/** Loads something else in the place of a module, until it is restored. */
export function mockModule(host: NodeHost, load: LoadBuiltin, specifier: unknown, options: unknown = {}) {
  warnExperimental(host.process, 'Module mocking');
  if (typeof specifier !== 'string' && !(specifier instanceof URL))
    throw argTypeError('specifier', ['string', 'URL'], specifier);
  needObject(options, 'options');
  const { cache = false, namedExports = {} } = options;
  if (typeof cache !== 'boolean') throw argTypeError('options.cache', 'boolean', cache);
  needObject(namedExports, 'options.namedExports');
  const { pathToFileURL } = load('url');
  const from = pathToFileURL(callerPosition()?.file ?? `${host.process.cwd()}/[eval]`).href;
  const url = host.resolve(String(specifier), from);
  const before = mocks.get(url);
  const mocked: Mocked = {
    cache,
    named: namedExports,
    defaults: 'defaultExport' in options ? { value: options.defaultExport } : undefined,
    loads: 0,
  };
  mocks.set(url, mocked);
  hook(load);
  let isOver = false;
  return {
    restore() {
      if (isOver) return;
      isOver = true;
      if (before) mocks.set(url, before);
      else mocks.delete(url);
    },
  };
}

function hook(load: LoadBuiltin): void {
  if (isHooked) return;
  isHooked = true;
  Object.defineProperty(globalThis, REGISTRY, { value: exportsOf });
  const { registerHooks } = load('module') as { registerHooks(hooks: Hooks): void };
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const mocked = mocks.get(found.url);
      if (!mocked) return found;
      const number = mocked.cache ? 0 : mocked.loads++;
      const url = `${SCHEME}${number}:${found.url}`;
      loads.set(url, mocked);
      const format = context.conditions.includes('require') ? 'commonjs' : 'module';
      return { url, format, shortCircuit: true };
    },
    load(url, context, next) {
      const mocked = loads.get(url);
      if (!mocked) return next(url, context);
      const format = Reflect.get(context, 'format') as string;
      return { format, source: textOf(url, mocked, format), shortCircuit: true };
    },
  });
}

function textOf(url: string, mocked: Mocked, format: string): string {
  const all = `globalThis[Symbol.for(${JSON.stringify(REGISTRY.description)})](${JSON.stringify(url)})`;
  if (format === 'commonjs') return `module.exports = ${all}.whole();`;
  const lines = Object.keys(mocked.named).map(
    (name, at) =>
      `const n${at} = all.named[${JSON.stringify(name)}]; export { n${at} as ${JSON.stringify(name)} };`,
  );
  if (mocked.defaults)
    lines.push(`export default all.${url.includes(':node:') ? 'whole()' : 'defaults.value'};`);
  return `const all = ${all};\n${lines.join('\n')}`;
}

function exportsOf(url: string) {
  const { named = {}, defaults } = loads.get(url) ?? {};
  return {
    named,
    defaults,
    whole() {
      const value: unknown = defaults ? defaults.value : {};
      if ((typeof value !== 'object' || value === null) && Object.keys(named).length > 0)
        throw new Error(
          'Cannot create mock because named exports cannot be applied to the provided default export.',
        );
      return Object.keys(named).length > 0
        ? Object.defineProperties(value as object, Object.getOwnPropertyDescriptors(named))
        : value;
    },
  };
}
