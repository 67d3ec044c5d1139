import { expect, test } from 'vitest';
import { addressOfError, callersIn, firstAddress } from './stack.ts';

// As Chromium 150 and Firefox 153 write them.
const V8 = `Error
    at console.<computed> (http://a.localhost:1/vitrine.js:1:10)
    at go (http://a.localhost:1/app.js:4:7)
    at HTMLButtonElement.onclick (http://a.localhost:1/:2:3)`;
const FIREFOX = `reportConsole/console[level]@http://a.localhost:1/vitrine.js:1:10
go@http://a.localhost:1/app.js:4:7
onclick@http://a.localhost:1/:2:3
`;

test.each([
  ['V8', V8],
  ['Firefox', FIREFOX],
])('who called is found in a stack of %s', (_engine, stack) => {
  expect(firstAddress(callersIn(stack))).toBe('http://a.localhost:1/app.js:4:7');
});

test('a stack without places has no caller', () => {
  expect(firstAddress(callersIn('Error'))).toBe('');
  expect(firstAddress(callersIn(''))).toBe('');
});

test('an error in a script that came as a blob has the name that its stack gives', () => {
  const blob = 'blob:null/442410f1-80f1-44f6-9460-e93217b535b7:4:28';
  expect(addressOfError(blob, 'go.onclick@/app.js:4:28')).toBe('/app.js:4:28');
  expect(addressOfError(blob, '')).toBe(blob);
  expect(addressOfError('/app.js:4:7', 'fail@/lib.js:1:2')).toBe('/app.js:4:7');
});
