/**
 * Measures the built site with Lighthouse, as a phone and as a desktop. Run `npm run build` before, on a machine that does nothing else.
 * `node scripts/lighthouse.mjs` fetches Lighthouse with npx, because only this script needs it; with addresses, it measures those pages instead.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { serve } from './serving.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const LEAST = 95;

const chromium = ensureChromium();
const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
const app = process.argv.length > 2 ? undefined : await serve();
let tooLow = false;
try {
  for (const address of app ? [app.url] : process.argv.slice(2))
    for (const form of ['phone', 'desktop']) {
      const report = join(folder, `${form}.json`);
      execFileSync(
        'npx',
        [
          ...['--yes', LIGHTHOUSE, address, '--quiet', '--output=json', `--output-path=${report}`],
          `--only-categories=${CATEGORIES.join()}`,
          '--chrome-flags=--headless=new --no-sandbox',
          ...(form === 'desktop' ? ['--preset=desktop'] : []),
        ],
        { env: { ...process.env, CHROME_PATH: chromium }, stdio: ['ignore', 'inherit', 'inherit'] },
      );
      const { categories, audits } = JSON.parse(readFileSync(report, 'utf8'));
      const scores = CATEGORIES.map((id) => [id, Math.round(categories[id].score * 100)]);
      tooLow ||= scores.some(([, score]) => score < LEAST);
      console.log(`${address} as a ${form}: ${scores.map((each) => each.join(' ')).join(', ')}`);
      for (const { id, title, score, displayValue } of Object.values(audits))
        if (score !== null && score < 0.9) console.log(`  ${id}: ${title} ${displayValue ?? ''}`);
    }
} finally {
  app?.stop();
}
if (tooLow) process.exitCode = 1;
