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
