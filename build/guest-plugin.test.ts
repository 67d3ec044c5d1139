import { Script } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { guestScripts } from './guest-plugin.ts';

test('a guest module becomes one classic script beside the app, and its import the script’s address', async () => {
  const entry = '\0entry';
  const result = (await build({
    configFile: false,
    base: './',
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? entry : undefined),
        load: (id) =>
          id === entry ? `import url from 'guest:guest/search/main.ts'; console.log(url);` : undefined,
      },
      guestScripts(),
    ],
    build: { write: false, target: 'es2023', rolldownOptions: { input: 'entry' } },
  })) as Rolldown.RolldownOutput;
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
