/** `node` of the embedded workspace against native Node on the same machine, and what the frame takes when idle. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { benchPage, ratioOf } from './support.mjs';

const CPU = `
const started = performance.now();
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
fib(35);
const sieve = new Uint8Array(8e6);
for (let i = 2; i < 8e6; i++) if (!sieve[i]) for (let j = i * 2; j < 8e6; j += i) sieve[j] = 1;
const map = new Map();
for (let i = 0; i < 1e6; i++) map.set('k' + (i % 5000), i);
console.log(performance.now() - started);
`;

const FILES = `
const fs = require('fs');
fs.writeFileSync('small.txt', 'x');
const round = (count) => {
  const started = performance.now();
  for (let n = 0; n < count; n += 4) { fs.statSync('small.txt'); fs.readFileSync('small.txt'); fs.existsSync('none'); fs.lstatSync('small.txt'); }
  return (count / (performance.now() - started)) * 1000;
};
round(4000);
console.log(round(40000));
`;

/** Native Node of the release that the workspace's answers as, where there is one; else the one that runs this. */
const native = process.env.VITRINE_NODE22 ?? process.execPath;

export async function node(browser, url) {
  const page = await benchPage(browser, url);
  try {
    await page.evaluate(() => window.bench.openEmpty());
    const idle = await privateMegabytes(browser);
    const run = (command) => page.evaluate((given) => window.bench.shell(given), command);
    const figure = async (source) => {
      await page.evaluate((text) => window.bench.write('bench.js', text), source);
      return Number(await page.evaluate(() => window.bench.output('node bench.js')));
    };
    await run('node -e 0');
    const start = await ratioOf({
      of: async () => (await run('node -e 0')).ms,
      than: () => timed(() => spawnSync(native, ['-e', '0'])),
    });
    const cpu = await ratioOf({
      of: () => figure(CPU),
      than: () => Number(spawnSync(native, ['-e', CPU], { encoding: 'utf8' }).stdout),
    });
    const files = await figure(FILES);
    return [
      { name: 'node: start', value: start.of, unit: 'ms', limit: 60 },
      {
        name: 'node: start, against native Node',
        value: start.ratio,
        unit: 'x',
        limit: 1,
        note: `${start.of.toFixed(1)} against ${start.than.toFixed(1)} ms`,
      },
      {
        name: 'node: CPU-bound code, against native Node',
        value: cpu.ratio,
        unit: 'x',
        limit: 1.1,
        note: `${cpu.of.toFixed(0)} against ${cpu.than.toFixed(0)} ms`,
      },
      {
        name: 'node: a small synchronous file operation',
        value: 1e6 / files,
        unit: 'µs',
        limit: 20,
        note: `${Math.round(files)} a second`,
      },
      ...(idle === undefined
        ? []
        : [{ name: "Frame's private memory, kernel and shells idle", value: idle, unit: 'MB', limit: 80 }]),
    ];
  } finally {
    await page.context().close();
  }
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Of the frame's process, which is the one renderer that is no page of the browser's list; undefined where /proc is not. */
async function privateMegabytes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => privateOf(id))
    .filter((size) => size !== undefined);
  await session.detach();
  // The largest: the frame has the workers, the page here has no app in it.
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}

function privateOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
    return kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
  } catch {
    return undefined;
  }
}
