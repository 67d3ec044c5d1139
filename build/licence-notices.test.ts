import path from 'node:path';
import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import { bundledPackages, licenceNotices, noticesOf, packageFolder } from './licence-notices.ts';

const at = (name: string) => path.resolve(import.meta.dirname, '../node_modules', name);

test('the package of a module, whatever stands around its path', () => {
  expect(packageFolder(`${at('zod')}/v4/core.js`)).toBe(at('zod'));
  expect(packageFolder(`\0wasm:${at('brotli-wasm')}/pkg.bundler/x.wasm`)).toBe(at('brotli-wasm'));
  expect(packageFolder(`\0${at('@noble/hashes')}/sha2.js?commonjs-proxy`)).toBe(at('@noble/hashes'));
  expect(packageFolder(path.resolve(import.meta.dirname, '../src/main.ts'))).toBeUndefined();
});

test('a notice holds the name, the version, the licence and its whole text', () => {
  const text = noticesOf([at('typescript'), at('zod')]);
  expect(text).toMatch(/- typescript \d\S+ \(Apache-2\.0\)\n- zod \d\S+ \(MIT\)/);
  expect(text).toContain('Copyright (c) 2025 Colin McDonnell');
  // TypeScript's own third-party notices.
  expect(text).toContain('DefinitelyTyped');
});

test('a licence that stands in a README only is taken from there', () => {
  expect(noticesOf([at('fastdom')])).toMatch(
    /fastdom \S+ \(MIT\)[\s\S]*\(c\) 2016 Wilson Page[\s\S]*WITHOUT WARRANTY/,
  );
});

test('a package that names Apache-2.0 without its text gets the text', () => {
  expect(noticesOf([at('clean-git-ref')])).toMatch(
    /clean-git-ref \S+ \(Apache-2\.0\)[^]*TERMS AND CONDITIONS FOR USE/,
  );
});

test('a package under the MIT licence without its text gets the text with its own copyright', () => {
  const text = noticesOf([at('onnxruntime-web')]);
  expect(text).toMatch(
    /onnxruntime-web \S+ \(MIT\)[^]*Microsoft Corporation\n[^]*WITHOUT WARRANTY OF ANY KIND/,
  );
  expect(text).not.toContain('McDonnell');
});

test('a build of its own, as the guest’s scripts are, counts as well', async () => {
  const fixture = (code: string) => ({
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? path.resolve(import.meta.dirname, 'entry.js') : undefined),
    load: (id: string) => (id.endsWith('entry.js') ? code : undefined),
  });
  const built = (code: string, plugins: readonly Plugin[]) =>
    build({
      configFile: false,
      logLevel: 'silent',
      plugins: [fixture(code), ...plugins],
      build: { write: false, rolldownOptions: { input: 'entry' } },
    });
  await built("import { parse } from 'smol-toml'; console.log(parse(''))", [bundledPackages()]);
  const result = await built("import { gzipSync } from 'fflate'; console.log(gzipSync)", [
    bundledPackages(),
    licenceNotices(),
  ]);
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const file = outputs.find(({ fileName }) => fileName === 'licences.txt');
  expect(file && 'source' in file && file.source).toMatch(/- fflate .*\n- smol-toml /);
});
