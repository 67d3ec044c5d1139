import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

/** Where things are on the page, to the pixel. */
const places = (page: Page) =>
  page.evaluate(() =>
    ['header svg[width="18"]', 'main h1', 'main .cabinet', 'main p'].map((selector) => {
      const { x, y, width, height } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      return [selector, ...[x, y, width, height].map(Math.round)].join(' ');
    }),
  );

/** Opens the page without its modules, as it is while they are on their way. Resolves with what lets them come. */
async function openSlowly(page: Page, address: string): Promise<() => void> {
  let go: () => void = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await gone;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return go;
}

for (const [name, width, height] of [
  ['a wide window', 1600, 1000],
  ['a usual window', 1280, 800],
  ['a small window', 1100, 800],
  ['a phone', 390, 800],
  ['a small phone', 360, 740],
] as const)
  test(`in ${name} the title is there before the app is, at its place`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const go = await openSlowly(page, '/');
    await expect(page.getByText('A coding agent behind glass')).toBeVisible();
    await expect(page.locator('main').getByText('Watch a demo')).toBeHidden();
    const before = await places(page);
    go();
    await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect.poll(() => places(page)).toEqual(before);
    await expect(page.locator('.first-paint')).toHaveCount(0);
  });

for (const address of ['/?lang=de', '/?lesson=the-loop', '/#/session/ses_1'])
  test(`the text of the first page is not shown before ${address}`, async ({ page }) => {
    await openSlowly(page, address);
    await expect(page.locator('header').getByText('Vitrine')).toBeVisible();
    await expect(page.getByText('A coding agent behind glass')).toBeHidden();
  });
