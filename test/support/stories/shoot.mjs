/**
 * Pictures of the page in its scenes, for looking at: `node test/support/stories/shoot.mjs [folder] [scene…]`.
 * Light and dark at 1440 × 900, light at 390 × 844. Prints what the browser complains about.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { chromiumArgs, ensureChromium } from '../../../scripts/chromium.mjs';

const [folder = 'test-results/stories', ...wanted] = process.argv.slice(2);
const scenes = wanted.length
  ? wanted
  : ['working', 'states', 'answer', 'edit', 'failed', 'spent', 'agents', 'subagent', 'empty', 'readonly'];
mkdirSync(folder, { recursive: true });

const server = await createServer({ server: { port: 0, hmr: false }, logLevel: 'warn' });
await server.listen();
const base = `${server.resolvedUrls.local[0]}test/support/stories/index.html`;
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
const views = [
  { name: 'light', theme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', theme: 'dark', viewport: { width: 1440, height: 900 } },
  {
    name: 'phone',
    theme: 'light',
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  },
];
try {
  for (const { name, theme, ...options } of views) {
    const context = await browser.newContext(options);
    for (const scene of scenes) {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) console.log(`${scene} ${name}: ${message.text()}`);
      });
      page.on('pageerror', (error) => console.log(`${scene} ${name}: ${error.message}`));
      await page.goto(`${base}?scene=${scene}&theme=${theme}`);
      await page
        .getByRole('textbox', { name: 'Message' })
        .or(page.getByText('A sub-agent works here'))
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
      // The dock arms itself after half a second; pictures show it ready.
      await page.waitForTimeout(900);
      if (scene === 'spent') {
        await page.getByRole('button', { name: /^Summed up/ }).click();
        await page.getByRole('button', { name: /^Context/ }).click();
        await page.waitForTimeout(300);
      }
      await page.screenshot({ path: join(folder, `${scene}-${name}.png`) });
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
