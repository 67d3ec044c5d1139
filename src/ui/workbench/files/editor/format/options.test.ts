import { expect, test } from 'vitest';
import { editorOptions } from './editor-config.ts';
import { parserOf } from './names.ts';
import { prettierOptions } from './prettier-config.ts';

const ROOT = '/home/project';
const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path: `${ROOT}/${path}`, text }));
const prettier = (texts: Readonly<Record<string, string>>, path = 'src/a.ts') =>
  prettierOptions(`${ROOT}/${path}`, files(texts));
const editor = (texts: Readonly<Record<string, string>>, path = 'src/a.ts') =>
  editorOptions(`${ROOT}/${path}`, files(texts));

test.each([
  ['JSON without an ending', { '.prettierrc': '{ "semi": false }' }],
  ['YAML without an ending', { '.prettierrc': '# ours\nsemi: false\n' }],
  ['JSON', { '.prettierrc.json': '{ "semi": false }' }],
  ['YAML', { '.prettierrc.yaml': 'semi: false\n' }],
  ['YAML with the short ending', { '.prettierrc.yml': 'semi: false\n' }],
  ['package.json', { 'package.json': '{ "name": "a", "prettier": { "semi": false } }' }],
  [
    'a package.json without them, and a folder above',
    {
      'src/package.json': '{}',
      '.prettierrc': 'semi: false',
    },
  ],
])('options are read from %s', (_name, texts) => {
  expect(prettier(texts)).toEqual({ options: { semi: false }, notes: [] });
});

test('the nearest file counts, and nothing of those above it', () => {
  expect(prettier({ '.prettierrc': 'semi: false', 'src/.prettierrc': 'tabWidth: 4' }).options).toEqual({
    tabWidth: 4,
  });
});

test('overrides count for the files that they name', () => {
  const config = {
    '.prettierrc': JSON.stringify({
      semi: true,
      overrides: [
        { files: '*.ts', excludeFiles: 'src/b.ts', options: { semi: false } },
        { files: ['test/**'], options: { tabWidth: 8 } },
      ],
    }),
  };
  expect(prettier(config).options).toEqual({ semi: false });
  expect(prettier(config, 'src/b.ts').options).toEqual({ semi: true });
  expect(prettier(config, 'test/x/a.css').options).toEqual({ semi: true, tabWidth: 8 });
});

test('what would have to be run is left out and said', () => {
  const path = `${ROOT}/prettier.config.mjs`;
  expect(prettier({ 'prettier.config.mjs': 'export default {}' })).toEqual({
    options: {},
    notes: [{ kind: 'code', path }],
  });
  expect(prettier({ 'package.json': '{ "prettier": "@our/config" }' }).notes).toEqual([
    { kind: 'code', path: `${ROOT}/package.json` },
  ]);
  expect(prettier({ '.prettierrc': '{ "plugins": ["./evil.js"], "semi": false, "rangeEnd": 3 }' })).toEqual({
    options: { semi: false },
    notes: [{ kind: 'plugins', path: `${ROOT}/.prettierrc` }],
  });
});

test('a file with an error is named', () => {
  expect(prettier({ '.prettierrc.json': '{ semi: ' }).notes).toEqual([
    { kind: 'unreadable', path: `${ROOT}/.prettierrc.json`, why: expect.any(String) },
  ]);
});

test('an .editorconfig gives indentation and width, and nearer ones win', () => {
  const outer = 'root = true\n[*]\nindent_style = space\nindent_size = 4\nmax_line_length = 100\n';
  expect(editor({ '.editorconfig': outer })).toEqual({ useTabs: false, tabWidth: 4, printWidth: 100 });
  const inner = '; ours\n[*.{ts,js}]\nindent_style = tab\nindent_size = tab\ntab_width = 3\n';
  expect(editor({ '.editorconfig': outer, 'src/.editorconfig': inner })).toEqual({
    useTabs: true,
    tabWidth: 3,
    printWidth: 100,
  });
  expect(editor({ '.editorconfig': outer, 'src/.editorconfig': `root = true\n${inner}` })).toEqual({
    useTabs: true,
    tabWidth: 3,
  });
  expect(editor({ '.editorconfig': '[/src/*.md]\nindent_size = 8\n' })).toEqual({});
  expect(editor({ '.editorconfig': '[/src/*.md]\nindent_size = 8\n' }, 'src/a.md')).toEqual({ tabWidth: 8 });
});

test('files that Prettier knows have a parser', () => {
  expect(parserOf('/a/b.tsx')).toBe('typescript');
  expect(parserOf('/a/package.json')).toBe('json-stringify');
  expect(parserOf('/a/Makefile')).toBeUndefined();
  expect(parserOf('/a/b.constructor')).toBeUndefined();
});
