import { describe, expect, it } from 'vitest';
import excused from '../../test/fixtures/shell/excused.json' with { type: 'json' };
import exact from '../../test/fixtures/shell/exact.json' with { type: 'json' };
import oneLiners from '../../test/fixtures/shell/oneliners.json' with { type: 'json' };
import { answer, differences, shown, type Case } from '../../test/support/shell-suite.ts';

describe('against real bash and GNU tools', () => {
  it.each<Case>(exact.cases)('$script', async ({ script, stdout, exitCode }) => {
    expect(await answer(script, exact)).toEqual({ stdout, exitCode });
  });

  it(`answers all ${oneLiners.cases.length} one-liners identically, but for those excused`, async () => {
    const differing = await differences(oneLiners.cases, oneLiners);
    const agreeing = oneLiners.cases.length - differing.length;
    console.log(`${agreeing} of ${oneLiners.cases.length} one-liners agree`);
    const scripts = new Set(excused.map(({ script }) => script));
    expect(differing.filter(({ script }) => !scripts.has(script)).map(shown)).toEqual([]);
  }, 60_000);
});
