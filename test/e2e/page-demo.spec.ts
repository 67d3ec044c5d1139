import type { Page } from '@playwright/test';
import { answer, dialog } from './app.ts';
import { withoutOrigin } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

async function watch(page: Page, beforeFix = async (): Promise<void> => {}): Promise<void> {
  await page.goto('/?offline=off');
  await page.getByRole('button', { name: 'Watch an agent build a page' }).click();
  for (const part of ['index.html', 'app.js', 'Number(bill.value)']) {
    await expect(dialog(page)).toContainText(part);
    if (part.startsWith('Number')) await beforeFix();
    await answer(page, 'Allow once');
  }
  await expect(ways(page)).toBeInViewport();
}

const ways = (page: Page) => page.getByRole('region', { name: 'What next?' });

test('the demo shows the page that the agent builds, with its error, and mended', async ({ page }) => {
  const result = page
    .frameLocator('iframe[title="Page in the preview"]')
    .frameLocator('iframe[title="Page"]')
    .locator('output');
  await watch(page, () => expect(result).toHaveText('Each pays 203.00'));
  await expect(result).toHaveText('Each pays 23.00');
  await expect(result).toBeInViewport();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('and I have tried it');

  // What is in view is not offered.
  await expect(ways(page).getByRole('button')).toHaveText(['Look inside', 'Take a lesson', 'Share']);
  await ways(page).getByRole('button', { name: 'Look inside' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Inspector' })).toBeFocused();
  await expect(ways(page).getByRole('button')).toHaveText(['Show the page', 'Take a lesson', 'Share']);
  await ways(page).getByRole('button', { name: 'Show the page' }).click();
  await expect(result).toBeInViewport();
});

test('on a phone, without an origin for previews, the page is one step away', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await withoutOrigin(page);
  await watch(page);
  // The agent's last words are still to be read, so the page comes when the person says so.
  const offer = ways(page).getByRole('button', { name: 'Show the page' });
  await expect(offer).toBeInViewport();
  await offer.click();
  const shown = page.frameLocator('[title="Page in the preview"] iframe:visible');
  await expect(shown.locator('output')).toHaveText('Each pays 23.00');
});
