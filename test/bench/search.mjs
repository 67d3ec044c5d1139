/** The search and file tools over 5,000 files / 30 MB, against ripgrep on the same files on disk and just-bash's own rg. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Bash } from 'just-bash';
import { benchPage, sideBySide } from './support.mjs';

const PATTERNS = [
  { name: 'literal', pattern: 'TODO', ignoreCase: false },
  { name: 'alternation', pattern: 'TODO|FIX[0-9]+', ignoreCase: false },
  { name: 'ignoring case', pattern: 'todo\\s+fix', ignoreCase: true },
];
/** Of the design, milliseconds. */
const LIMITS = { read: 100, edit: 200, write: 100, glob: 500, grep: 1000 };

export async function search(browser, url) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const page = await benchPage(browser, url);
  try {
    for (const { path, text } of await page.evaluate(() => window.bench.files())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await page.evaluate(() => window.bench.openWorkspace());
    return [...(await grep(page, folder)), ...(await fileTools(page))];
  } finally {
    await page.context().close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function grep(page, folder) {
  const rows = [];
  const hasRipgrep = spawnSync('rg', ['--version']).error === undefined;
  const justBash = unpatchedShell(await page.evaluate(() => window.bench.files()));
  for (const { name, pattern, ignoreCase } of PATTERNS) {
    const args = [...(ignoreCase ? ['-i'] : []), '-n', '--no-heading', '-j1', pattern, '.'];
    const found = {};
    const native = () => {
      const started = performance.now();
      const { stdout } = spawnSync('rg', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 });
      const ms = performance.now() - started;
      found.native = stdout.split('\n').length - 1;
      return ms;
    };
    const ours = async () => {
      const timed = await page.evaluate((query) => window.bench.grep(query), { pattern, ignoreCase });
      found.ours = timed.found;
      return timed.ms;
    };
    const times = await sideBySide(hasRipgrep ? { ours, native } : { ours });
    const slow = await justBash(`rg ${ignoreCase ? '-i ' : ''}'${pattern}' .`);
    if (hasRipgrep && found.ours !== found.native)
      throw new Error(`${pattern}: ${found.ours} matches, ripgrep has ${found.native}`);
    rows.push(
      hasRipgrep
        ? {
            name: `grep, ${name}: against native rg -j1`,
            value: times.ours / times.native,
            unit: 'x',
            limit: 1,
            note: `${times.ours.toFixed(1)} against ${times.native.toFixed(1)} ms, ${found.ours} matches`,
          }
        : {
            name: `grep, ${name}`,
            value: times.ours,
            unit: 'ms',
            note: 'NOT COMPARED: ripgrep (rg) is not on the PATH; apt-get install ripgrep',
          },
      {
        name: `grep, ${name}: against just-bash's own rg`,
        value: times.ours / slow,
        unit: 'x',
        limit: 0.1,
        note: `${slow.toFixed(0)} ms`,
      },
    );
  }
  return rows;
}

/** just-bash as published, on the same files, in Node: milliseconds for a command. */
function unpatchedShell(files) {
  const bash = new Bash({
    cwd: '/tree',
    files: Object.fromEntries(files.map(({ path, text }) => [`/tree/${path}`, text])),
  });
  return async (command) => {
    const started = performance.now();
    await bash.exec(command);
    return performance.now() - started;
  };
}

async function fileTools(page) {
  const filePath = 'dir1/sub1/file1.ts';
  const tool = (id, input) => async () =>
    (await page.evaluate(([name, args]) => window.bench.runTool(name, args), [id, input])).ms;
  let turn = 0;
  const edit = async () => {
    await page.evaluate(
      (path) => window.bench.write(path, 'const a = 1;\n'.repeat(200) + 'const last = 2;\n'),
      filePath,
    );
    await tool('read', { filePath })();
    return tool('edit', { filePath, oldString: 'const last = 2;', newString: `const last = ${++turn};` })();
  };
  const times = await sideBySide({
    read: tool('read', { filePath: 'dir2/sub2/file2.ts' }),
    edit,
    write: async () => tool('write', { filePath: `new/file${++turn}.ts`, content: 'export {};\n' })(),
    glob: tool('glob', { pattern: '**/*7.ts' }),
    grep: tool('grep', { pattern: 'TODO|FIX[0-9]+', include: '*.ts' }),
  });
  return Object.entries(LIMITS).map(([id, limit]) => ({
    name: `${id} tool over 5,000 files`,
    value: times[id],
    unit: 'ms',
    limit,
  }));
}
