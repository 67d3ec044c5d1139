/**
 * Everything that must hold, offline: types, lint, formatting, build and its size, unit and component tests (real
 * Chromium), end-to-end tests. Ends with `N passed, N failed` over all of them; a check counts as one.
 * `npm test -- unit` (or types, lint, format, build, e2e) runs only what is named.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { checkSize } from './size.mjs';

const wanted = process.argv.slice(2);
const reports = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
let passed = 0;
let failed = 0;

/** Runs a command of node_modules/.bin with its output shown; returns its exit code. */
function run(name, args, env = {}) {
  const result = spawnSync('npx', ['--no-install', name, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return result.status ?? 1;
}

function check(succeeded) {
  if (succeeded) passed++;
  else failed++;
}

/** Adds a runner's own counts; one failure more where it failed without counting any, or left no report. */
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

const suites = {
  types: () => check(run('svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings']) === 0),
  lint: () => check(run('eslint', ['.', '--max-warnings', '0']) === 0),
  format: () => check(run('prettier', ['--check', '.', '--log-level', 'warn']) === 0),
  build() {
    check(run('vite', ['build', '--logLevel', 'warn']) === 0);
    try {
      checkSize();
      check(true);
    } catch (error) {
      console.error(error.message);
      check(false);
    }
  },
  unit() {
    const report = join(reports, 'vitest.json');
    const status = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`], {
      CHROMIUM_PATH: chromium,
    });
    count(report, status, (json) => ({ passed: json.numPassedTests, failed: json.numFailedTests }));
  },
  e2e() {
    const report = join(reports, 'playwright.json');
    const status = run('playwright', ['test'], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      CHROMIUM_PATH: chromium,
    });
    count(report, status, ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
    }));
  },
};

const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}

const chromium = ensureChromium();
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = Date.now();
  console.log(`\n== ${name}`);
  suite();
  console.log(`== ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
rmSync(reports, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
