import type { Page } from '@playwright/test';
import { begin, panel, showIndex, shown } from './preview-pages.ts';
import { axeFindings } from './accessible.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const toolbar = (page: Page) => panel(page).getByRole('toolbar', { name: 'Preview' });
const more = (page: Page) => toolbar(page).getByRole('button', { name: 'More' });

/** How the toolbar is laid out, and whether its address has room for a few words. */
async function measured(page: Page): Promise<{ rows: number; within: boolean; readable: boolean }> {
  return toolbar(page).evaluate((bar) => {
    const { left, right } = bar.getBoundingClientRect();
    const places = [...bar.querySelectorAll('button, select, input')].map((each) =>
      each.getBoundingClientRect(),
    );
    const middles = new Set(places.map(({ top, bottom }) => Math.round((top + bottom) / 20)));
    return {
      rows: middles.size,
      within: places.every((place) => place.left >= left && place.right <= right),
      readable: (bar.querySelector('input')?.getBoundingClientRect().width ?? 0) > 80,
    };
  });
}

test('the toolbar stays in one row, with room for the address, in windows of every width', async ({
  page,
}) => {
  await begin(page, { 'index.html': '<!doctype html><h1>Page</h1>' });
  await showIndex(page);
  await expect(shown(page).getByRole('heading')).toHaveText('Page');
  for (const width of [1920, 1400, 1100, 900, 761, 700, 500, 430, 390, 360]) {
    await page.setViewportSize({ width, height: 800 });
    // A narrow page shows one pane at a time.
    if (width <= 760) await page.getByRole('tab', { name: 'Preview' }).click();
    const laidOut = { rows: 1, within: true, readable: true };
    await expect.poll(() => measured(page), `at ${width} pixels`).toEqual(laidOut);
  }
});

test('what a narrow toolbar has no room for is in its menu, by keyboard too', async ({ page }) => {
  await begin(page, {
    'index.html': '<!doctype html><title>Home</title><h1>Home</h1><a href="/two.html">Two</a>',
    'two.html': '<!doctype html><h1>Two</h1>',
    'other/index.html': '<!doctype html><h1>Other</h1>',
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await showIndex(page);
  const heading = shown(page).getByRole('heading');
  await shown(page).getByRole('link').click();
  await expect(heading).toHaveText('Two');

  await more(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Back' })).toBeFocused();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Home');
  await expect(more(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await page
    .getByRole('group', { name: 'What to show' })
    .getByRole('menuitemradio', { name: 'other' })
    .click();
  await expect(heading).toHaveText('Other');

  await more(page).click();
  await page
    .getByRole('group', { name: 'Width' })
    .getByRole('menuitemradio', { name: 'Tablet, 820' })
    .click();
  await expect.poll(() => heading.evaluate(() => innerWidth)).toBe(820);
  await more(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Tablet, 820' })).toBeChecked();

  const opened = page.waitForEvent('popup');
  await page.getByRole('menuitem', { name: 'Open in a tab of its own' }).click();
  await opened;
  await panel(page).getByRole('button', { name: 'Show it here again' }).click();
  await expect(more(page)).toBeFocused();

  // A wider one has everything in the row.
  await page.setViewportSize({ width: 750, height: 740 });
  for (const name of ['Back', 'Open in a tab of its own'])
    await expect(toolbar(page).getByRole('button', { name })).toBeVisible();
  for (const name of ['What to show', 'Width'])
    await expect(toolbar(page).getByRole('combobox', { name })).toBeVisible();
  await expect(more(page)).toHaveCount(0);
});
