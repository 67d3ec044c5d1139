import type { Page } from '@playwright/test';
import { configureHosts, npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// The storage of the app keeps the files that an install writes, and a program that opens one reads it from there.

/** Writes so many packages of a megabyte that no storage can make smaller. */
const FILL = `const fs = require('fs');
const { randomBytes } = require('crypto');
for (let n = 0; n < Number(process.argv[2]); n++) {
  fs.mkdirSync('node_modules/p' + n, { recursive: true });
  fs.writeFileSync('node_modules/p' + n + '/index.bin', randomBytes(1_000_000));
}
console.log('written');
`;

async function reload(page: Page, hosts: readonly string[]): Promise<void> {
  // Resolves once this and everything before it is stored.
  await page.evaluate(() => window.vitrine.workspace.writeFile('last.txt', ''));
  await page.reload();
  await configureHosts(page, hosts);
}

test('packages work after a reload', async ({ page, registry }) => {
  const exec = await openWith(page, [registry.host], {
    'package.json': '{ "name": "app", "version": "1.0.0" }\n',
    '.npmrc': npmrcOf(registry),
  });
  expect(await exec('npm install ms')).toMatchObject({ exitCode: 0 });
  await reload(page, [registry.host]);
  expect(await exec(`node -p "require('ms')('2 days')"; npm ls`)).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^172800000\n(Fetching npm .*\n)?app@1\.0\.0 \/home\/project\n└── ms@/),
  });
});

test('an install for which the browser has no room ends with an error, and the workspace can be used', async ({
  page,
  baseURL,
}) => {
  const devtools = await page.context().newCDPSession(page);
  const origin = baseURL ?? '';
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 20_000_000 });
  const exec = await openWith(page, [], { 'fill.cjs': FILL });
  const full = await exec('node fill.cjs 200');
  expect(full.output).toContain('ENOSPC: no space left');
  expect(full.exitCode).toBe(1);
  expect((await exec('rm -rf node_modules; echo own > own.txt; cat own.txt')).output).toBe('own\n');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  // The app stores by itself the changes that it had to hold back, and then there is room for an install.
  await expect(async () => expect((await exec('node fill.cjs 3')).output).toBe('written\n')).toPass({
    timeout: 30_000,
  });
  await reload(page, []);
  const { output } = await exec('cat own.txt; cat node_modules/*/index.bin | wc -c');
  expect(output).toBe('own\n3000000\n');
});
