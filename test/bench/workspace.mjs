/** How soon a workspace answers its first file read, empty and with 5,000 files, and a shell round trip. */
import { spawnSync } from 'node:child_process';
import { benchPage, median, RUNS, sideBySide } from './support.mjs';

export async function workspace(browser, url) {
  const rows = [];
  for (const files of [0, 5000]) {
    const times = [];
    for (let run = 0; run < RUNS; run++) {
      const page = await benchPage(browser, url);
      times.push(await page.evaluate((count) => window.bench.usable(count), files));
      await page.context().close();
    }
    rows.push({ name: `Workspace usable, ${files} files`, value: median(times), unit: 'ms', limit: 400 });
  }

  const page = await benchPage(browser, url);
  await page.evaluate(() => window.bench.openWorkspace());
  const { shell, native } = await sideBySide(
    {
      shell: async () => (await page.evaluate(() => window.bench.shell('echo hi'))).ms,
      native: async () => {
        const started = performance.now();
        spawnSync('bash', ['-c', 'echo hi']);
        return performance.now() - started;
      },
    },
    15,
  );
  await page.context().close();
  rows.push({
    name: 'bash: echo, against spawning native bash',
    value: shell / native,
    unit: 'x',
    limit: 1,
    note: `${shell.toFixed(2)} against ${native.toFixed(2)} ms`,
  });
  return rows;
}
