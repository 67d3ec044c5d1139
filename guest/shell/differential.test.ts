import { InMemoryFs } from 'just-bash/browser';
import { describe, expect, it } from 'vitest';
import suite from '../../test/fixtures/shell/oneliners.json' with { type: 'json' };
import { shell } from '../../test/support/shell.ts';

/** How many agree today: raise it with every mend, never lower it. */
const FLOOR = 140;

describe('against real bash and GNU tools', () => {
  it(`answers at least ${FLOOR} of ${suite.cases.length} one-liners identically`, async () => {
    const differing: string[] = [];
    for (const { script, stdout, exitCode } of suite.cases) {
      const placed = Object.entries(suite.files).map(([path, text]) => [`${suite.home}/${path}`, text]);
      const files = new InMemoryFs(Object.fromEntries(placed));
      files.mkdirSync('/tmp', { recursive: true });
      // Error messages are worded differently on purpose; what is compared is what other programs would read.
      const run = await shell(`{ ${script}\n} 2>/dev/null`, {
        files,
        cwd: suite.home,
        env: { HOME: suite.home, ...suite.env },
      });
      const timeless = run.output.replace(/^([-+]{3} [^\t\n]+)\t.*$/gm, '$1');
      if (timeless === stdout && run.code === exitCode) continue;
      differing.push(
        `${script}\n  wanted ${JSON.stringify(stdout)} ${exitCode}\n  got    ${JSON.stringify(run.output)} ${run.code}`,
      );
    }
    const agreeing = suite.cases.length - differing.length;
    if (process.env['SHELL_DIFF']) console.log(differing.join('\n'));
    expect(agreeing, differing.join('\n')).toBeGreaterThanOrEqual(FLOOR);
  }, 60_000);
});
