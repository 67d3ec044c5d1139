import { describe, expect, it } from 'vitest';
import exact from '../../test/fixtures/shell/exact.json' with { type: 'json' };
import oneLiners from '../../test/fixtures/shell/oneliners.json' with { type: 'json' };
import { answer, differences, shown, type Case } from '../../test/support/shell-suite.ts';

/** How many agree today: raise it with every mend, never lower it. */
const FLOOR = 176;

describe('against real bash and GNU tools', () => {
  it.each<Case>(exact.cases)('$script', async ({ script, stdout, exitCode }) => {
    expect(await answer(script, exact)).toEqual({ stdout, exitCode });
  });

  it(`answers at least ${FLOOR} of ${oneLiners.cases.length} one-liners identically`, async () => {
    const differing = await differences(oneLiners.cases, oneLiners);
    const agreeing = oneLiners.cases.length - differing.length;
    console.log(`${agreeing} of ${oneLiners.cases.length} one-liners agree`);
    expect(agreeing, differing.map(shown).join('\n')).toBeGreaterThanOrEqual(FLOOR);
  }, 60_000);
});
