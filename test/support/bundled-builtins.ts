import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { build } from 'vite';
import { nodeBuiltins } from '../../build/node-builtins.ts';
import type * as bundled from './builtins-with-parts.ts';
import type { LoadBuiltin, NodeHost } from '../../guest/node/builtins/builtin.ts';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** The native module of the Node that runs the tests. */
export const native = ((name: string): unknown => require(`node:${name}`)) as LoadBuiltin;

const host: Pick<NodeHost, 'process' | 'handle' | 'fail'> = {
  process,
  handle: () => ({ ref: () => {}, unref: () => {}, release: () => {} }),
  fail: (error) => {
    throw error;
  },
};

/** The guest's builtins as they are shipped: one script, with the packages that they are made of. */
export async function bundledBuiltins(more: Partial<NodeHost> = {}): Promise<LoadBuiltin> {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [nodeBuiltins()],
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: {
        entry: path.join(root, 'test/support/builtins-with-parts.ts'),
        formats: ['iife'],
        name: 'bundled',
      },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !('output' in first)) throw new Error('the builtins were not built');
  const script = `(() => {${first.output[0].code}; return bundled})()`;
  const { builtins, parts } = vm.runInThisContext(script) as typeof bundled;
  const made = new Map<string, unknown>();
  const part = (name: keyof typeof parts) => parts[name];
  const given = { ...host, part, ...more } as NodeHost;
  const load = ((name: string): unknown => {
    const make = builtins[name];
    // What another room makes, such as fs.
    if (!make) return native(name);
    if (!made.has(name)) made.set(name, make(given, load));
    return made.get(name);
  }) as LoadBuiltin;
  return load;
}
