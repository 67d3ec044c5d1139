import { expect, test } from 'vitest';
import { showCommand } from './show-command.ts';

test.each([
  ['echo hi\n\tls', 'echo hi\n\tls'],
  ['a\u00a0b\u3000c\u2800d\u3164e\u202ff\u115fg', 'a\\u00a0b\\u3000c\\u2800d\\u3164e\\u202ff\\u115fg'],
  [
    'rm\u200b\u2060\u034f\ufe0f\u200d\u200c\u{e0041}',
    'rm\\u200b\\u2060\\u034f\\ufe0f\\u200d\\u200c\\u{e0041}',
  ],
  ['a\rb\x1b[0m\u202e', 'a\\u000db\\u001b[0m\\u202e'],
])('a blank that is not what it seems is escaped: %j', (text, shown) =>
  expect(showCommand(text)).toBe(shown),
);

test.each([
  ['eсho hi', 'e\\u0441ho hi'],
  ["e'с'ho hi", "e'\\u0441'ho hi"],
  ['e\\сho', 'e\\\\u0441ho'],
  ['gοt src', 'g\\u03bft src'],
  ['git-с', 'git-\\u0441'],
  ['cat src/а', 'cat src/\\u0430'],
  ['ls; rmфайл', 'ls; rm\\u0444\\u0430\\u0439\\u043b'],
])('a letter of another script in a Latin word is escaped: %s', (text, shown) =>
  expect(showCommand(text)).toBe(shown),
);

test.each([
  'git commit -m "Исправил ошибку с кодировкой"',
  "echo 'Это git-команда и src/документ.txt'",
  'echo "修复了编码错误；完成"',
  "echo 'أصلح الخطأ می\u200cخواهم'",
  'echo "α β και"',
  'touch "👩‍👩‍👧 ❤️.txt" café.md',
])('what is written in one script stays readable: %s', (text) => expect(showCommand(text)).toBe(text));
