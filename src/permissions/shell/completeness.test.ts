import { expect, test } from 'vitest';
import { isComplete } from './completeness.ts';

test.each([
  '',
  'ls',
  "echo 'a'",
  'echo "a\'b"',
  "echo it\\'s",
  'cat <<EOF\na "\nEOF',
  'cat <<-X\n\ta\n\tX',
  'cat <<< "x"',
  "ls # don't",
  'for i in 1; do echo; done',
  'f() { echo; }',
  // Wrong, and further lines would not fix it.
  'fi',
  'if; then',
  'echo )',
  'if true; then echo )',
  'a | | b',
])('complete: %j', async (command) => expect(await isComplete(command)).toBe(true));

test.each([
  "echo 'a",
  'echo "a',
  'echo a\\',
  'cat <<EOF',
  'cat <<EOF\nx',
  'cat <<A <<B\nA',
  'if true',
  'if true; then',
  'for i in 1 2',
  'while :; do\necho',
  'case x in',
  'case x in a) echo;;',
  'f() {',
  'f()',
  'a |',
  'a &&',
  '(echo',
  '{ echo',
  'echo $(ls',
  'echo $((1 +',
  'echo "$(cat <<E\nx',
  '[[ -f a &&',
  'x=(a',
])('waits for more: %j', async (command) => expect(await isComplete(command)).toBe(false));
