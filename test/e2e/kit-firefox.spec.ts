import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findFirefox, inFirefox } from '../../scripts/firefox.mjs';
import { KitProject, root, test } from './kit-project.ts';
import { expect } from './test.ts';

const PLAIN = `import { expect, test } from '@playwright/test';
test('a page opens', async ({ page }) => {
  await page.goto('data:text/html,<title>open</title>');
  await expect(page).toHaveTitle('open');
});
`;

/** Takes the first Playwright that opens a page in this Firefox. Returns why there is none, if so. */
async function choosePlaywright(kit: KitProject): Promise<string | undefined> {
  await writeFile(path.join(kit.folder, 'plain.test.ts'), PLAIN);
  const reasons: string[] = [];
  for (const packages of ['node_modules', 'test/fixtures/firefox/node_modules']) {
    const from = path.join(root, packages);
    if (!existsSync(path.join(from, '@playwright/test'))) {
      reasons.push(`${packages} is not installed`);
      continue;
    }
    kit.usePlaywright(from);
    const [plain] = await kit.results('plain');
    if (plain?.ok) return undefined;
    const [message] = stripVTControlCharacters(plain?.result?.error?.message ?? 'no result').split('\n');
    reasons.push(`${packages}: ${message}`);
  }
  return reasons.join('; ');
}

test('every example passes in Firefox', async ({ packedKit }) => {
  const firefox = findFirefox();
  test.skip(firefox === undefined, 'There is no Firefox on this machine.');
  test.setTimeout(600_000);
  const kit = await KitProject.make(packedKit);
  try {
    kit.browser = inFirefox(firefox ?? '');
    const problem = await choosePlaywright(kit);
    test.skip(problem !== undefined, `Playwright opens no page in ${firefox}: ${problem}`);
    // Firefox itself fails some of them, see "In Firefox" in docs/testing.md.
    const all = await kit.results('.spec.ts', '--retries=4');
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(({ ok }) => !ok)).toEqual([]);
    test.info().annotations.push({
      type: 'needed a retry',
      description: String(all.filter(({ tries }) => tries > 1).length),
    });
  } finally {
    await kit.remove();
  }
});
