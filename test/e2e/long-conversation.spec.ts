import { openApp, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

const TURNS = 60;

test('looking back through a long conversation shows a few messages at a time', async ({ page }) => {
  await openApp(page, '?automation=1');
  const turns = Array.from({ length: TURNS }, (_, n) => ({
    steps: [{ text: `Answer ${n}.\n\n- one\n- two` }],
  }));
  await useScript(page, { ...script(), turns });
  await page.evaluate(async (count) => {
    for (let n = 0; n < count; n++) await window.vitrine.prompt(`Question ${n}.`);
  }, TURNS);
  await page.reload();
  const log = page.getByRole('log', { name: 'Conversation' });
  await expect(log.getByText(`Answer ${TURNS - 1}.`)).toBeVisible();
  const messages = log.getByRole('article');
  expect(await messages.count()).toBeLessThan(2 * TURNS);

  // Each change of the page is one call of the observer.
  await log.evaluate((box) => {
    window.addedAtOnce = [];
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const articles = added.filter((node) => node instanceof Element && node.matches('article'));
      window.addedAtOnce.push(articles.length);
    }).observe(box, { subtree: true, childList: true });
  });
  await log.hover();
  await expect(async () => {
    await page.mouse.wheel(0, -600);
    await expect(log.getByText('Question 0.', { exact: true })).toBeVisible({ timeout: 50 });
  }).toPass({ intervals: [20] });
  await expect(messages).toHaveCount(2 * TURNS);
  const most = await page.evaluate(() => Math.max(...window.addedAtOnce));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

declare global {
  interface Window {
    addedAtOnce: number[];
  }
}
