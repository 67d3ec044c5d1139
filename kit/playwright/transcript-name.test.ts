import { expect, test } from 'vitest';
import { transcriptName } from './transcript-name.ts';

const of = (...titlePath: string[]) => ({ titlePath });

test('each test has a name of its own, and each of its transcripts', () => {
  const one = of('a.spec.ts', 'group', 'it says “yes” & no');
  expect([transcriptName(one), transcriptName(one)]).toEqual([
    'group-it-says-yes-no.md',
    'group-it-says-yes-no-2.md',
  ]);
  expect(transcriptName(of('a.spec.ts', 'group', 'it writes'))).toBe('group-it-writes.md');
  expect(transcriptName(of('a.spec.ts', 'Größe: 文件'))).toBe('Größe-文件.md');
  expect(transcriptName(of('a.spec.ts', '!?'))).toBe('transcript.md');
});
