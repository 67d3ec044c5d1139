import { expect, test } from 'vitest';
import { proposedName, typedPath } from './file-name.ts';

test.each([
  ['python', 'code.py'],
  ['ts', 'code.ts'],
  ['TypeScript', 'code.ts'],
  ['bash', 'script.sh'],
  ['html', 'index.html'],
  ['dockerfile', 'Dockerfile'],
  ['', 'code.txt'],
  ['../../x', 'code.txt'],
  ['valueOf', 'code.valueof'],
])('code of the language %j is proposed as %s', (language, name) => {
  expect(proposedName(language, () => false)).toBe(name);
});

test('a name that is taken gets a number', () => {
  const taken = new Set(['code.py', 'code-2.py', 'Dockerfile']);
  expect(proposedName('py', (name) => taken.has(name))).toBe('code-3.py');
  expect(proposedName('docker', (name) => taken.has(name))).toBe('Dockerfile-2');
});

test('a path stays inside the workspace', () => {
  expect(typedPath(' ./src/a.ts ')).toBe('src/a.ts');
  for (const bad of ['', ' ', '/etc/passwd', '../a', 'a/../b', 'a//b', 'a/', 'a\0b', '.'])
    expect(typedPath(bad)).toBeNull();
});
