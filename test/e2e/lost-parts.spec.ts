import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { startStaticHost } from '../support/static-host.ts';
import { checkEverywhere } from './accessible-states.ts';
import { expect, test, type Complaints } from './test.ts';

const index = readFileSync(new URL('../../dist/index.html', import.meta.url), 'utf8');

/** A host that publishes another version: its start page names other scripts, and those of this one are gone. */
async function hostOfVersions() {
  let isNew = false;
  const host = await startStaticHost({
    answers(path) {
      if (!isNew) return undefined;
      if (path === '/') return { status: 200, body: index.replaceAll('/assets/', '/assets/new-') };
      return path.startsWith('/assets/') ? { status: 404 } : undefined;
    },
  });
  return { ...host, publish: () => (isNew = true) };
}

/** The browser notes every request that failed, and what a page could not be shown without is an uncaught rejection. */
const expectLosses = (complaints: Complaints) =>
  complaints.expect(
    /Failed to load resource|Failed to fetch/,
    /Uncaught: (A new version of Vitrine is available|A part of the page could not be loaded)/,
    /Refused to apply style|MIME type/,
  );

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const openSettings = (page: Page) => page.getByRole('button', { name: 'Settings' }).click();
const newVersion = (page: Page) => page.getByRole('group', { name: 'A new version is there.' });

test('a part that is gone because a new version was published leads to a reload, and nothing typed is lost', async ({
  page,
  complaints,
}) => {
  expectLosses(complaints);
  const host = await hostOfVersions();
  await page.goto(host.url);
  await message(page).fill('A draft');
  host.publish();
  await openSettings(page);
  await expect(newVersion(page)).toContainText('drafts are kept');
  await checkEverywhere(page, 'a new version was published');
  await expect(message(page)).toHaveValue('A draft');
  await expect(page.getByText(/dynamically imported/)).toHaveCount(0);
  const loads = host.statuses.get('/')?.length ?? 0;
  await newVersion(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => host.statuses.get('/')?.length).toBeGreaterThan(loads);
  await host.close();
});

test('a script of the workspace that is gone says the same', async ({ page, complaints }) => {
  expectLosses(complaints);
  const host = await hostOfVersions();
  await page.goto(`${host.url}?workspace=embedded`);
  await message(page).fill('A draft');
  host.publish();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await expect(newVersion(page)).toBeVisible();
  await expect(page.getByText(/answered 404/)).toHaveCount(0);
  await host.close();
});

test('with the server gone the page says so', async ({ page, complaints }) => {
  expectLosses(complaints);
  const host = await startStaticHost();
  await page.goto(host.url);
  await message(page).fill('A draft');
  await host.close();
  await openSettings(page);
  const gone = page.getByRole('group', { name: 'The server cannot be reached.' });
  await expect(gone).toBeVisible();
  await checkEverywhere(page, 'the server is gone');
  await gone.getByRole('button', { name: 'Try again' }).click();
  await expect(gone).toBeVisible();
  await expect(message(page)).toHaveValue('A draft');
});

test('a part that fails once is tried again, and nothing is said', async ({ page, complaints }) => {
  expectLosses(complaints);
  let failures = 0;
  const host = await startStaticHost({
    answers: (path) => (/SettingsDialog.*\.js$/.test(path) && failures++ === 0 ? { status: 503 } : undefined),
  });
  await page.goto(host.url);
  await openSettings(page);
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  expect(failures).toBeGreaterThan(1);
  await expect(
    page.getByRole('group', { name: /could not be loaded|cannot be reached|new version/ }),
  ).toHaveCount(0);
  await host.close();
});
