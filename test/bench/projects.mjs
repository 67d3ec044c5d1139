/**
 * Installing a package, and projects as their own `create` commands make them, from the registry that npm on this machine
 * uses: installing, building, checking and testing them in the workspace of the built app and natively, one after the other. What is built must be the same.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openWith, registryProxy } from '../../scripts/registry-proxy.mjs';
import { ratioOf } from './support.mjs';

/** First runs are slower: modules are parsed, and the contents of packages are still being stored. The notes have their times. */
const ROUNDS = 5;
const TEST = `import { expect, test } from 'vitest';
import { sum } from './sum';
test('adds', () => expect(sum(1, 2)).toBe(3));
`;
/** Rows of each starter. Limits are times of native; those without are for information. */
const STARTERS = [
  { template: 'vanilla-ts', rows: [{ name: 'vite build', limit: 2 }] },
  {
    template: 'svelte-ts',
    more: 'npm install --save-dev vitest',
    rows: [
      { name: 'vite build', limit: 2 },
      { name: 'vitest run' },
      { name: 'svelte-check --tsconfig ./tsconfig.app.json' },
      { name: 'tsc -p tsconfig.node.json' },
    ],
  },
];

export async function projects(browser, url) {
  const registry = await registryProxy();
  const rows = [];
  try {
    rows.push(...(await installRows(browser, url, registry.host)));
    for (const starter of STARTERS) rows.push(...(await starterRows(browser, url, registry.host, starter)));
  } finally {
    registry.close();
  }
  return rows;
}

/** With an empty cache of npm, and by a lockfile with the packages in the cache. The registry has its answers by then. */
async function installRows(browser, url, host) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const npmrc = `registry=http://${host}/\nfund=false\naudit=false\n`;
  const { exec, close } = await openWith(browser, url, host, { '.npmrc': npmrc, 'package.json': '{}' });
  const native = nativeIn(folder);
  const here = (line) => exec(`cd ~/project && ${line.replaceAll('CACHE', '~/.npm')}`);
  const there = (line) => native(line.replaceAll('CACHE', `${folder}/.cache`));
  const timed = (run, line) => async () => {
    const { exitCode, output, ms } = await run(line);
    if (exitCode !== 0) throw new Error(`${line}: ${output}`);
    return ms;
  };
  const compared = async (name, before, line) => {
    const after = (run) => async () => {
      await run(before);
      return timed(run, line)();
    };
    const { ratio, note } = await compare({ of: after(here), than: after(there) });
    return { name, value: ratio, unit: '× native', note, limit: 1.5 };
  };
  try {
    await there(`printf '${npmrc}cache=${folder}/.cache\n' > .npmrc; echo '{}' > package.json`);
    for (const run of [here, there]) await timed(run, 'npm install express')();
    return [
      await compared(
        'npm install express, nothing in the cache',
        "rm -rf node_modules package-lock.json CACHE; echo '{}' > package.json",
        'npm install express',
      ),
      await compared('npm ci of express, all in the cache', 'true', 'npm ci'),
    ];
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function starterRows(browser, url, host, { template, more, rows }) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const npmrc = `registry=http://${host}/\nfund=false\naudit=false\n`;
  const { exec, close } = await openWith(browser, url, host, { 'sum.test.ts': TEST, '.npmrc': npmrc });
  const native = nativeIn(folder);
  const here = (line) => exec(`cd ~/project && ${line}`);
  const both = async (line) => {
    for (const run of [here, native]) {
      const { exitCode, output } = await run(line);
      if (exitCode !== 0) throw new Error(`${template}: ${line}: ${output}`);
    }
  };
  try {
    await native(`printf '${npmrc}' > .npmrc`);
    await here('cp .npmrc ~');
    await both(`npm create --yes vite@latest app -- --template ${template} && cp .npmrc app`);
    await both(`cd app && npm install${more ? ` && ${more}` : ''}`);
    await both("printf 'export const sum = (a: number, b: number) => a + b;' > app/src/sum.ts");
    await here('cp sum.test.ts app/src');
    await native(`cat > app/src/sum.test.ts <<'END'\n${TEST}END`);
    const measured = [];
    for (const row of rows) measured.push(await against(template, row, here, native));
    const hashes = 'cd app && find dist -type f | sort | xargs sha256sum';
    const [ours, theirs] = [await here(hashes), await native(hashes)];
    if (ours.output !== theirs.output) throw new Error(`${template} is built otherwise than natively`);
    return measured;
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function against(template, { name, limit }, here, native) {
  const timed = (run) => async () => {
    const { exitCode, output, ms } = await run(`cd app && npx ${name}`);
    if (exitCode !== 0) throw new Error(`${template}: ${name}: ${output}`);
    return ms;
  };
  const { ratio, note } = await compare({ of: timed(here), than: timed(native) });
  return { name: `${name} of ${template}`, value: ratio, unit: '× native', note, ...(limit && { limit }) };
}

async function compare(ways) {
  const { ratio, of, than, first } = await ratioOf(ways, ROUNDS);
  const note = `${Math.round(of)} ms here, ${Math.round(first)} ms the first time, ${Math.round(than)} ms native`;
  return { ratio, note };
}

/** Runs bash outside of the page. The registry is in this process, which must not block. */
function nativeIn(folder) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  return async (line) => {
    const started = performance.now();
    try {
      const { stdout } = await promisify(execFile)('bash', ['-c', line], {
        cwd: folder,
        env: { ...env, CI: '' },
      });
      return { exitCode: 0, output: stdout, ms: performance.now() - started };
    } catch (error) {
      return { exitCode: 1, output: `${error.stdout}${error.stderr}`, ms: 0 };
    }
  };
}
