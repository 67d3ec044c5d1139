/**
 * Makes the recording that comes with the app: plays the built app's demo in a real browser, answers its
 * questions as a person would, and saves public/examples/demo.vitrine.json. Run `npm run build` before.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { serve } from './serving.mjs';

const file = fileURLToPath(new URL('../public/examples/demo.vitrine.json', import.meta.url));
const app = await serve();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
try {
  const page = await browser.newPage();
  await page.goto(`${app.url}?automation=1`);
  await page.evaluate(() => window.vitrine.ready);
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  const question = page.getByRole('alertdialog', { name: 'Permission required' });
  for (const about of ['node --test', 'padEnd', 'node --test']) {
    await question.getByText(about).first().waitFor();
    await question.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).click();
    await question.getByText(about).first().waitFor({ state: 'hidden' });
  }
  await page.getByText('The other totals did not change.').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  const recording = await page.evaluate(
    (id) => window.vitrine.sessions.export(id),
    page.url().split('/').pop(),
  );
  writeFileSync(file, JSON.stringify(recording));
  console.log(`Saved ${file}`);
} finally {
  await browser.close();
  app.stop();
}
