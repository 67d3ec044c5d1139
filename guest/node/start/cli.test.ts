import { expect, test } from 'vitest';
import { parseCli } from './cli.ts';

const parsed = (line: string, options?: string) =>
  parseCli(line.split(' ').filter(Boolean), options, 'v22.0.0');

test.for([
  ['', { kind: 'stdin', print: false, named: false }],
  ['- a', { kind: 'stdin', print: false, named: true }],
  ['a.js b', { kind: 'file', path: 'a.js' }],
  ['-- -a.js', { kind: 'file', path: '-a.js' }],
  ['-e 1', { kind: 'eval', source: '1', print: false }],
  ['--eval=1', { kind: 'eval', source: '1', print: false }],
  ['-e -1', { kind: 'eval', source: '-1', print: false }],
  ['-p 1', { kind: 'eval', source: '1', print: true }],
  ['-pe 1', { kind: 'eval', source: '1', print: true }],
  ['-p -e 1', { kind: 'eval', source: '1', print: true }],
  ['-p', { kind: 'stdin', print: true, named: false }],
  ['-c a.js', { kind: 'check', path: 'a.js' }],
  ['--test a b', { kind: 'test', patterns: ['a', 'b'] }],
  ['-v a.js', { kind: 'say', text: 'v22.0.0\n', code: 0 }],
] as const)('node %s', ([line, mode]) => {
  expect(parsed(line).mode).toEqual(mode);
});

test.for([
  ['--no-such-flag', 'bad option: --no-such-flag'],
  ['-r', '-r requires an argument'],
  ['--require -x a.js', '--require requires an argument'],
  ['--check -e 1', 'either --check or --eval can be used, not both'],
  ['--watch', '--watch requires specifying a file'],
  ['--watch --check a.js', 'either --watch or --check can be used, not both'],
  ['--watch -e 1', 'either --watch or --eval can be used, not both'],
  ['--test --watch-path=a', '--watch-path cannot be used in combination with --test'],
  ['--unhandled-rejections=maybe a.js', 'invalid value for --unhandled-rejections'],
  [
    '--input-type=json -e 1',
    '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"',
  ],
] as const)('node %s fails', ([line, text]) => {
  expect(parsed(line).mode).toEqual({ kind: 'say', text: `node: ${text}\n`, code: 9 });
});

test('help names the flags', () => {
  const { mode } = parsed('--help');
  expect(mode).toMatchObject({ kind: 'say', code: 0 });
  expect(mode.kind === 'say' && mode.text).toContain('-r, --require=...');
});

test('the words after the program are its own', () => {
  const { args, execArgv, flags } = parsed('--trace-warnings a.js --trace-exit b');
  expect(args).toEqual(['--trace-exit', 'b']);
  expect(execArgv).toEqual(['--trace-warnings']);
  expect([...flags]).toEqual([['--trace-warnings', true]]);
  expect(parsed('-e 1 a b').args).toEqual(['a', 'b']);
});

test('flags that can be given more than once are collected', () => {
  const cli = parsed(
    '-r a --require=b --import c -C d --conditions=e --env-file=f --env-file-if-exists g --loader h --loader=i x.js',
  );
  expect(cli).toMatchObject({
    requires: ['a', 'b'],
    imports: ['c'],
    conditions: ['d', 'e'],
    envFiles: [
      { path: 'f', optional: false },
      { path: 'g', optional: true },
    ],
  });
  expect(cli.flags.get('--loader')).toBe('h\ni');
});

test('a flag may have underscores, and a switch its negation', () => {
  const { flags } = parsed('--input_type=module --no-warnings --no-experimental-anything -e 1');
  expect([...flags]).toEqual([
    ['--input-type', 'module'],
    ['--no-warnings', true],
    ['--no-experimental-anything', true],
    ['--eval', true],
  ]);
});

test('the watched process gets all flags but those for watching', () => {
  const cli = parsed('--watch --watch-path=src --trace-warnings a.js');
  expect(cli).toMatchObject({ watch: true, watchPaths: ['src'], execArgv: ['--trace-warnings'] });
});

test('NODE_OPTIONS come before the command line, and are not among the flags of the process', () => {
  const cli = parsed('-r b a.js', '--require "./with space" --title=a\\ b');
  expect(cli).toMatchObject({ requires: ['./with space', 'b'], execArgv: ['-r', 'b'] });
  expect(cli.flags.get('--title')).toBe('a b');
});

test.for(['--eval', '-e', '--print=1', '--unknown'])('%s is refused in NODE_OPTIONS', (word) => {
  expect(parsed('a.js', word).mode).toEqual({
    kind: 'say',
    text: `node: ${word} is not allowed in NODE_OPTIONS\n`,
    code: 9,
  });
});
