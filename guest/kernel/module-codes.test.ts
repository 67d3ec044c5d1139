import { expect, test } from 'vitest';
import { ModuleCodes } from './module-codes.ts';

test('the modules used last stay, up to a number of bytes', () => {
  const codes = new ModuleCodes(10);
  codes.keep('a', new Uint8Array(4));
  codes.keep('b', new Uint8Array(4));
  expect(codes.find('a')).toHaveLength(4);
  codes.keep('c', new Uint8Array(4));
  expect(codes.find('b')).toBeUndefined();
  expect(codes.find('a')).toHaveLength(4);
  expect(codes.find('c')).toHaveLength(4);
  codes.keep('larger than all', new Uint8Array(11));
  expect(codes.find('larger than all')).toBeUndefined();
});

test('a module has the code that was kept last, until all is forgotten', () => {
  const codes = new ModuleCodes();
  codes.keep('a', Uint8Array.of(1));
  codes.keep('a', Uint8Array.of(2));
  expect(codes.find('a')).toEqual(Uint8Array.of(2));
  codes.clear();
  expect(codes.find('a')).toBeUndefined();
});
