/** `node` of the embedded workspace against native Node on the same machine, and what the frame takes when idle. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchPage, ratioOf, sideBySide } from './support.mjs';

/**
 * Milliseconds of each kind of work, as JSON: the least of many short pieces, which a busy machine leaves alone more often
 * than long ones.
 */
const CPU = `
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const kinds = {
  calls: () => fib(29),
  loops() {
    const sieve = new Uint8Array(1e6);
    for (let i = 2; i < 1e6; i++) if (!sieve[i]) for (let j = i * 2; j < 1e6; j += i) sieve[j] = 1;
  },
  maps() {
    const map = new Map();
    for (let i = 0; i < 1e5; i++) map.set('k' + (i % 5000), i);
  },
  objects() {
    const made = [];
    for (let i = 0; i < 1e5; i++) made.push({ i, list: [i] });
    return made.reduce((sum, { i, list }) => sum + i + list[0], 0);
  },
  text() {
    const rows = [];
    for (let i = 0; i < 2000; i++) rows.push({ name: 'row ' + i, words: ('a b ' + i).split(' ') });
    return JSON.stringify(JSON.parse(JSON.stringify(rows))).replace(/\\d+/g, '').length;
  },
};
const least = {};
for (let round = 0; round < 40; round++)
  for (const [name, work] of Object.entries(kinds)) {
    const started = performance.now();
    work();
    least[name] = Math.min(least[name] ?? Infinity, performance.now() - started);
  }
TELL(JSON.stringify(least));
`;
const printing = `const TELL = console.log;${CPU}`;
/** In a function, as a module is. */
const posting = `(function () { const TELL = postMessage;${CPU} })()`;

const fileCalls = (calls) => `
const fs = require('fs');
fs.writeFileSync('small.txt', 'x');
const round = (count) => {
  const started = performance.now();
  for (let n = 0; n < count; n += 4) { ${calls} }
  return ((performance.now() - started) / count) * 1000;
};
round(4000);
console.log(round(40000));
`;
const LOOKS = fileCalls(
  "fs.statSync('small.txt'); fs.readFileSync('small.txt'); fs.existsSync('none'); fs.lstatSync('small.txt');",
);
const WRITES = fileCalls(
  "fs.writeFileSync('made.txt', 'x' + n); fs.readFileSync('made.txt', 'utf8'); fs.existsSync('none'); fs.statSync('made.txt');",
);

/**
 * Microseconds in which one thread of native Node wakes another and is woken by it: the least that a
 * synchronous call to another thread costs. It depends on how fast the machine wakes an idle core.
 */
const ROUND_TRIP = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
if (isMainThread) {
  const shared = new SharedArrayBuffer(8);
  const words = new Int32Array(shared);
  new Worker(__filename, { workerData: shared });
  Atomics.wait(words, 1, 0);
  const round = (count) => {
    const started = performance.now();
    for (let n = 0; n < count; n++) {
      Atomics.store(words, 0, 1);
      Atomics.notify(words, 0);
      Atomics.wait(words, 0, 1);
    }
    return ((performance.now() - started) / count) * 1000;
  };
  round(1000);
  console.log(round(10000));
  process.exit();
} else {
  const words = new Int32Array(workerData);
  Atomics.store(words, 1, 1);
  Atomics.notify(words, 1);
  for (;;) {
    Atomics.wait(words, 0, 0);
    Atomics.store(words, 0, 0);
    Atomics.notify(words, 0);
  }
}
`;

const ROUNDS = 9;
const TEST_FILES = 50;

/** A project whose tests are `TEST_FILES` files of five tests each. */
const project = new Map([
  ['sum.js', 'exports.sum = (list) => list.reduce((sum, each) => sum + each, 0);\n'],
  ...Array.from({ length: TEST_FILES }, (_, file) => [
    `test/${file}.test.js`,
    `const test = require('node:test');
const assert = require('node:assert/strict');
const { sum } = require('../sum.js');
for (let n = 0; n < 5; n++)
  test(\`file ${file}, sum \${n}\`, () => {
    assert.equal(sum([1, 2, n]), 3 + n);
    assert.deepEqual({ sums: [sum([n])] }, { sums: [n] });
  });
`,
  ]),
]);

/** Native Node of the release that the workspace's answers as, where there is one; else the one that runs this. */
const native = process.env.VITRINE_NODE22 ?? process.execPath;

