import { expect, test } from 'vitest';
import { hashText } from '../../base/hash.ts';
import { FileTable } from './file-table.ts';
import { TypeScriptLanguage } from './service.ts';

const ROOT = '/home/project';

/** A language service for these files; those in `later` have only a name until they are wanted. */
function languageOver(files: Readonly<Record<string, string>>, later: Readonly<Record<string, string>> = {}) {
  const table = new FileTable();
  const give = (path: string, text: string) =>
    table.give({ path: `${ROOT}/${path}`, text, hash: hashText(text) });
  const wanted: string[] = [];
  for (const path of Object.keys(later)) table.name(`${ROOT}/${path}`);
  for (const [path, text] of Object.entries(files)) give(path, text);
  const language = new TypeScriptLanguage(table, ROOT, async (paths) => {
    wanted.push(...paths);
    for (const path of paths) {
      const name = path.slice(ROOT.length + 1);
      const text = later[name];
      if (text === undefined) table.remove([path]);
      else give(name, text);
    }
  });
  return { language, table, give, wanted };
}

const errors = async (language: TypeScriptLanguage, path: string) =>
  (await language.request('diagnostic', { path: `${ROOT}/${path}` }))
    .filter(({ severity }) => severity === 'error')
    .map(({ range, code }) => `${range.start.line + 1}:${range.start.character + 1} ${code}`);

test('without a config, code is checked with the DOM and the newest language', async () => {
  const { language } = languageOver({
    'a.ts': 'export const n: number = document.title;\nconsole.log([1].at(-1), n);\n',
    'b.js': "const a = require('x');\na.b = 1 +;\n",
  });
  expect(await errors(language, 'a.ts')).toEqual(['1:14 TS2322']);
  expect(await errors(language, 'b.js')).toEqual(['2:10 TS1109']);
});

test('tsconfig determines what is checked and how', async () => {
  const { language, give } = languageOver({
    'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": false }, "include": ["src"] }',
    'src/a.ts': 'export const t = document.title;\nexport const f = (x) => x;\n',
  });
  expect(await errors(language, 'src/a.ts')).toEqual(['1:18 TS2584']);
  give(
    'tsconfig.json',
    '{ // with comments\n "compilerOptions": { "lib": ["es2022", "dom"], "strict": true }, }',
  );
  expect(await errors(language, 'src/a.ts')).toEqual(['2:19 TS7006']);
});

test('changed, added and removed files count from the next request on', async () => {
  const { language, table, give } = languageOver({
    'a.ts': "import { b } from './b.ts';\nexport const c: string = b;\n",
  });
  expect(await errors(language, 'a.ts')).toEqual(['1:19 TS2307']);
  give('b.ts', 'export const b = 1;\n');
  expect(await errors(language, 'a.ts')).toEqual(['2:14 TS2322']);
  give('b.ts', "export const b = '';\n");
  expect(await errors(language, 'a.ts')).toEqual([]);
  table.remove([`${ROOT}/b.ts`]);
  expect(await errors(language, 'a.ts')).toEqual(['1:19 TS2307']);
});

test('only the files of packages that are imported are requested', async () => {
  const { language, wanted } = languageOver(
    {
      'tsconfig.json': '{"extends": "base/tsconfig.json"}',
      'a.ts': "import { n } from 'lib';\nexport const s: string = n;\nlet x;\n",
    },
    {
      'node_modules/base/tsconfig.json': '{"compilerOptions": {"noUnusedLocals": true, "lib": ["es2022"]}}',
      'node_modules/base/package.json': '{"name": "base"}',
      'node_modules/lib/package.json': '{"name": "lib", "types": "./types/index.d.ts"}',
      'node_modules/lib/types/index.d.ts': "export * from './more';\n",
      'node_modules/lib/types/more.d.ts': 'export declare const n: number;\n',
      'node_modules/other/package.json': '{"name": "other"}',
      'node_modules/other/index.d.ts': 'export {};\n',
    },
  );
  expect(await errors(language, 'a.ts')).toEqual(['2:14 TS2322', '3:5 TS6133']);
  expect(wanted.filter((path) => path.includes('/other/'))).toEqual([]);
});

test('a config that only references others includes them', async () => {
  const { language } = languageOver({
    'tsconfig.json': '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
    'tsconfig.app.json': '{"compilerOptions": {"noImplicitReturns": true}, "include": ["src"]}',
    'src/a.ts': 'export function f(x: number) { if (x) return 1; }\n',
    'vite.config.ts': 'export default (y: number) => { if (y) return 1; };\n',
  });
  expect(await errors(language, 'src/a.ts')).toEqual(['1:17 TS7030']);
  expect(await errors(language, 'vite.config.ts')).toEqual([]);
});

test.each([
  ['a.json', '{"a": 1,}', ['1:9 JSON']],
  ['b.json', '{"a": [1, 2}', ['1:12 TS1005']],
  ['c.json', '{"a": 1} // why', [expect.stringMatching(/^1:\d+ JSON$/)]],
  ['tsconfig.json', '{"compilerOptions": {"strict": "yes"}, /* ok */ "files": ["a.ts"] }', ['1:32 TS5024']],
  ['d.json', '{"a": "ü"}\n', []],
])('JSON: %s with %s', async (path, text, expected) => {
  const { language } = languageOver({ [path]: text });
  expect(await errors(language, path)).toEqual(expected);
});

test('an unknown file is reported', async () => {
  const { language } = languageOver({ 'a.ts': '' });
  await expect(language.request('diagnostic', { path: `${ROOT}/b.ts` })).rejects.toMatchObject({
    fault: { code: 'not-found' },
  });
});
