/**
 * Workspaces whose `node_modules` has 3,000, 10,000 and 30,000 files of this repository's own packages: how long writing
 * them takes, what the browser holds in memory and on disk, how long a reload takes, and what a second workspace with the
 * same packages adds. `SIZES=3000` measures only these.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from '../../scripts/chromium.mjs';

const SIZES = (process.env.SIZES ?? '3000,10000,30000').split(',').map(Number);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Larger ones are few, and would make the small trees as large as the big ones. */
const LARGEST_FILE = 1_000_000;
const CHUNK = { files: 2_000, bytes: 12_000_000 };
/** How long the browser may need to give back what it no longer uses. */
const REST_MS = 6_000;

export async function packages(url) {
  const rows = [];
  for (const count of SIZES) rows.push(...(await measured(url, count)));
  return rows;
}

async function measured(url, count) {
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
  // A profile on disk, because a private window keeps its storage in memory.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: chromiumArgs,
  });
  const row = (name, value, unit, limit) => ({
    name: `${count} files of packages: ${name}`,
    value,
    unit,
    ...(limit !== undefined && { limit }),
  });
  try {
    let page = await opened(context, url);
    const atFirst = renderers(profile);
    const first = await installed(page, 'first', count);
    await rested(page);
    const afterInstall = renderers(profile) - atFirst;
    const usage = await page.evaluate(() => window.bench.packages.usage());
    await page.evaluate(() => window.bench.packages.close());
    await page.close();
    page = await opened(context, url);
    const reload = await page.evaluate(() => window.bench.packages.open('first'));
    await rested(page);
    const afterReload = renderers(profile) - atFirst;
    const walked = await page.evaluate(async () => {
      const started = performance.now();
      await window.bench.packages.run('find node_modules -name package.json | xargs cat > /dev/null');
      return performance.now() - started;
    });
    await page.evaluate(() => window.bench.packages.close());
    await page.close();
    page = await opened(context, url);
    await installed(page, 'second', count);
    const more = (await page.evaluate(() => window.bench.packages.usage())) - usage;
    return [
      row('bytes', first.bytes / 1e6, 'MB'),
      row('written', first.ms, 'ms'),
      row('longest task of the page', first.longest, 'ms'),
      row('memory after writing', afterInstall, 'MB'),
      row('memory after a reload', afterReload, 'MB', 150),
      row('storage', usage, 'MB'),
      row('storage that a second workspace adds', more, 'MB'),
      row('shell after a reload', reload, 'ms'),
      row('each package.json read', walked, 'ms'),
    ];
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Memory is given back sooner or later; this is what remains. */
async function rested(page) {
  for (const target of page.frames()) {
    const session = await page
      .context()
      .newCDPSession(target)
      .catch(() => undefined);
    await session?.send('Memory.simulatePressureNotification', { level: 'critical' }).catch(() => {});
  }
  await setTimeout(REST_MS);
}

async function opened(context, url) {
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  await page.goto(`${url}/test/bench/bench.html`);
  await page.waitForFunction(() => 'bench' in window);
  return page;
}

async function installed(page, id, count) {
  await page.evaluate((name) => window.bench.packages.open(name), id);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask' });
  });
  const total = { ms: 0, bytes: 0, longest: 0 };
  for (const { body, bytes } of chunks(count)) {
    await page.route('**/chunk', (route) => route.fulfill({ body }), { times: 1 });
    total.ms += await page.evaluate(() => window.bench.packages.install('chunk'));
    total.bytes += bytes;
  }
  total.ms += await page.evaluate(() => window.bench.packages.stored());
  total.longest = await page.evaluate(() => window.longest);
  return total;
}

function* chunks(count) {
  let names = [];
  let contents = [];
  let bytes = 0;
  const chunk = () => {
    const head = Buffer.from(`${JSON.stringify(names)}\n`);
    const made = { body: Buffer.concat([head, ...contents]), bytes };
    [names, contents, bytes] = [[], [], 0];
    return made;
  };
  for (const path of files(join(root, 'node_modules'), count)) {
    const content = readFileSync(path);
    names.push([relative(root, path), content.byteLength]);
    contents.push(content);
    bytes += content.byteLength;
    if (names.length >= CHUNK.files || bytes >= CHUNK.bytes) yield chunk();
  }
  if (names.length > 0) yield chunk();
}

function* files(top, count) {
  const left = { files: count };
  yield* below(top, left);
}

function* below(folder, left) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (left.files === 0) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !/^\.(cache|vite)/.test(entry.name)) yield* below(path, left);
    else if (entry.isFile() && statSync(path).size <= LARGEST_FILE) {
      left.files--;
      yield path;
    }
  }
}

/** The memory of the processes of this browser that pages and their frames run in, in megabytes. */
function renderers(profile) {
  const all = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return [{ pid, line, parent }];
    } catch {
      return [];
    }
  });
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const browser = all.find(({ line }) => line.includes(profile) && !line.includes('--type='))?.pid;
  const isOurs = (pid) => pid !== undefined && (pid === browser || isOurs(parents.get(pid)));
  return all
    .filter(({ pid, line }) => line.includes('--type=renderer') && isOurs(pid))
    .reduce((sum, { pid }) => sum + proportionalSize(pid), 0);
}

function proportionalSize(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1000;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
