// `npm run test:webcontainer`: the contract, one whole job and every open question, on StackBlitz's real runtime. Where that
// cannot be reached it says so and ends well. Writes test-results/webcontainer.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';

// Before the arguments of the browser are made, which keep every other test away from there.
process.env.VITRINE_LIVE = '1';
const { chromiumArgs, findChromium } = await import('./chromium.mjs');

const ORIGIN = 'https://stackblitz.com';
const REPORT = 'test-results/webcontainer.json';

/** What `/headless` answers with: whether the page may read it, and what frames need. */
let headers = {};

/** Why the real runtime cannot be had on this machine, or nothing. */
async function whyNot() {
  try {
    const response = await fetch(`${ORIGIN}/headless?version=1.6.4`, { signal: AbortSignal.timeout(10_000) });
    headers = Object.fromEntries(response.headers);
    if (!response.ok) return `${ORIGIN}/headless answered ${response.status}`;
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    return `${ORIGIN} cannot be reached: ${cause ?? error.message}`;
  }
  // What Node reaches, the browser may not.
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs });
  try {
    const page = await browser.newPage();
    await page.goto(`${ORIGIN}/headless?version=1.6.4`, { timeout: 20_000 });
  } catch (error) {
    return `the browser cannot reach ${ORIGIN}: ${error.message.split('\n')[0]}`;
  } finally {
    await browser.close();
  }
  return undefined;
}

const reason = await whyNot();
mkdirSync('test-results', { recursive: true });
if (reason !== undefined) {
  writeFileSync(REPORT, `${JSON.stringify({ skipped: reason }, null, 2)}\n`);
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

const { env } = process;
const npx = (...args) => spawnSync('npx', ['--no-install', ...args], { stdio: 'inherit', env }).status ?? 1;
writeFileSync(REPORT, '{}\n');
const contract = npx('vitest', 'run', '--project', 'live');
execFileSync('npx', ['--no-install', 'vite', 'build'], { stdio: 'inherit', env });
const job = npx('playwright', 'test', 'test/e2e/webcontainer.spec.ts', '-g', 'same job', '--workers', '1');
const report = {
  ...JSON.parse(readFileSync(REPORT, 'utf8')),
  headlessHeaders: headers,
  keylessProductionBoot: 'not answered here: localhost needs no key; ask again from a public site',
};
writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
console.log(readFileSync(REPORT, 'utf8'));
console.log(
  `contract and questions: ${contract === 0 ? 'passed' : 'failed'}; whole job: ${job === 0 ? 'passed' : 'failed'}; ${REPORT}`,
);
process.exit(contract || job);
