// `npm run test:webcontainer`: every open question, then the contract and one whole job, on StackBlitz's real runtime. Where
// that cannot be reached it says so and ends well. Each answer is saved as it comes; the report is webcontainer-report/report.md.
// With `--by-hand` it only serves the questions, for browsers that this machine has besides.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';

// This must precede the import of the browser's arguments, which block that host for every other test.
process.env.VITRINE_LIVE = '1';
const { chromiumArgs, findChromium } = await import('./chromium.mjs');

const ORIGIN = 'https://stackblitz.com';
const FOLDER = 'webcontainer-report';
const REPORT = `${FOLDER}/report.md`;

/** The response headers of `/headless`. They decide whether the page may read it and what frames need. */
let headers = {};

/** Returns why the real runtime cannot be reached from this machine, or undefined. */
async function whyNot() {
  try {
    const response = await fetch(`${ORIGIN}/headless?version=1.6.4`, { signal: AbortSignal.timeout(10_000) });
    headers = Object.fromEntries(response.headers);
    if (!response.ok) return `${ORIGIN}/headless answered ${response.status}`;
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    return `${ORIGIN} cannot be reached: ${cause ?? error.message}`;
  }
  // The browser may not reach every host that Node can.
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
if (reason !== undefined) {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

const { env } = process;
const npx = (args, more = {}) =>
  spawnSync('npx', ['--no-install', ...args], { stdio: 'inherit', env: { ...env, ...more } }).status ?? 1;
const questions = ['playwright', 'test', '-c', 'test/webcontainer/playwright.config.ts'];
if (process.argv.includes('--by-hand')) process.exit(npx(questions, { VITRINE_BY_HAND: '1' }));

// The questions come first, so that their answers are there even if something fails later.
const asked = npx(questions);
const contract = npx(['vitest', 'run', '--project', 'live']);
const built = npx(['vite', 'build']);
const job =
  built || npx(['playwright', 'test', 'test/e2e/webcontainer.spec.ts', '-g', 'same job', '--workers', '1']);

const outcome = (code) => (code === 0 ? 'passed' : 'failed');
const report = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '# What WebContainer answers\n';
const results = [
  `- questions: ${asked === 0 ? 'asked' : 'not all asked'}`,
  `- contract and install: ${outcome(contract)}`,
  `- whole job in the app: ${outcome(job)}`,
  '- boot from a public site without a key: ask there, localhost needs none',
  '- headers of /headless:',
  ...Object.entries(headers).map(([name, value]) => `  - ${name}: ${value}`),
];
mkdirSync(FOLDER, { recursive: true });
writeFileSync(REPORT, `${report}\n## This run\n\n${results.join('\n')}\n`);
console.log(readFileSync(REPORT, 'utf8'));
console.log(`All of it is in ${REPORT}`);
process.exit(asked || contract || job);
