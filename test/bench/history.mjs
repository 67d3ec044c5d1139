/**
 * A snapshot after an edit of one file among 5,000 (30 MB), against what git does natively; and how long it takes to
 * make 500 changed files as they were.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchPage, median, sideBySide } from './support.mjs';

export async function history(browser, url) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-history-'));
  const git = (...args) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  let edits = 0;
  try {
    const page = await benchPage(browser, url);
    for (const { path, text } of await page.evaluate(() => window.bench.files())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git('init', '-q');
    git('add', '-A');
    git('write-tree');
    await page.evaluate(() => window.bench.openHistory());
    const first = await page.evaluate(() => window.bench.history().snapshot());
    const written = [];
    const { ours, native } = await sideBySide(
      {
        ours: async () => {
          await page.evaluate(() => window.bench.history().edit(1));
          const { ms, bytes } = await page.evaluate(() => window.bench.history().snapshot());
          written.push(bytes);
          return ms;
        },
        native: async () => {
          writeFileSync(join(folder, 'dir0/sub0/file0.ts'), `export const edit = ${++edits};\n`);
          const started = performance.now();
          git('add', '-A');
          git('write-tree');
          return performance.now() - started;
        },
      },
      9,
    );
    // Not between the runs of the others: it takes seconds, and its garbage would be collected in theirs.
    const gitInPage = await page.evaluate(async () => {
      const first = await window.bench.pageGit.open();
      const runs = [await window.bench.pageGit.snapshot(), await window.bench.pageGit.snapshot()];
      return { first, again: Math.min(...runs) };
    });
    const restores = [];
    for (let run = 0; run < 3; run++) {
      const { manifest } = await page.evaluate(async () => {
        await window.bench.history().edit(1);
        return window.bench.history().snapshot();
      });
      await page.evaluate(() => window.bench.history().edit(500));
      restores.push(await page.evaluate((to) => window.bench.history().restore(to), manifest));
    }
    await page.context().close();
    return [
      {
        name: 'A snapshot after one edit of 5,000 files, against git add -A && git write-tree',
        value: ours / native,
        unit: 'x',
        limit: 1,
        note: `${ours.toFixed(0)} against ${native.toFixed(0)} ms; the first one took ${first.ms.toFixed(0)} ms`,
      },
      {
        name: 'That snapshot, against add and commit of isomorphic-git in the page',
        value: ours / gitInPage.again,
        unit: 'x',
        limit: 1,
        note: `${ours.toFixed(0)} against ${gitInPage.again.toFixed(0)} ms; its first one took ${gitInPage.first.toFixed(0)} ms`,
      },
      {
        name: 'What that snapshot writes',
        value: median(written) / 1000,
        unit: 'kB',
        limit: 50,
      },
      {
        name: 'Making 500 changed files of 5,000 as they were',
        value: median(restores),
        unit: 'ms',
        limit: 1000,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
