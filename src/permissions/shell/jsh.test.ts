import { describe, expect, test } from 'vitest';
import { analyse } from './analyse.ts';

const asked = async (script: string) => {
  const analysis = await analyse(script, undefined, 'jsh');
  return 'raw' in analysis ? 'raw' : analysis.patterns.map(({ text }) => text);
};

describe('syntax that jsh reads like bash yields patterns', () => {
  test.each<[string, string[]]>([
    ['npm install --save-dev vite@7', ['npm install --save-dev vite@7']],
    [
      'cat a.txt | sort > out && node x.js || echo "no good"; ls',
      ['cat a.txt', 'sort > out', '> out', 'node x.js', 'echo "no good"', 'ls'],
    ],
    ["node -e 'console.log(1)' 2>&1", ["node -e 'console.log(1)'"]],
    ['rm src/*.js', ['rm src/*.js']],
    ['jsh -c "rm x && ls"', ['jsh -c "rm x && ls"', 'rm x', 'ls']],
  ])('%s', async (script, patterns) => expect(await asked(script)).toEqual(patterns));
});

test.each([
  'echo $HOME',
  'echo `ls`',
  'X=1 node a.js',
  'X=1',
  'ls &',
  'ls\nrm x',
  '(rm x)',
  '{ rm x; }',
  'f() { rm x; }',
  'cat <<E\nx\nE',
  'cat <(ls)',
  'echo a{b,c}',
  'ls ~',
  '=ls',
  'echo # x',
  'echo a\\ b',
  'echo "a!b"',
  'echo >| x',
  'echo >& x',
  'for x in a; do rm a; done',
  'if true; then rm x; fi',
  '[[ -f x ]]',
  'ls *(.)',
  'echo a^b',
  'rm <1-9>x',
  'ls <->x',
  'rm **/*.js',
  'ls src/**',
  'jsh -c "echo a; for x in a; do rm a; done"',
  "sh -c 'echo $HOME'",
  'emulate sh -c "rm x"',
  'setopt globstarshort',
  "integer 'x[1]=2'",
  'chdir .. && ./ls x',
  'env autoload x',
])('%j is asked for as a whole', async (script) => {
  expect(await asked(script)).toBe('raw');
});
