/**
 * Makes the README's picture: plays the built app's demo in a real browser up to the question about the edit,
 * and saves docs/session.png. Run `npm run build` before.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { serve } from './serving.mjs';

const picture = fileURLToPath(new URL('../docs/session.png', import.meta.url));
const app = await serve();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  // The click waits until the question accepts answers.
  const question = page.getByRole('alertdialog', { name: 'Permission required' });
  await question.getByRole('button', { name: 'Allow once' }).click();
  await question.getByText("cents.padEnd(2, '0')").waitFor();
  await page.getByRole('treeitem', { name: 'totals.js' }).click();
  await page.locator('.hl-keyword').first().waitFor();
  await question.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: picture, animations: 'disabled' });
  console.log(`Saved ${picture}`);
} finally {
  await browser.close();
  app.stop();
}
