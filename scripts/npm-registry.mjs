// Installs packages with npm in the workspace of the built app, from the registry that npm on this machine uses.
//   npm run build && node scripts/npm-registry.mjs [PACKAGE…]      (default: express eslint)
// So this shows what npm does in the workspace with real packages, and not whether the public registry lets pages read it:
// that stays unverified. Prints times and sizes, beside npm outside of the page.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { openWith, registryProxy } from './registry-proxy.mjs';
import { serve } from './serving.mjs';

const packages = process.argv.length > 2 ? process.argv.slice(2) : ['express', 'eslint'];
const npm = fileURLToPath(new URL('../node_modules/npm/bin/npm-cli.js', import.meta.url));
const registry = await registryProxy();
const npmrc = `registry=http://${registry.host}/\nfund=false\n`;
const manifest = '{ "name": "app", "version": "1.0.0" }\n';

/** How long npm takes outside of the page, in milliseconds. The proxy runs in this process, so it must not block. */
async function natively(name) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-npm-'));
  writeFileSync(join(folder, 'package.json'), manifest);
  writeFileSync(join(folder, '.npmrc'), `${npmrc}cpu=wasm32\naudit=false\ncache=${folder}/.cache\n`);
  const started = performance.now();
  await promisify(execFile)(process.execPath, [npm, 'install', '--ignore-scripts', name], { cwd: folder });
  const ms = performance.now() - started;
  rmSync(folder, { recursive: true });
  return ms;
}

const { url, stop } = await serve();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
let failed = false;
try {
  for (const name of packages) {
    const files = { 'package.json': manifest, '.npmrc': npmrc };
    const { exec, close } = await openWith(browser, url, registry.host, files);
    await exec('npm --version');
    const cold = await exec(`npm install ${name}`);
    failed ||= cold.exitCode !== 0;
    if (cold.exitCode !== 0) console.log(cold.output);
    const size = await exec('find node_modules -type f | wc -l; du -sm node_modules | cut -f1');
    const warm = await exec('rm -rf node_modules && npm ci');
    const native = await natively(name);
    const [count, megabytes] = size.output.trim().split('\n');
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
    console.log(
      `${name}: ${count} files, ${megabytes} MB; install ${seconds(cold.ms)}, ci ${seconds(warm.ms)}; native install ${seconds(native)}`,
    );
    await close();
  }
} finally {
  await browser.close();
  stop();
  registry.close();
}
process.exitCode = failed ? 1 : 0;
