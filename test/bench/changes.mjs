/**
 * How soon the tab Changes lists 1,000 changed files, and one of them opens. Measured in the page, because a click by
 * Playwright takes longer than what it causes.
 */
import { median } from './support.mjs';

const FILES = 1_000;
const RUNS = 5;

export async function changes(browser, url) {
  const listed = [];
  const opened = [];
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/?automation=1`);
  await page.evaluate(async (count) => {
    const { vitrine } = window;
    await vitrine.ready;
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`src/f${n}.txt`, `one\ntwo ${n}\n`]),
    );
    const turns = [{ steps: [{ text: 'Hello.' }] }];
    const script = { version: 1, title: 'Many files', chunkDelayMs: 0, files, turns };
    await vitrine.configure({ provider: 'scripted', model: 'script', script });
    await vitrine.prompt('Hello');
    await vitrine.workspace.exec('for f in src/*; do echo three >> $f; done');
  }, FILES);
  for (let run = 0; run < RUNS; run++) {
    await page.getByRole('tab', { name: 'Files' }).click();
    // The tab forgets nothing while it is hidden, so a page that was loaded again starts from nothing.
    await page.reload();
    await page.getByRole('article').last().waitFor();
    await page.getByRole('treeitem').first().waitFor();
    listed.push(
      await page.evaluate(async (count) => {
        const tab = [...document.querySelectorAll('[role=tab]')].find(
          ({ textContent }) => textContent.trim() === 'Changes',
        );
        const started = performance.now();
        tab.click();
        while (document.querySelectorAll('.changes li').length < count)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - started;
      }, FILES),
    );
    opened.push(
      await page.evaluate(async () => {
        const started = performance.now();
        document.querySelector('.changes li button').click();
        while (!document.querySelector('.changes [role=group][aria-label^="Changes to"]'))
          await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - started;
      }),
    );
  }
  await page.close();
  return [
    { name: 'The tab Changes lists 1,000 changed files', value: median(listed), unit: 'ms', limit: 300 },
    {
      name: 'One of them opens, while the others are counted',
      value: median(opened),
      unit: 'ms',
      limit: 300,
    },
  ];
}