export async function node(browser, url) {
  const page = await benchPage(browser, url);
  try {
    await page.evaluate(() => window.bench.openEmpty());
    const idle = await privateMegabytes(browser);
    const run = (command) => page.evaluate((given) => window.bench.shell(given), command);
    const text = async (source) => {
      await page.evaluate((content) => window.bench.write('bench.js', content), source);
      return page.evaluate(() => window.bench.output('node bench.js'));
    };
    const figure = async (source) => Number(await text(source));
    await run('node -e 0');
    const start = await ratioOf(
      {
        of: async () => (await run('node -e 0')).ms,
        than: () => timed(() => spawnSync(native, ['-e', '0'])),
      },
      ROUNDS,
    );
    const { guest, bare, own } = await fastest({
      guest: async () => JSON.parse(await text(printing)),
      bare: async () => JSON.parse(await page.evaluate(inWorker, posting)),
      own: () => JSON.parse(nativeOutput(printing)),
    });
    const tests = await testRuns(page, run);
    const { looks, writes, roundTrip } = await sideBySide({
      looks: () => figure(LOOKS),
      writes: () => figure(WRITES),
      roundTrip: () => Number(nativeOutput(ROUND_TRIP)),
    });
    const fileCall = (name, took) => ({
      name,
      value: took / roundTrip,
      unit: 'x',
      limit: 2,
      note: `${took.toFixed(1)} against ${roundTrip.toFixed(1)} µs`,
    });
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
        name: 'node: CPU-bound code (mean of five kinds), against native Node',
        limit: 1.1,
        ...against(guest, own),
      },
      {
        name: 'node: CPU-bound code, against a bare worker of this browser',
        limit: 1.1,
        ...against(guest, bare),
      },
      // What the engine of this browser makes of it: nothing of the workspace is in there.
      { name: 'CPU-bound code in a bare worker, against native Node', ...against(bare, own) },
      {
        name: `node: --test of ${TEST_FILES} files, against native Node`,
        value: tests.ratio,
        unit: 'x',
        limit: 2,
        note: `${tests.of.toFixed(0)} against ${tests.than.toFixed(0)} ms`,
      },
      fileCall("node: a small synchronous file operation, against native threads' round trip", looks),
      fileCall('node: the same where every fourth writes', writes),
      ...(idle === undefined
        ? []
        : [{ name: "Frame's private memory, kernel and shells idle", value: idle, unit: 'MB', limit: 80 }]),
    ];
  } finally {
    await page.context().close();
  }
}

/** The least time that each way took for each kind of work: what else the machine does only adds to it. */
async function fastest(ways) {
  const least = Object.fromEntries(Object.keys(ways).map((name) => [name, {}]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, way] of Object.entries(ways))
      for (const [kind, took] of Object.entries(await way()))
        least[name][kind] = Math.min(least[name][kind] ?? Infinity, took);
  return least;
}

/** The geometric mean over the kinds, and each of them. */
function against(of, than) {
  const ratios = Object.keys(of).map((kind) => [kind, of[kind] / than[kind]]);
  return {
    value: Math.exp(ratios.reduce((sum, [, ratio]) => sum + Math.log(ratio), 0) / ratios.length),
    unit: 'x',
    note: ratios.map(([kind, ratio]) => `${kind} ${ratio.toFixed(2)}`).join(', '),
  };
}

/** Of a file, as the workspace runs one: what stands at the top of `-e` is no local variable. */
function nativeOutput(source) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    writeFileSync(join(folder, 'bench.js'), source);
    return spawnSync(native, ['bench.js'], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In the page: what a script says, in a worker that has nothing else in it. */
function inWorker(source) {
  return new Promise((resolve) => {
    const url = URL.createObjectURL(new Blob([source]));
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => {
      worker.terminate();
      URL.revokeObjectURL(url);
      resolve(data);
    };
  });
}

/** `node --test` of the same project here and there; all of it has to pass in both. */
async function testRuns(page, run) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    for (const [path, text] of project) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      await page.evaluate(([place, content]) => window.bench.write(place, content), [path, text]);
    }
    const all = new RegExp(`^# pass ${TEST_FILES * 5}$`, 'm');
    const check = (output) => {
      if (!all.test(output)) throw new Error(`node --test did not pass: ${output.slice(-500)}`);
    };
    check(await page.evaluate(() => window.bench.output('node --test --test-reporter=tap')));
    return await ratioOf({
      of: async () => (await run('node --test --test-reporter=tap')).ms,
      than: () =>
        timed(() =>
          check(
            spawnSync(native, ['--test', '--test-reporter=tap'], { cwd: folder, encoding: 'utf8' }).stdout,
          ),
        ),
    });
  } finally {
    rmSync(folder, { recursive: true });
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
