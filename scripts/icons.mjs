/**
 * Draws the icons of the installed app from its mark, public/icons/vitrine.svg. Run it when the mark changes:
 * `node scripts/icons.mjs`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';

const folder = new URL('../public/icons/', import.meta.url);
const mark = readFileSync(new URL('vitrine.svg', folder), 'utf8');

/** `share`: how much of the width the mark takes. A mask may cut off everything outside a circle of 80 %. */
const icons = [
  { name: 'vitrine-192.png', size: 192, share: 1, background: 'transparent' },
  { name: 'vitrine-512.png', size: 512, share: 1, background: 'transparent' },
  { name: 'vitrine-maskable-512.png', size: 512, share: 0.62, background: '#fff' },
  // iOS shows transparency as black.
  { name: 'vitrine-180.png', size: 180, share: 0.8, background: '#fff' },
];

const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
const page = await browser.newPage();
for (const { name, size, share, background } of icons) {
  const source = `data:image/svg+xml,${encodeURIComponent(mark)}`;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${background}">` +
      `<img src="${source}" width="${size * share}" height="${size * share}">`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  await page.screenshot({
    path: fileURLToPath(new URL(name, folder)),
    omitBackground: background === 'transparent',
  });
}
await browser.close();
