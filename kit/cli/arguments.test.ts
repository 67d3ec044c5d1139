import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

test('without arguments the app is served on the usual port', () => {
  expect(readArguments([])).toEqual({ kind: 'serve', port: 4173 });
  expect(readArguments(['--port', '0'])).toEqual({ kind: 'serve', port: 0 });
});

test('show takes a recording', () => {
  expect(readArguments(['show', 'a.json', '--port=5000'])).toEqual({
    kind: 'show',
    port: 5000,
    recording: 'a.json',
  });
  expect(() => readArguments(['show'])).toThrow('takes one file');
});

test('what is not understood is named', () => {
  expect(() => readArguments(['serve'])).toThrow('There is no command "serve".');
  expect(() => readArguments(['--port', 'x'])).toThrow('not "x"');
  expect(() => readArguments(['--prot', '1'])).toThrow('--prot');
});

test('a job has prompts and one model', () => {
  const model = ['--provider', 'openai-compatible', '--model', 'm', '--base-url', 'http://localhost:1'];
  expect(readArguments(['run', '--prompt', 'a', '--prompt', 'b', ...model])).toEqual({
    kind: 'run',
    prompts: ['a', 'b'],
    model: { provider: 'openai-compatible', model: 'm', baseURL: 'http://localhost:1' },
    out: 'vitrine-run',
    timeoutMs: 600_000,
  });
  expect(() => readArguments(['run', '--script', 's.json'])).toThrow('needs a --prompt');
  expect(() => readArguments(['run', '--prompt', 'a'])).toThrow('either --script, or --provider');
  expect(() => readArguments(['run', '--prompt', 'a', '--script', 's', ...model])).toThrow('either');
});

test('rules are a word or JSON', () => {
  const run = (rules: string) =>
    readArguments(['run', '--prompt', 'a', '--script', 's.json', '--permission', rules]);
  expect(run('allow')).toMatchObject({ permission: 'allow' });
  expect(run('{"bash":"deny"}')).toMatchObject({ permission: { bash: 'deny' } });
  expect(() => run('{bash}')).toThrow('--permission takes');
});
