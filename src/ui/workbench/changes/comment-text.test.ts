import { expect, test } from 'vitest';
import { commentText } from './comment-text.ts';

test.for([
  [{ kind: 'added', new: 12, text: '  const tax = 0.2;' }, 'a.ts, line 12 (`const tax = 0.2;`): Why?'],
  [{ kind: 'removed', old: 3, text: 'old' }, 'a.ts, removed line 3 (`old`): Why?'],
  [{ kind: 'same', old: 1, new: 2, text: '' }, 'a.ts, line 2: Why?'],
  [{ kind: 'added', new: 1, text: 'a `quoted` word' }, 'a.ts, line 1 (``a `quoted` word``): Why?'],
  [{ kind: 'added', new: 1, text: 'x'.repeat(200) }, `a.ts, line 1 (\`${'x'.repeat(120)}…\`): Why?`],
] as const)('a comment names its place and quotes the line: %j', ([line, text]) => {
  expect(commentText('a.ts', line, 'Why?')).toBe(text);
});
