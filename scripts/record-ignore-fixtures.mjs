// Records which files git and ripgrep leave out, for test/fixtures/ignore.json. Some ignore files are random.
//
//   node scripts/record-ignore-fixtures.mjs        (needs git and rg; apt-get install git ripgrep)
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FILES = [
  'a.js',
  'b.log',
  'keep.log',
  'foo',
  'notes.txt ',
  '#hash',
  '!bang',
  'x[1].js',
  'é.js',
  '.env',
  'src/a.js',
  'src/b.log',
  'src/foo/a.js',
  'src/foo/keep.log',
  'src/deep/er/a.js',
  'src/deep/er/b.log',
  'dist/a.js',
  'dist/sub/b.js',
  'dist/sub/keep.log',
  'foo bar/a.js',
  'packages/one/dist/a.js',
  'packages/one/src/a.js',
  'packages/two/foo/a.js',
];

const BY_HAND = {
  'names at any depth': { '.gitignore': '*.log\nfoo\n' },
  'folders only': { '.gitignore': 'dist/\nfoo/\n' },
  'anchored by a slash': { '.gitignore': '/dist\nsrc/foo\n' },
  'taken back': { '.gitignore': '*.log\n!keep.log\n' },
  'not taken back below a folder that is left out': { '.gitignore': 'dist\n!dist/sub/keep.log\n' },
  'taken back step by step': { '.gitignore': '/dist/*\n!/dist/sub\n/dist/sub/*\n!/dist/sub/keep.log\n' },
  'a nested file takes back': { '.gitignore': '*.log\n', 'src/.gitignore': '!b.log\n' },
  'a nested file adds': { 'src/.gitignore': '/foo\n*.log\n', 'packages/one/.gitignore': 'dist\n' },
  'stars over folders': { '.gitignore': 'src/**/a.js\n**/dist\n' },
  'everything below': { '.gitignore': 'dist/**\nsrc/deep/**\n!src/deep/er/\n' },
  'two stars in a name': { '.gitignore': 'di**\nsrc/**er\n' },
  'two stars alone': { '.gitignore': '**\n!a.js\n!src/\n' },
  'everything but': { '.gitignore': '*\n!*/\n!*.js\n' },
  comments: { '.gitignore': '# *.js\n\\#hash\n\\!bang\n\n' },
  'spaces at the end': { '.gitignore': 'foo  \nnotes.txt\\ \n' },
  'line ends of Windows and a byte order mark': { '.gitignore': '\uFEFF*.log\r\ndist/\r\n' },
  classes: { '.gitignore': '[a-b].js\n[!a].log\n[^k]oo\n' },
  'named classes': { '.gitignore': '[[:lower:]].js\n[[:punct:]]hash\n' },
  'a class that is not closed': { '.gitignore': '[ab.js\nfoo[\n*.log\n' },
  escapes: { '.gitignore': 'x\\[1\\].js\n\\foo\n\\*.log\n' },
  'a bracket in a class': { '.gitignore': 'x[[]1].js\nx[[]1[]].js\n' },
  'one character': { '.gitignore': 'src/?.js\nfo?\n' },
  'a slash is no character': { '.gitignore': 'src?a.js\nsrc*a.js\nsrc[/]a.js\n' },
  'braces and parentheses are text': { '.gitignore': '{a,b}.js\n(a|b).js\n+(a).js\na+.js\n' },
  'beyond ASCII': { '.gitignore': 'é.*\n' },
  'letters as they are': { '.gitignore': 'A.JS\nSRC\n' },
  'only slashes': { '.gitignore': '/\n//\n*.log\n' },
  'a slash in the middle and at the end': { '.gitignore': 'src/foo/\npackages/*/dist/\n' },
  'an exclude file': { '.git/info/exclude': '*.log\ndist\n', 'src/.gitignore': '!b.log\n' },
};

const WITH_RG_ALONE = {
  '.ignore counts more': { '.gitignore': '*.log\ndist\n', '.ignore': '!keep.log\n!dist\n' },
  '.ignore above counts more than .gitignore below': { '.ignore': '*.log\n', 'src/.gitignore': '!b.log\n' },
  '.ignore alone': { '.ignore': 'src/*\n!src/foo\n' },
};

// The generator gives the same numbers each time.
let seed = 20261123;
function random(below) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * below);
}
const pick = (list) => list[random(list.length)];

const PIECES = [
  'a',
  'b',
  'foo',
  'src',
  'dist',
  'keep',
  'deep',
  'er',
  'sub',
  'one',
  '*',
  '*',
  '?',
  '**',
  '.js',
  '.log',
  '*.js',
  '*.log',
  '[a-f]',
  '[!a]',
];
function pattern() {
  const parts = Array.from(
    { length: 1 + random(3) },
    () => pick(PIECES) + (random(3) === 0 ? pick(PIECES) : ''),
  );
  return (
    (random(4) === 0 ? '!' : '') +
    (random(4) === 0 ? '/' : '') +
    parts.join('/') +
    (random(4) === 0 ? '/' : '')
  );
}
const lines = () => Array.from({ length: 1 + random(5) }, () => `${pattern()}\n`).join('');
function atRandom(index) {
  const rules = { '.gitignore': lines() };
  if (random(2) === 0) rules[`${pick(['src', 'dist', 'packages/one', 'src/deep'])}/.gitignore`] = lines();
  return [`at random ${index}`, rules];
}

const folder = mkdtempSync(path.join(tmpdir(), 'ignore-'));
const run = (program, args, input, cwd = folder) => {
  try {
    return execFileSync(program, args, {
      cwd: existsSync(cwd) ? cwd : tmpdir(),
      input,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error.status === 1 || error.status === 2) return error.stdout;
    throw error;
  }
};
const split = (text, by) => text.split(by).filter(Boolean).sort();

function record([name, rules], withGit) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  run('git', ['init', '-q']);
  for (const file of [...FILES, ...Object.keys(rules)]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), rules[file] ?? '');
  }
  // ripgrep runs in the folder: for a folder given as a path, release 13 ignores patterns with a slash.
  const listed = (at) =>
    split(
      run(
        'rg',
        ['--files', '--hidden', '--no-config', '-0', '-g', '!.git'],
        undefined,
        path.join(folder, at),
      ),
      '\0',
    )
      .map((file) => path.join(at, file))
      .filter((file) => FILES.includes(file));
  return {
    name,
    rules,
    ...(withGit && {
      git: split(run('git', ['check-ignore', '--no-index', '-z', '--stdin'], FILES.join('\0')), '\0'),
    }),
    rg: listed('.'),
    below: Object.fromEntries(['dist', 'src/deep', 'packages/one'].map((at) => [at, listed(at)])),
  };
}

const cases = [
  ...Object.entries(BY_HAND).map((one) => record(one, true)),
  ...Object.entries(WITH_RG_ALONE).map((one) => record(one, false)),
  ...Array.from({ length: 150 }, (_, index) => record(atRandom(index + 1), true)),
];
rmSync(folder, { recursive: true, force: true });
const recorded = [run('git', ['--version']), run('rg', ['--version']).split('\n')[0]]
  .map((text) => text.trim())
  .join(', ');
writeFileSync(
  new URL('../test/fixtures/ignore.json', import.meta.url),
  `${JSON.stringify({ recorded, files: FILES, cases })}\n`,
);
console.log(`${cases.length} cases recorded with ${recorded}`);
