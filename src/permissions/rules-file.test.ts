import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVERYWHERE } from './types.ts';
import { rulesFromJson, rulesToJson } from './rules-file.ts';

test('exported rules can be imported, without their origin', () => {
  const rule = fc.record({
    permission: fc.string(),
    pattern: fc.string(),
    action: fc.constant('allow' as const),
  });
  fc.assert(
    fc.property(fc.array(rule), (rules) => {
      expect(rulesFromJson(rulesToJson(rules))).toEqual(rules);
    }),
  );
  const saved = {
    id: 'r1',
    workspaceID: 'wsp_1',
    time: 1,
    permission: 'bash',
    pattern: 'ls *',
    action: 'allow',
  } as const;
  expect(rulesToJson([saved])).not.toMatch(/wsp_1|r1|time/);
  expect(rulesFromJson(rulesToJson([{ ...saved, workspaceID: EVERYWHERE }, saved]))).toEqual([
    { permission: 'bash', pattern: 'ls *', action: 'allow', scope: 'everywhere' },
    { permission: 'bash', pattern: 'ls *', action: 'allow' },
  ]);
});

test.each([
  ['', 'not JSON'],
  ['{', 'not JSON'],
  ['[]', 'expected object'],
  ['{"format":"vitrine-rules","version":2,"rules":[]}', 'version'],
  ['{"format":"other","version":1,"rules":[]}', 'format'],
  ['{"format":"vitrine-rules","version":1,"rules":[{"permission":"bash"}]}', 'pattern'],
  [
    '{"format":"vitrine-rules","version":1,"rules":[{"permission":"a","pattern":"b","action":"deny"}]}',
    'action',
  ],
  [`"${'x'.repeat(1_000_001)}"`, 'too large'],
])('%.60s is refused with the reason', (text, reason) => {
  expect(() => rulesFromJson(text)).toThrow(reason);
});
