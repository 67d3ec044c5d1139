import { runInThisContext, Script } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { guestScripts } from './guest-plugin.ts';

/** Builds a page whose only module is `code`. */
async function built(code: string): Promise<Rolldown.RolldownOutput> {
  const entry = '\0entry';
  return (await build({
    configFile: false,
    base: './',
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? entry : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
      guestScripts(),
    ],
    build: { write: false, target: 'es2023', rolldownOptions: { input: 'entry' } },
  })) as Rolldown.RolldownOutput;
}

test('a guest module becomes one classic script beside the app, and its import the script’s address', async () => {
  const result = await built(`import url from 'guest:guest/search/main.ts'; console.log(url);`);
  const asset = result.output.find(({ type }) => type === 'asset');
  const chunk = result.output.find(({ type }) => type === 'chunk');
  if (asset?.type !== 'asset' || chunk?.type !== 'chunk')
    throw new Error('an asset and a chunk are expected');
  expect(asset.fileName).toMatch(/^assets\/search-[\w-]{8}\.js$/);
  const source = String(asset.source);
  // The source compiles as a classic script, so it has no imports or exports.
  expect(() => new Script(source)).not.toThrow();
  expect(chunk.code).toContain(asset.fileName.slice('assets/'.length));
});

test('the page imports the parser from the script that the shell gets', async () => {
  const { output } = await built(`import { parse } from 'unbash'; console.log(parse('ls'));`);
  const [asset, ...others] = output.filter(({ type }) => type === 'asset');
  const [chunk] = output.filter(({ type }) => type === 'chunk');
  if (asset?.type !== 'asset' || chunk?.type !== 'chunk')
    throw new Error('an asset and a chunk are expected');
  expect(others).toEqual([]);
  const name = /import\s*["'`]\.\/(parser-[\w-]{8}\.js)["'`]/.exec(chunk.code)?.[1];
  expect(asset.fileName).toBe(`assets/${name}`);
  const text = 'globalThis.__vtr_unbash.parse("cd src && ls").commands.length';
  expect(runInThisContext(`${String(asset.source)}\n${text}`)).toBe(1);
  Reflect.deleteProperty(globalThis, '__vtr_unbash');
});
