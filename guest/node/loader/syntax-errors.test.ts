import { expect, test } from 'vitest';
import { isModuleSyntax } from './syntax-errors.ts';

// Each message is as the engine writes it: Chromium 150, Firefox 153.
test.each([
  ["import a from 'a';", 'Cannot use import statement outside a module'],
  ["import a from 'a';", 'import declarations may only appear at top level of a module'],
  ['export default 1;', "Unexpected token 'export'"],
  ['export default 1;', 'export declarations may only appear at top level of a module'],
  ['import.meta.url;', "Cannot use 'import.meta' outside a module"],
  ['import.meta.url;', 'import.meta may only appear in a module'],
  ['await 1;', 'await is only valid in async functions and the top level bodies of modules'],
  ['await 1;', 'await is only valid in async functions, async generators and modules'],
  ['for await (const a of []);', 'Unexpected reserved word'],
  [
    'for await (const a of []);',
    'for await (... of ...) is only valid in async functions and async generators',
  ],
  ['const require = 1;', "Identifier 'require' has already been declared"],
  ['const require = 1;', 'redeclaration of formal parameter require'],
])('%s is a module where the engine says: %s', (source, message) => {
  expect(isModuleSyntax(new SyntaxError(message), source)).toBe(true);
});

test.each([
  ['const a = 1; const a = 2;', "Identifier 'a' has already been declared"],
  ['const a = 1; const a = 2;', 'redeclaration of const a'],
  ['foo(', "expected expression, got '}'"],
  ['await (', 'await is only valid in async functions, async generators and modules'],
])('%s is none', (source, message) => {
  expect(isModuleSyntax(new SyntaxError(message), source)).toBe(false);
});
