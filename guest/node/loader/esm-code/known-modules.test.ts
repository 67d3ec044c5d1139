import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { esmCode } from '../esm-code.ts';
import { knownEsmCode } from './known-modules.ts';

function memory() {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    find: (key: string) => kept.get(key),
    keep: (key: string, code: Uint8Array) => void kept.set(key, code),
  };
}

const read = (name: string) =>
  readFileSync(new URL(`../../../../node_modules/${name}`, import.meta.url), 'utf8');

test.each([
  'zod/v4/core/schemas.js',
  'yargs/build/lib/yargs-factory.js',
  'svelte/src/internal/client/runtime.js',
])('what an earlier process made of %s is the same code', (name) => {
  const codes = memory();
  const source = read(name);
  const made = knownEsmCode(source, 'a.mjs', codes);
  expect(codes.kept.size).toBe(1);
  const found = knownEsmCode(source, 'a.mjs', codes);
  expect(found).toEqual(made);
  expect(found.text.code).toBe(esmCode(source).text.code);
  const line = found.text.code.split('\n').length - 1;
  expect(found.text.original({ line, column: 3 })).toEqual(made.text.original({ line, column: 3 }));
});

test('code that was made from another source is made anew', () => {
  const codes = memory();
  const source = (value: number) => `${'// a comment\n'.repeat(500)}export const x = ${value};`;
  knownEsmCode(source(1), 'a.mjs', codes);
  expect(knownEsmCode(source(2), 'a.mjs', codes).text.code).toContain('x = 2');
  expect(knownEsmCode(source(2), 'a.mjs', codes).text.code).toContain('x = 2');
});

test('a short module is not kept', () => {
  const codes = memory();
  expect(knownEsmCode('export const x = 1;', 'a.mjs', codes).exports).toEqual(['x']);
  expect(codes.kept.size).toBe(0);
});

test('a module that cannot be parsed is not kept', () => {
  const codes = memory();
  expect(() => knownEsmCode(`export const = 1;${' '.repeat(5_000)}`, 'a.mjs', codes)).toThrow(SyntaxError);
  expect(codes.kept.size).toBe(0);
});
