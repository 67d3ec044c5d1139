/**
 * The shell of the embedded workspace against native bash on the same machine: the language itself, and what tools do
 * with many or large files, the same ones for both.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchPage, ratioOf } from './support.mjs';

const SCRIPTS = [
  {
    name: 'a loop of 20,000 turns',
    script: 'for ((i=0;i<20000;i++)); do x=$((x+i)); done; echo $x',
    limit: 3,
  },
  {
    name: 'a loop of 20,000 tests',
    script: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i',
    limit: 3,
  },
  {
    name: '20,000 calls of a function',
    script: 'f() { r=$(($1*2)); }; for i in {1..20000}; do f $i; done; echo $r',
    limit: 3,
  },
  { name: 'seq 1 1000000 | grep 7 | wc -l', script: 'seq 1 1000000 | grep 7 | wc -l', limit: 5 },
  { name: 'echo hi', script: 'echo hi', limit: 1 },
];

/** Over the files of bulk.ts; `twin` is a copy of `tree` that was written by itself. */
const ON_FILES = [
  { name: 'diff -r of equal trees', script: 'diff -r tree twin' },
  { name: 'find by type, name and size', script: 'find tree -type f -name "*.ts" -size +1k | wc -l' },
  {
    name: 'find -exec, 90 times',
    script: 'find tree/dir1 tree/dir2 tree/dir3 -name "*.ts" -exec grep -c import {} \\; | wc -l',
  },
  { name: 'tar c', script: 'tar cf - tree | cat > /dev/null' },
  { name: 'cp -r', script: 'rm -rf copy; cp -r tree copy; ls copy | wc -l' },
  { name: 'grep -r', script: 'grep -r import tree | wc -l' },
  {
    name: 'awk, sums by key',
    script: "awk '{ n[$2] += $4; if (/error/) e++ } END { for (k in n) s += n[k]; print s, e, NR }' big.log",
  },
  { name: 'awk -F, a sum', script: "awk -F, '{ s += $2 } END { print s }' big.csv" },
  { name: 'sed, a replacement', script: "sed 's/error/ERROR/' big.log | tail -1" },
  {
    name: 'sed -E with groups',
    script: "sed -E 's/([0-9]+)-([0-9]+)/\\2-\\1/g; /debug/d' big.log | tail -1",
  },
].map((row) => ({ ...row, limit: 5 }));

export async function shell(browser, url) {
  return [...(await language(browser, url)), ...(await onFiles(browser, url))];
}

async function language(browser, url) {
  const page = await benchPage(browser, url);
  try {
    await page.evaluate(() => window.bench.openWorkspace());
    const rows = [];
    for (const row of SCRIPTS) rows.push(await against(page, row, '.'));
    return rows;
  } finally {
    await page.context().close();
  }
}

async function onFiles(browser, url) {
  const page = await benchPage(browser, url);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    await page.evaluate(() => window.bench.openBulk());
    for (const { path, text } of await page.evaluate(() => window.bench.bulkFiles())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const rows = [];
    for (const row of ON_FILES) {
      const ours = await page.evaluate((given) => window.bench.output(given), row.script);
      const theirs = spawnSync('bash', ['-c', row.script], { cwd: folder, encoding: 'utf8' }).stdout;
      if (ours !== theirs) throw new Error(`${row.name}: ${ours} is not ${theirs}`);
      rows.push(await against(page, row, folder));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
    await page.context().close();
  }
}

async function against(page, { name, script, limit }, folder) {
  const ours = () => page.evaluate(async (given) => (await window.bench.shell(given)).ms, script);
  await ours();
  const { ratio, of, than } = await ratioOf({ of: ours, than: () => native(script, folder) });
  const note = `${of.toFixed(1)} against ${than.toFixed(1)} ms`;
  return { name: `shell: ${name}, against native bash`, value: ratio, unit: 'x', limit, note };
}

function native(script, folder) {
  const started = performance.now();
  spawnSync('bash', ['-c', script], { cwd: folder });
  return performance.now() - started;
}
