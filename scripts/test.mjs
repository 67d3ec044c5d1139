/**
 * Checks everything offline: types, lint, formatting, packages, build and its size, unit and component tests
 * (real Chromium), end-to-end tests. Ends with `N passed, N failed` over all of them; a check counts as one.
 * `npm test -- unit` (or types, lint, format, packages, build, e2e) runs only what is named.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { checkSize } from './size.mjs';

const wanted = process.argv.slice(2);
const reports = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
let passed = 0;
let failed = 0;

/** Runs a command of node_modules/.bin with its output shown; resolves with its exit code. */
async function run(name, args, env = {}) {
  const [code] = await once(start(name, args, env, 'inherit'), 'close');
  return code ?? 1;
}

/** The same for a command that runs beside others. Its output is shown in one piece, after its end. */
async function runAside(name, args) {
  const child = start(name, args, {}, ['ignore', 'pipe', 'pipe']);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(said));
  return code ?? 1;
}

function start(name, args, env, stdio) {
  return spawn('npx', ['--no-install', name, ...args], {
    stdio,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
}

function check(succeeded) {
  if (succeeded) passed++;
  else failed++;
}

/** Adds a runner's counts, and one failure if it failed without counting any or left no report. */
function count(report, status, read) {
  let counts = { passed: 0, failed: 0 };
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    console.error(`No report from the runner: ${error.message}`);
    counts.failed = 1;
  }
  if (counts.passed + counts.failed === 0 || (status !== 0 && counts.failed === 0)) counts.failed++;
  passed += counts.passed;
  failed += counts.failed;
}

/** These checks have one process each and share the cores. The longest comes first. */
const checks = {
  lint: async () => check((await runAside('eslint', ['.', '--max-warnings', '0'])) === 0),
  types: async () =>
    check((await runAside('svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings'])) === 0),
  format: async () => check((await runAside('prettier', ['--check', '.', '--log-level', 'warn'])) === 0),
  // Checks that package.json lists exactly the packages that are used.
  packages: async () => check((await runAside('knip', ['--dependencies', '--no-progress'])) === 0),
  async build() {
    check((await runAside('vite', ['build', '--logLevel', 'warn'])) === 0);
    try {
      checkSize();
      check(true);
    } catch (error) {
      console.error(error.message);
      check(false);
    }
  },
};

const suites = {
  async unit() {
    const report = join(reports, 'vitest.json');
    const status = await run('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${report}`,
    ]);
    count(report, status, (json) => ({ passed: json.numPassedTests, failed: json.numFailedTests }));
  },
  async e2e() {
    const report = join(reports, 'playwright.json');
    const status = await run('playwright', ['test'], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    count(report, status, ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
    }));
  },
};

const known = [...Object.keys(checks), ...Object.keys(suites)];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}

const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);

async function timed([name, suite]) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  await suite();
  console.log(`== ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

ensureChromium();
const waiting = Object.entries(checks).filter(isWanted);
const core = async () => {
  for (let next; (next = waiting.shift());) await timed(next);
};
await Promise.all(Array.from({ length: availableParallelism() }, core));
for (const suite of Object.entries(suites).filter(isWanted)) await timed(suite);
rmSync(reports, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
