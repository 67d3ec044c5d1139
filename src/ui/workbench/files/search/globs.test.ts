import { expect, test } from 'vitest';
import { excluder, globOf } from './globs.ts';

const paths = ['a.ts', 'a.js', 'src/b.ts', 'src/deep/c.ts', 'src/deep/d.min.js', 'lib/src/e.js', '.env'];

test.each([
  ['', []],
  [' , ', []],
  ['*.ts', ['a.ts', 'src/b.ts', 'src/deep/c.ts']],
  ['src', ['src/b.ts', 'src/deep/c.ts', 'src/deep/d.min.js', 'lib/src/e.js']],
  ['/src/', ['src/b.ts', 'src/deep/c.ts', 'src/deep/d.min.js', 'lib/src/e.js']],
  ['src/deep', ['src/deep/c.ts', 'src/deep/d.min.js']],
  ['./src/*.ts', ['src/b.ts']],
  ['src/**', ['src/b.ts', 'src/deep/c.ts', 'src/deep/d.min.js']],
  ['*.{min.js,env}, a.*', ['a.ts', 'a.js', 'src/deep/d.min.js', '.env']],
])('%s', (text, excluded) => {
  expect(paths.filter(excluder(text))).toEqual(excluded);
});

test('no glob is none', () => {
  expect(globOf(' ')).toBeUndefined();
});
