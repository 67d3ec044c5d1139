/**
 * Checks everything offline: types, lint, formatting, packages, build and its size, unit and component tests
 * (real Chromium), end-to-end tests. Ends with what failed and `N passed, N failed` over all of them; a check counts as one.
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
/** A text for each failure, with its first error. They are shown at the end, where a reader of a long log looks first. */
const failures = [];

/** Runs a command of node_modules/.bin with its output shown; resolves with its exit code. */
async function run(name, args, env = {}) {
  const [code] = await once(start(name, args, env, 'inherit'), 'close');
  return code ?? 1;
}

/** The same for a command that runs beside others. Its output is shown in one piece, after its end. */
async function runAside(name, args, env = {}) {
  const child = start(name, args, env, ['ignore', 'pipe', 'pipe']);
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

function check(name, succeeded) {
  if (succeeded) passed++;
  else failures.push(name);
}

/** Adds what a runner reports, and one failure if it failed without naming any or left no report. */
function count(name, status, read) {
  let report = { passed: 0, failures: [] };
  try {
    report = read();
  } catch (error) {
    report.failures.push(`${name}: no report from the runner: ${error.message}`);
  }
  if (report.passed + report.failures.length === 0) report.failures.push(`${name}: no test ran`);
  if (status !== 0 && report.failures.length === 0)
    report.failures.push(`${name}: the runner ended with code ${status}, and every test passed`);
  passed += report.passed;
  failures.push(...report.failures);
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The tests of Playwright's report that failed, each with its first error. */
function failuresOf(suite, above = '') {
  const name = above ? `${above} > ${suite.title}` : suite.title;
  const inside = (suite.suites ?? []).flatMap((each) => failuresOf(each, name));
  const here = (suite.specs ?? []).filter(({ ok }) => !ok);
  return [...here.map((spec) => `${name} > ${spec.title}: ${firstError(spec)}`), ...inside];
}

function firstError({ tests }) {
  const results = tests.flatMap((test) => test.results);
  return results.find(({ error }) => error)?.error.message ?? 'no error was given';
}

/** These checks have one process each and share the cores. The longest comes first. */
const checks = {
  async lint() {
    // The types that components need take more memory than Node takes by itself.
    const eslint = await runAside('eslint', ['.', '--max-warnings', '0'], {
      NODE_OPTIONS: '--max-old-space-size=8192',
    });
    check('lint', eslint === 0 && (await runAside('oxlint', ['--type-aware', '--quiet'])) === 0);
  },
  types: async () =>
    check(
      'types',
      (await runAside('svelte-check', ['--tsgo', '--tsconfig', './tsconfig.json', '--fail-on-warnings'])) ===
        0,
    ),
  format: async () =>
    check('format', (await runAside('prettier', ['--check', '.', '--log-level', 'warn'])) === 0),
  // Checks that package.json lists exactly the packages that are used.
  packages: async () =>
    check('packages', (await runAside('knip', ['--dependencies', '--no-progress'])) === 0),
  async build() {
    check('build', (await runAside('vite', ['build', '--logLevel', 'warn'])) === 0);
    try {
      checkSize();
      check('size', true);
    } catch (error) {
      console.error(error.message);
      check(`size: ${error.message}`, false);
    }
  },
};

const suites = {
  async unit() {
    const report = join(reports, 'vitest.json');
    const list = join(reports, 'vitest-failures.json');
    const status = await run(
      'vitest',
      [
        'run',
        '--reporter=default',
        '--reporter=json',
        '--reporter=./scripts/failures-reporter.mjs',
        `--outputFile=${report}`,
      ],
      { VITRINE_FAILURES: list },
    );
    count('unit', status, () => ({ passed: readJson(report).numPassedTests, failures: readJson(list) }));
  },
  async e2e() {
    const report = join(reports, 'playwright.json');
    const status = await run('playwright', ['test'], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    count('e2e', status, () => {
      const { stats, suites, errors } = readJson(report);
      const failures = [
        ...suites.flatMap((suite) => failuresOf(suite)),
        ...errors.map(({ message }) => `e2e: ${message}`),
      ];
      return { passed: stats.expected + stats.flaky, failures };
    });
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
for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
