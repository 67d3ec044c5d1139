import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

test('without arguments the app is served on the usual port', () => {
  expect(readArguments([])).toEqual({ kind: 'serve', port: 4173, opens: true });
  expect(readArguments(['--port', '0', '--no-open'])).toEqual({ kind: 'serve', port: 0, opens: false });
});

test('show takes a recording', () => {
  expect(readArguments(['show', 'a.json', '--port=5000'])).toEqual({
    kind: 'show',
    port: 5000,
    opens: true,
    recording: 'a.json',
  });
  expect(() => readArguments(['show'])).toThrow('takes one file');
});

test('what is not understood is named', () => {
  expect(() => readArguments(['serve'])).toThrow('There is no command "serve".');
  expect(() => readArguments(['--port', 'x'])).toThrow('not "x"');
  expect(() => readArguments(['--prot', '1'])).toThrow('There is no option --prot. Did you mean "port"?');
  expect(() => readArguments(['--colour', 'red'])).toThrow(/There is no option --colour\. .*vitrine run/s);
  expect(() => readArguments(['--port'])).toThrow('--port');
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
  expect(() => readArguments(['run', ...model])).toThrow('needs a --prompt');
  expect(() => readArguments(['run', '--prompt', 'a'])).toThrow('needs a file with a script or a recording');
  expect(() => readArguments(['run', '--prompt', 'a', '--script', 's', ...model])).toThrow('either');
  expect(() => readArguments(['run', 'r.json', '--model', 'm'])).toThrow('both --provider and --model');
});

test('a job can be a file alone, in a folder', () => {
  const job = { kind: 'run', prompts: [], out: 'vitrine-run', timeoutMs: 600_000 };
  expect(readArguments(['run', 's.json', '--repo', 'd'])).toEqual({ ...job, file: 's.json', folder: 'd' });
  expect(readArguments(['run', '--script', 's.json', '--folder', 'd'])).toEqual(
    readArguments(['run', 's.json', '--repo', 'd']),
  );
  expect(() => readArguments(['run', 's.json', '--script', 't.json'])).toThrow('not both');
  expect(() => readArguments(['run', 's.json', '--repo', 'd', '--folder', 'e'])).toThrow('not both');
  expect(() => readArguments(['run', 's.json', 't.json'])).toThrow('takes one file');
});

test('a command without its file says which one it needs', () => {
  expect(() => readArguments(['trace'])).toThrow('"trace" takes one file with a recording.');
  expect(() => readArguments(['eval'])).toThrow('"eval" takes one file with a grid.');
  expect(() => readArguments(['report', 'a', 'b'])).toThrow('"report" takes one folder with an evaluation.');
});

test('rules are a word or JSON', () => {
  const run = (rules: string) =>
    readArguments(['run', '--prompt', 'a', '--script', 's.json', '--permission', rules]);
  expect(run('allow')).toMatchObject({ permission: 'allow' });
  expect(run('{"bash":"deny"}')).toMatchObject({ permission: { bash: 'deny' } });
  expect(() => run('{bash}')).toThrow('--permission takes');
  expect(() => run('alow')).toThrow('--permission is "alow". Write "allow", "ask" or "deny"');
  expect(() => run('{"bsah":"allow"}')).toThrow('Did you mean "bash"?');
});
