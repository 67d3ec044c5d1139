/** How many tests a program reported. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
}

/** The summary lines of Node, of Vitest and Jest, and of Mocha. */
const PASSED = [/^[ℹ#] pass (\d+)$/m, /^\s*Tests:?\s.*?(\d+) passed/m, /^\s*(\d+) passing\b/m];
const FAILED = [/^[ℹ#] fail (\d+)$/m, /^\s*Tests:?\s.*?(\d+) failed/m, /^\s*(\d+) failing\b/m];
/** The number of characters at the end of the output that are searched for the summary. */
const END = 4000;

/** Returns `null` if the output ends with no such summary. */
export function testRunIn(output: string): TestRun | null {
  const end = output.slice(-END);
  const passed = numberIn(end, PASSED);
  const failed = numberIn(end, FAILED);
  if (passed === null && failed === null) return null;
  const run = { passed: passed ?? 0, failed: failed ?? 0 };
  return run.passed + run.failed > 0 ? run : null;
}

function numberIn(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const [, digits] = pattern.exec(text) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}
