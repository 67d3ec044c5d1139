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
])('complete: %j', (command) => expect(isComplete(command)).toBe(true));

test.each(["echo 'a", 'echo "a', 'echo a\\', 'cat <<EOF', 'cat <<EOF\nx', 'cat <<A <<B\nA'])(
  'waits for more: %j',
  (command) => expect(isComplete(command)).toBe(false),
);
