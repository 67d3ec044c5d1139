/**
 * Runs the benchmarks: builds, measures in real Chromium and natively side by side, prints a table, writes
 * test/bench/results.json and exits with 1 if a limit is missed. `npm run bench -- search` runs only
 * `search`.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { serve } from './serving.mjs';
import { INITIAL_JS_LIMIT, initialJavaScript } from './size.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const executablePath = ensureChromium();

function build(...args) {
  const { status } = spawnSync('npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const groups = {
  size: async () => [
    {
      name: 'Initial JavaScript, gzipped',
      value: initialJavaScript().bytes / 1000,
      unit: 'kB',
      limit: INITIAL_JS_LIMIT / 1000,
    },
  ],
  visit: async () => (await import('../test/bench/first-visit.mjs')).firstVisit(browser, app.url),
  stream: async () => (await import('../test/bench/streaming.mjs')).streaming(browser, app.url),
  inspector: async () => (await import('../test/bench/inspector.mjs')).inspector(browser, app.url),
  opening: async () => (await import('../test/bench/opening.mjs')).opening(browser, app.url),
  recording: async () => (await import('../test/bench/recording.mjs')).largeRecording(browser, app.url),
  workspace: async () => (await import('../test/bench/workspace.mjs')).workspace(browser, page.url),
  workspaces: async () => (await import('../test/bench/workspaces.mjs')).workspaces(app.url),
  packages: async () => (await import('../test/bench/packages.mjs')).packages(page.url),
  changes: async () => (await import('../test/bench/changes.mjs')).changes(browser, app.url),
  history: async () => (await import('../test/bench/history.mjs')).history(browser, page.url),
  zips: async () => (await import('../test/bench/zips.mjs')).zips(browser, app.url),
  long: async () => [
    ...(await (await import('../test/bench/long-session.mjs')).longSession(browser, page.url)),
    ...(await (await import('../test/bench/long-in-app.mjs')).longInApp(browser, app.url)),
  ],
  shell: async () => (await import('../test/bench/shell.mjs')).shell(browser, page.url),
  node: async () => (await import('../test/bench/node.mjs')).node(browser, page.url),
  search: async () => (await import('../test/bench/search.mjs')).search(browser, page.url),
  container: async () => (await import('../test/bench/container.mjs')).container(browser, page.url),
  projects: async () => (await import('../test/bench/projects.mjs')).projects(browser, app.url),
  preview: async () => (await import('../test/bench/preview.mjs')).preview(app.url),
  kit: async () => (await import('../test/bench/kit.mjs')).kit(),
  loop: async () => (await import('../test/bench/loop.mjs')).loop(browser, page.url),
};

/** The first needs a registry, the others a minute or more, so they are measured only where they are named. */
const ON_DEMAND = new Set(['projects', 'packages', 'kit']);

const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; there are ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}

build();
build('--config', 'test/bench/vite.config.ts');
const app = await serve('dist');
const page = await serve('test/bench/dist');
// Servers outlive a process that fails, and keep the reader of its output waiting.
process.on('exit', () => {
  app.stop();
  page.stop();
});
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
const rows = [];
for (const [name, group] of Object.entries(groups)) {
  if (wanted.length > 0 ? !wanted.includes(name) : ON_DEMAND.has(name)) continue;
  console.log(`measuring ${name}`);
  rows.push(...(await group()));
}
await browser.close();

const results = rows.map((row) => ({ ...row, ok: row.limit === undefined ? null : row.value <= row.limit }));
for (const { name, value, unit, limit, ok, note } of results) {
  const verdict = ok === null ? '    ' : ok ? 'ok  ' : 'MISS';
  const bound = limit === undefined ? '' : `(limit ${limit.toFixed(limit < 10 ? 2 : 0)})`;
  console.log(
    `${verdict} ${name.padEnd(64)} ${value.toFixed(value < 10 ? 2 : 0).padStart(9)} ${unit} ${bound} ${note ?? ''}`,
  );
}
writeFileSync(
  new URL('../test/bench/results.json', import.meta.url),
  `${JSON.stringify({ date: new Date().toISOString(), node: process.version, results }, null, 2)}\n`,
);
process.exit(results.some(({ ok }) => ok === false) ? 1 : 0);
