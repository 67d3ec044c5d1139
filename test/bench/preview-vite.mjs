/** The Svelte starter of Vite: from the moment its server listens until its page is painted, here and natively. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';
import { paintAfter, paintTime } from './painting.mjs';
import { ratioOf } from './support.mjs';

/** Vite's own server, which keeps the time from which it listens, and ends when it is asked to. */
const SERVER = `import { writeFileSync } from 'node:fs';
import { createServer } from 'vite';
const end = { name: 'end', configureServer: (server) => void server.middlewares.use('/end', () => process.exit()) };
const server = await createServer({ plugins: [end], server: { port: Number(process.argv[2]), strictPort: true }, logLevel: 'error' });
await server.listen();
writeFileSync('listens.txt', String(Date.now()));
console.log('listens');
`;
const HEADING = 'Get started';
const PORT = 5173;
const ROUNDS = 3;
const MODULES = resolve(import.meta.dirname, '../../node_modules');

export async function viteRows(browser, url) {
  const { module } = await runnerImport(resolve(import.meta.dirname, '../support/npm-registry/server.ts'));
  const registry = await module.npmRegistry();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const context = await browser.newContext();
  try {
    const here = await starterHere(context, url, registry);
    const there = starterThere(context, folder);
    const rows = [];
    for (const [fresh, when] of [
      [true, 'for the first time'],
      [false, 'with what Vite kept'],
    ]) {
      const { ratio, of, than } = await ratioOf({ of: () => here(fresh), than: () => there(fresh) }, ROUNDS);
      const note = `${Math.round(of)} ms here, ${Math.round(than)} ms natively`;
      rows.push(
        { name: `A Vite starter is painted, ${when}`, value: of, unit: 'ms', limit: 1_500 },
        { name: `The same against Vite in Node, ${when}`, value: ratio, unit: '× native', note },
      );
    }
    return rows;
  } finally {
    await context.close();
    await registry.close();
    rmSync(folder, { recursive: true });
  }
}

async function starterHere(context, url, registry) {
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  await page.goto(`${url}/?automation=1&offline=off&workspace=embedded`);
  await page.evaluate(begin, [registry.host]);
  const exec = async (line) => {
    const { exitCode, output } = await page.evaluate(
      (command) => window.vitrine.workspace.exec(command, { timeoutMs: 120_000 }),
      line,
    );
    if (exitCode !== 0) throw new Error(`${line}: ${output}`);
  };
  await exec(`printf 'registry=${registry.url}\nfund=false\n' > ~/.npmrc`);
  await exec('npm create vite@latest app -- --template svelte && cd app && npm install');
  await page.evaluate((text) => window.vitrine.workspace.writeFile('app/bench.mjs', text), SERVER);
  await page.evaluate(() => window.vitrine.workspace.writeFile('index.html', '<h1>Before</h1>'));
  await page.getByRole('tab', { name: 'Preview' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Preview' });
  const choice = panel.getByRole('combobox', { name: 'What to show' });
  const shown = page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');
  return async (fresh) => {
    await choice.selectOption('Whole workspace');
    await shown.getByRole('heading', { name: 'Before' }).waitFor();
    if (fresh) await exec('rm -rf app/node_modules/.vite');
    await page.evaluate(
      (port) => void window.vitrine.workspace.exec(`cd app && node bench.mjs ${port}`),
      PORT,
    );
    let chosen = 0;
    const press = async () => (chosen = await choice.evaluate(showWhenThere, PORT));
    const time = await paintAfter(press, shown, HEADING);
    const listens = await page.evaluate(() => window.vitrine.workspace.readFile('app/listens.txt'));
    await shown.locator('html').evaluate(() => void fetch('/end').catch(() => undefined));
    await panel.getByText(`The server on port ${PORT} has ended.`).waitFor();
    return chosen + time - Number(listens);
  };
}

async function begin(hosts) {
  const { vitrine } = window;
  await vitrine.ready;
  const script = { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] };
  await vitrine.configure({ provider: 'scripted', model: 'none', script, permission: 'allow', hosts });
  await vitrine.sessions.create();
}

/** Chooses the server once it is there, and returns when that was, in milliseconds since the epoch. */
function showWhenThere(select, port) {
  return new Promise((resolve) => {
    const look = () => {
      const option = [...select.options].find(({ value }) => value === `port ${port}`);
      if (!option || option.textContent !== `Port ${port}`) return;
      observer.disconnect();
      resolve(Date.now());
      select.value = option.value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const observer = new MutationObserver(look);
    observer.observe(select, { childList: true, subtree: true, characterData: true });
    look();
  });
}

function starterThere(context, folder) {
  cpSync(join(MODULES, 'create-vite/template-svelte'), folder, { recursive: true });
  // With a folder of its own for what Vite keeps between runs.
  writeFileSync(
    join(folder, 'bench.mjs'),
    SERVER.replace('logLevel:', `cacheDir: ${JSON.stringify(join(folder, '.vite'))}, logLevel:`),
  );
  symlinkSync(MODULES, join(folder, 'node_modules'));
  return async (fresh) => {
    if (fresh) rmSync(join(folder, '.vite'), { recursive: true, force: true });
    const server = spawn(process.execPath, ['bench.mjs', String(PORT)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    const page = await context.newPage();
    try {
      const listens = Number(readFileSync(join(folder, 'listens.txt'), 'utf8'));
      await page.goto(`http://localhost:${PORT}/`, { waitUntil: 'commit' });
      const painted = await page.getByRole('heading', { name: HEADING }).evaluate(paintTime);
      return painted - listens;
    } finally {
      await page.close();
      server.kill();
      await once(server, 'exit');
    }
  };
}
