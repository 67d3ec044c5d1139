import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, indentOf, readText } from './text-format.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['one\ntwo\n', 'one\ntwo\n', { lineEnd: '\n', bom: false }, false],
  ['one\r\ntwo\r\n', 'one\ntwo\n', { lineEnd: '\r\n', bom: false }, false],
  ['\ufeffone\r\n', 'one\n', { lineEnd: '\r\n', bom: true }, false],
  ['\ufeff\ufeffone', '\ufeffone', { lineEnd: '\n', bom: true }, false],
  ['a\r\nb\r\nc\n', 'a\nb\nc\n', { lineEnd: '\r\n', bom: false }, true],
  ['a\r\nb\nc\n', 'a\nb\nc\n', { lineEnd: '\n', bom: false }, true],
  ['a\r\nb\n', 'a\nb\n', { lineEnd: '\n', bom: false }, true],
  ['50%\r60%\rdone\n', '50%\r60%\rdone\n', { lineEnd: '\n', bom: false }, false],
  ['', '', { lineEnd: '\n', bom: false }, false],
] as const)('%j is read', (whole, text, format, mixed) => {
  expect(readText(bytes(whole))).toEqual({ text, format, mixed });
});

test('what is not UTF-8 to its end is not read', () => {
  const long = new Uint8Array(10_000).fill(97);
  expect(readText(long)).not.toBeNull();
  long[9_999] = 0xe9;
  expect(readText(long)).toBeNull();
  expect(readText(Uint8Array.of(0xe6, 0xbc))).toBeNull();
});

test('a text whose lines end in one way comes out byte for byte as it went in', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\ufeff]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, bom) => {
      const whole = bytes((bom ? '\ufeff' : '') + lines.join(end));
      const read = readText(whole);
      expect(read && bytesOf(read.text, read.format)).toEqual(whole);
    }),
  );
});

test('mixed line ends become the frequent one', () => {
  const read = readText(bytes('a\r\nb\r\nc\n'));
  expect(read && new TextDecoder().decode(bytesOf(read.text, read.format))).toBe('a\r\nb\r\nc\r\n');
});

test.each([
  ['two spaces', 'a {\n  b\n  c {\n    d\n  }\n}\n', '  '],
  ['four spaces', 'def a():\n    if b:\n        c\n    d\n', '    '],
  ['tabs', 'a:\n\tb\n\tc\n', '\t'],
  ['tabs with stars aligned by a space', '/**\n * a\n */\nb {\n\tc\n}\n', '\t'],
  ['none', 'a\nb\n', '  '],
  ['empty lines between', 'a\n\n    b\n\nc\n', '    '],
])('the indentation is found: %s', (_name, text, indent) => {
  expect(indentOf(text)).toBe(indent);
});
