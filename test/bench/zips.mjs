/**
 * How long the page does not answer while a zip with 100 MB is unpacked into a workspace, and while the workspace is packed
 * again: as 1,000 files, and as few large ones.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';

const BYTES = 100_000_000;
const FEW_SECONDS = 120_000;

export async function zips(browser, url) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-zips-'));
  try {
    const rows = [];
    for (const count of [1_000, 5]) {
      const path = join(folder, `${count}.zip`);
      writeFileSync(path, zipSync(files(count), { level: 6 }));
      rows.push(...(await both(browser, url, path, count)));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that can be packed to about half of their size, as programs and texts can. */
function files(count) {
  const size = BYTES / count;
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => {
      const content = new Uint8Array(size);
      for (let at = 0; at < size; at += 2) content[at] = Math.floor(Math.random() * 256);
      return [`dir${n % 20}/file${n}.bin`, content];
    }),
  );
}

async function both(browser, url, path, count) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(FEW_SECONDS);
  await page.goto(`${url}/?automation=1`);
  await page.evaluate(async () => {
    await window.vitrine.ready;
    await window.vitrine.sessions.create({ files: { 'readme.txt': 'Files\n' } });
  });
  const tab = page.getByRole('tabpanel', { name: 'Files' });
  const unpacking = await measured(page, async () => {
    const choosing = page.waitForEvent('filechooser');
    await tab.getByRole('button', { name: 'Add files' }).click();
    await (await choosing).setFiles(path);
    await tab.getByRole('button', { name: 'Unpack' }).click();
    await tab.getByText(/Added \d/).waitFor();
  });
  const packing = await measured(page, async () => {
    const downloading = page.waitForEvent('download');
    await tab.getByRole('button', { name: 'Download all as zip' }).click();
    await downloading;
  });
  await page.close();
  // To copy one large file into the workspace and the storage is a task of the browser's that cannot be cut.
  const bound = count > 100 ? { limit: 100 } : {};
  const what = `100 MB in ${count.toLocaleString('en-US')} files`;
  return [
    { name: `A zip is unpacked, ${what}: longest task of the page`, ...bound, ...unpacking },
    { name: `It is packed again, ${what}: longest task of the page`, ...bound, ...packing },
  ];
}

/** The longest task of the page in milliseconds while `work` goes on, and how long it takes. */
async function measured(page, work) {
  await page.evaluate(() => {
    window.longest = 0;
    window.longTasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    });
    window.longTasks.observe({ type: 'longtask' });
  });
  const started = performance.now();
  await work();
  const total = performance.now() - started;
  const longest = await page.evaluate(async () => {
    // A task is reported after its end.
    await new Promise((resolve) => setTimeout(resolve, 200));
    window.longTasks.disconnect();
    return window.longest;
  });
  return { value: longest, unit: 'ms', note: `${(total / 1000).toFixed(1)} s in all` };
}
