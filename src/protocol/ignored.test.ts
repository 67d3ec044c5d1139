import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MemoryFiles } from '../../test/support/memory-files.ts';
import { Ignored, ignoredEntries, ignoreRules } from './ignored.ts';
import { ROOT } from '../base/places.ts';

interface Case {
  readonly name: string;
  readonly rules: Readonly<Record<string, string>>;
  /** The paths that `git check-ignore` prints. Absent where git does not use that kind of ignore file. */
  readonly git?: readonly string[];
  /** The paths that `rg --files` prints, for the root and for the folders given to it. */
  readonly rg: readonly string[];
  readonly below: Readonly<Record<string, readonly string[]>>;
}
/** Cases where ripgrep differs from git. We follow git. */
const AS_GIT = [
  'line ends of Windows and a byte order mark',
  'named classes',
  'a slash is no character',
  'braces and parentheses are text',
];
const { recorded, files, cases } = JSON.parse(readFileSync('test/fixtures/ignore.json', 'utf8')) as {
  recorded: string;
  files: readonly string[];
  cases: readonly Case[];
};

function left({ rules }: Pick<Case, 'rules'>, base?: string): readonly string[] {
  const texts = Object.entries(rules).map(([path, text]) => ({ path: `${ROOT}/${path}`, text }));
  const ignored = new Ignored(ignoreRules(texts), base === undefined ? {} : { base: `${ROOT}/${base}` });
  const below = files.filter((file) => base === undefined || file.startsWith(`${base}/`));
  return below.filter((file) => !ignored.has(`${ROOT}/${file}`, false));
}

describe(`as recorded with ${recorded}`, () => {
  test.each(cases.filter(({ git }) => git))('git: $name', (one) => {
    const shown = left(one);
    expect(files.filter((file) => !shown.includes(file)).sort()).toEqual(one.git);
  });
  const asRipgrep = cases.filter(({ name }) => !AS_GIT.includes(name));
  test.each(asRipgrep)('rg: $name', (one) => expect([...left(one)].sort()).toEqual(one.rg));
  test.each(asRipgrep)('rg in a folder that is named: $name', (one) => {
    for (const [base, listed] of Object.entries(one.below))
      expect([...left(one, base)].sort(), base).toEqual(listed);
  });
});

describe('what tools make', () => {
  const has = (path: string, rules: Record<string, string> = {}, pattern?: string) =>
    new Ignored(
      ignoreRules(Object.entries(rules).map(([name, text]) => ({ path: `${ROOT}/${name}`, text }))),
      { pattern },
    ).has(`${ROOT}/${path}`, false);

  test('is ignored without any file that says so, unless one takes it back', () => {
    expect(has('node_modules/a/index.js')).toBe(true);
    expect(has('packages/x/node_modules/a.js')).toBe(true);
    expect(has('node_modules.js')).toBe(false);
    expect(has('node_modules/a/index.js', { '.gitignore': '!node_modules/\n' })).toBe(false);
  });

  test('is found where a glob spells it out', () => {
    expect(has('node_modules/a/index.js', {}, 'node_modules/a/*.js')).toBe(false);
    expect(has('node_modules/a/index.js', {}, '**/node_modules/**')).toBe(false);
    expect(has('node_modules/a/index.js', {}, '**/index.js')).toBe(true);
    expect(has('dist/debug.log', { '.gitignore': '*.log\n' }, '**/debug.log')).toBe(false);
    expect(has('dist/debug.log', { '.gitignore': '*.log\n' }, '**/*.log')).toBe(true);
  });
});

test('the ignored entries of one folder, by the ignore files on the way to it', async () => {
  const memory = new MemoryFiles();
  memory.put('.gitignore', 'dist/\n*.log\n');
  memory.put('src/.ignore', '!keep.log\n');
  const entries = [
    { name: 'dist', type: 'directory' },
    { name: 'a.log', type: 'file' },
    { name: 'keep.log', type: 'file' },
    { name: 'node_modules', type: 'directory' },
    { name: 'a.js', type: 'file' },
  ] as const;
  const names = await ignoredEntries(memory, `${ROOT}/src`, entries);
  expect([...names]).toEqual(['dist', 'a.log', 'node_modules']);
  const below = await ignoredEntries(memory, `${ROOT}/dist`, [{ name: 'a.js', type: 'file' }]);
  expect([...below]).toEqual([]);
});
