import { expect, test } from 'vitest';
import { asV8, sitesIn } from './other-stacks.ts';
import { Sources } from './sources.ts';

// These lines are as Firefox 153 wrote them.
const stack = [
  'inner@/home/project/a.js:3:9',
  'outer/result<@/home/project/a.js:6:3',
  '@/home/project/a.js:8:1',
  'evaluate@blob:null/95298f99-c342-4807-b69f-51188618163d:270:11931',
  'async*#x@blob:null/95298f99-c342-4807-b69f-51188618163d:143:37896',
  'async*later@/home/project/b.js:1:20',
  '',
].join('\n');

test('a stack of Firefox is told in the form that programs know, with its message', () => {
  expect(asV8(new TypeError('no such thing'), stack, new Sources())).toBe(
    [
      'TypeError: no such thing',
      '    at inner (/home/project/a.js:3:9)',
      '    at result (/home/project/a.js:6:3)',
      '    at /home/project/a.js:8:1',
      '    at async later (/home/project/b.js:1:20)',
    ].join('\n'),
  );
});

test('an error whose name cannot be read has a stack nonetheless', () => {
  const error = Object.defineProperty(new Error('x'), 'name', {
    get: () => {
      throw new Error('mine');
    },
  });
  expect(asV8(error, '@[eval]:1:7\n', new Sources())).toBe('<error>\n    at [eval]:1:7');
});

test('programs that ask for call sites, as depd and agent-base do, get them from the text', () => {
  const sites = sitesIn(stack, new Sources());
  expect(sites.map((site) => [site.getFunctionName(), site.getFileName(), site.getLineNumber()])).toEqual([
    ['inner', '/home/project/a.js', 3],
    ['result', '/home/project/a.js', 6],
    [null, '/home/project/a.js', 8],
    ['later', '/home/project/b.js', 1],
  ]);
  expect(sites.map((site) => site.isAsync())).toEqual([false, false, false, true]);
  expect(String(sites[1])).toBe('result (/home/project/a.js:6:3)');
});
