import { InMemoryFs } from 'just-bash/browser';
import { describe, expect, it } from 'vitest';
import exact from '../../test/fixtures/shell/exact.json' with { type: 'json' };
import oneLiners from '../../test/fixtures/shell/oneliners.json' with { type: 'json' };
import { shell } from '../../test/support/shell.ts';

/** How many agree today: raise it with every mend, never lower it. */
const FLOOR = 175;

interface Suite {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly files: Record<string, string>;
}

interface Case {
  readonly script: string;
  readonly stdout: string;
  readonly exitCode: number;
}

interface Answer {
  readonly stdout: string;
  readonly exitCode: number;
}

/** Error messages are worded differently on purpose: what is compared is what other programs would read. */
async function answer(script: string, { home, env, files: given }: Suite): Promise<Answer> {
  const placed = Object.entries(given).map(([path, text]) => [`${home}/${path}`, text]);
  const files = new InMemoryFs(Object.fromEntries(placed));
  files.mkdirSync('/tmp', { recursive: true });
  files.mkdirSync('/dev', { recursive: true });
  files.writeFileSync('/dev/null', '');
  const run = await shell(`{ ${script}\n} 2>/dev/null`, { files, cwd: home, env: { HOME: home, ...env } });
  return { stdout: run.output.replace(/^([-+]{3} [^\t\n]+)\t.*$/gm, '$1'), exitCode: run.code };
}

describe('against real bash and GNU tools', () => {
  it.each<Case>(exact.cases)('$script', async ({ script, stdout, exitCode }) => {
    expect(await answer(script, exact)).toEqual({ stdout, exitCode });
  });

  it(`answers at least ${FLOOR} of ${oneLiners.cases.length} one-liners identically`, async () => {
    const differing: string[] = [];
    for (const { script, stdout, exitCode } of oneLiners.cases) {
      const got = await answer(script, oneLiners);
      if (got.stdout === stdout && got.exitCode === exitCode) continue;
      differing.push(
        `${script}\n  wanted ${JSON.stringify({ stdout, exitCode })}\n  got    ${JSON.stringify(got)}`,
      );
    }
    const agreeing = oneLiners.cases.length - differing.length;
    expect(agreeing, differing.join('\n')).toBeGreaterThanOrEqual(FLOOR);
  }, 60_000);
});
