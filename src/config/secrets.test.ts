import { expect, test } from 'vitest';
import { fillSecrets, secretsIn } from './secrets.ts';

const values: Readonly<Record<string, string>> = { A: 'one', B: 'two ${A}' };
const value = (name: string) => values[name];

test('both forms of a reference are found', () => {
  expect(secretsIn('x ${A} {env:B} ${A} $A {env:} {file:A}')).toEqual(['A', 'B']);
});

test('each name is asked for once and filled in everywhere, and values are not expanded again', async () => {
  const asked: string[] = [];
  const allow = async (name: string) => void asked.push(name);
  expect(await fillSecrets('Bearer ${A}-{env:A} {env:B}', value, allow)).toBe('Bearer one-one two ${A}');
  expect(asked).toEqual(['A', 'B']);
  expect(await fillSecrets('plain', value, allow)).toBe('plain');
});

test('a refusal or an unknown name rejects', async () => {
  await expect(fillSecrets('${A}', value, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(fillSecrets('${C}', value, async () => undefined)).rejects.toThrow('no secret named C');
});
