// Runs those of Node's own tests that real Node 22 passes on this machine, in the workspace of the built app.
//   FOLDER is `test` of Node's source for that version (Debian: apt-get source nodejs=22*), VITRINE_NODE22 a Node 22.
//   npm run build && node scripts/node-own-tests.mjs FOLDER [pattern of files]
// Prints how many pass in each area, and writes failures to test-results/node-own-tests.json.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { findNode22 } from './native-node.mjs';
import { serve } from './serving.mjs';

const LANES = 2;
const NATIVE_MS = 20_000;
const WORKSPACE_MS = 12_000;
const FOLDERS = ['parallel', 'es-module', 'sequential', 'module-hooks'];
/** Matches tests of the engine, of its flags, or of features that a tab cannot have. */
const OUT_OF_SCOPE =
  /^test-(http2|tls|https|cluster|repl|dgram|inspector|trace|permission|debugger|snapshot|sqlite|heap|v8|sea|wasi|quic|report|single-executable|dns|startup|bootstrap|abort|cpu|gc|openssl|diagnostic-report|internal|node-output|benchmark|doctool|eslint|embed)/;
const INTERNALS = /expose[-_]internals|allow-natives|expose[-_]gc|inspect|internal\/test\/binding/;
/** Large folders that no test here uses. */
const LEFT_OUT = ['fixtures/wpt', 'fixtures/snapshot'];

const [folder, pattern = '.'] = process.argv.slice(2);
const node = findNode22();
if (!folder || !node) throw new Error("Name the folder of Node's tests, and a Node 22 in VITRINE_NODE22.");
const root = resolve(folder);
const above = dirname(root);
const tests = FOLDERS.flatMap((kind) => readdirSync(`${root}/${kind}`).map((name) => ({ kind, name })))
  .filter(({ name }) => /^test-.*\.[cm]?[jt]s$/.test(name) && !OUT_OF_SCOPE.test(name))
  .map(({ kind, name }) => ({
    file: `${kind}/${name}`,
    text: readFileSync(`${root}/${kind}/${name}`, 'utf8'),
  }))
  .filter(({ file, text }) => new RegExp(pattern).test(file) && !INTERNALS.test(text))
  .map(({ file, text }) => ({
    file,
    flags: /^\/\/ Flags: *(.*)$/m.exec(text)?.[1].trim().split(/\s+/) ?? [],
  }));

/** Runs all tests, a few at a time, and returns those for which `run` returns true. */
async function passing(all, run) {
  const passed = [];
  const left = [...all.entries()];
  const lane = async (id) => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [serial, test] = next;
      // These decide the folder for a test's files, and its ports.
      const env = { TEST_SERIAL_ID: String(serial), TEST_THREAD_ID: String(id) };
      if (await run(test, env)) passed.push(test);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, id) => lane(id)));
  return passed;
}

async function passesNatively({ file, flags }, env) {
  const child = spawn(node, [...flags, `${root}/${file}`], {
    cwd: above,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: NATIVE_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [exitCode] = await once(child, 'close');
  return exitCode === 0 && !/# Skipped/i.test(output);
}

const pack = execFileSync(
  'tar',
  [
    ...['-C', above, '-czf', '-', ...LEFT_OUT.map((each) => `--exclude=${basename(root)}/${each}`)],
    ...['common', 'fixtures', ...FOLDERS].map((each) => `${basename(root)}/${each}`),
  ],
  { maxBuffer: 2 ** 30 },
);
const reference = await passing(tests, passesNatively);
console.log(`${reference.length} of ${tests.length} pass in real Node`);

const { url, stop } = await serve();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
const failed = {};
try {
  const page = await browser.newPage();
  await page.goto(`${url}/?automation=1`);
  await page.evaluate(async (text) => {
    const { vitrine } = window;
    await vitrine.ready;
    await vitrine.configure({
      provider: 'scripted',
      model: 'none',
      script: { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] },
    });
    await vitrine.sessions.create({ files: { 'pack.b64': text } });
  }, pack.toString('base64'));
  const exec = (command, options) =>
    page.evaluate(([line, given]) => window.vitrine.workspace.exec(line, given), [command, options]);
  const laid = await exec('base64 -d pack.b64 | tar xz && rm pack.b64', { timeoutMs: 300_000 });
  if (laid.exitCode !== 0) throw new Error(laid.output);
  const passed = await passing(reference, async ({ file, flags }, env) => {
    const { exitCode, output } = await exec(`node ${flags.join(' ')} ${basename(root)}/${file}`, {
      env,
      timeoutMs: WORKSPACE_MS,
    });
    if (exitCode !== 0) failed[file] = { exitCode, end: output.slice(-1500) };
    return exitCode === 0;
  });
  for (const [area, { all, well }] of byArea(passed)) console.log(`${area}: ${well} of ${all}`);
  console.log(`${passed.length} of ${reference.length} pass in the workspace`);
} finally {
  await browser.close();
  stop();
}
mkdirSync('test-results', { recursive: true });
writeFileSync('test-results/node-own-tests.json', `${JSON.stringify(failed, null, 1)}\n`);

/** Counts the results in each area. Areas with the most failures come first. */
function byArea(passed) {
  const well = new Set(passed);
  const areas = new Map();
  for (const test of reference) {
    const area = /^parallel\/test-([a-z0-9]+)/.exec(test.file)?.[1] ?? dirname(test.file);
    const sums = areas.get(area) ?? { all: 0, well: 0 };
    areas.set(area, { all: sums.all + 1, well: sums.well + (well.has(test) ? 1 : 0) });
  }
  return [...areas].sort(([, a], [, b]) => b.all - b.well - (a.all - a.well));
}
