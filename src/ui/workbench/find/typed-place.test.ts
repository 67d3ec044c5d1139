import { expect, test } from 'vitest';
import { typedPlace } from './typed-place.ts';

test.each([
  ['', { name: '' }],
  ['add', { name: 'add' }],
  ['src/add.ts:12', { name: 'src/add.ts', line: 12 }],
  ['src/add.ts:12:5', { name: 'src/add.ts', line: 12 }],
  ['add.ts:', { name: 'add.ts' }],
  [':7', { name: '', line: 7 }],
  [' add  one : 3', { name: 'addone', line: 3 }],
  ['a:b', { name: 'a:b' }],
  ['add:0', { name: 'add' }],
])('%s', (text, place) => {
  expect(typedPlace(text)).toEqual(place);
});
