import { expect, test } from 'vitest';
import { parseLesson } from './lesson.ts';
import { isCheapPattern } from './patterns.ts';

const script = JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }] }] });
const head = '---\ntitle: One\nsummary: Two\n---\n';
const blanks = ' '.repeat(90_000);

test.each([
  ['a heading', `${head}## a${blanks}b\n`],
  ['a fence', `${head}## a\n\`\`\`${blanks}!\n\`\`\`\n`],
  ['a line of the head', `---\ntitle: One\nsummary: Two\nx: a${blanks}b\n---\n## a\n`],
  ['the name in a line of the head', `---\n${'x'.repeat(90_000)}\n---\n## a\n`],
])('%s of very many spaces is parsed quickly', (_, markdown) => {
  const began = performance.now();
  parseLesson({ markdown, script });
  expect(performance.now() - began).toBeLessThan(500);
});

test.each([
  ['(a|a)'.repeat(30) + 'b'],
  ['a?'.repeat(60) + 'a'.repeat(60)],
  ['(?:a|ab)c*d'],
  ['(a+)+b'],
  ['a*a*b'],
  ['(a)\\1'],
])('the pattern %s is refused', (pattern) => {
  expect(isCheapPattern(pattern)).toBe(false);
});

test.each([
  ['[Cc]ake|CAKE'],
  ['^Sum up the conversation'],
  ['colou?r (red|green)'],
  ['.*\\?$'],
  ['(?:tea) now'],
])('the pattern %s is allowed', (pattern) => expect(isCheapPattern(pattern)).toBe(true));

test.each(['prompt', 'result', 'system'])(
  'a costly pattern for a %s is refused as one of a turn is',
  (name) => {
    const steps = [{ cases: [{ text: 'a' }, { if: { [name]: '(a+)+b' }, text: 'b' }] }];
    const parsed = parseLesson({
      markdown: `${head}## a\n`,
      script: JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }, ...steps] }] }),
    });
    expect(JSON.stringify(parsed)).toContain(`turns[0].steps[1].cases[1].if.${name}: a lesson's pattern`);
  },
);
