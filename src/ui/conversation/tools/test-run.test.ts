import { expect, test } from 'vitest';
import { testRunIn } from './test-run.ts';

test.each([
  ['✔ a (1ms)\nℹ tests 4\nℹ suites 0\nℹ pass 4\nℹ fail 0\nℹ duration_ms 71.2', { passed: 4, failed: 0 }],
  ['# tests 2\n# pass 1\n# fail 1\n# duration_ms 3', { passed: 1, failed: 1 }],
  [
    ' Test Files  1 passed (1)\n      Tests  1 failed | 3 passed (4)\n   Duration  2s',
    { passed: 3, failed: 1 },
  ],
  ['Tests:       2 passed, 2 total\nTime:        1.2 s', { passed: 2, failed: 0 }],
  ['  3 passing (12ms)\n  1 failing', { passed: 3, failed: 1 }],
  ['ℹ tests 0\nℹ pass 0\nℹ fail 0', null],
  ['12 passed the door', null],
  ['', null],
])('%j', (output, run) => expect(testRunIn(output)).toEqual(run));
