/**
 * First visit to the built app on loopback, CPU throttled four times, in a fresh profile: when the shell has painted,
 * when the demo's first tool result stands on the page, and what the whole demo transfers. From navigation start, and
 * against when an empty page has painted that the same server serves.
 */
import { gzipSync } from 'node:zlib';
import { serve } from '../../scripts/serving.mjs';
import { median, RUNS } from './support.mjs';

export async function firstVisit(browser, url) {
  const empty = await serve('test/bench/empty-page');
  const visits = [];
  for (let run = 0; run < RUNS; run++) {
    const nothing = await paintOf(browser, empty.url);
    visits.push({ nothing, ...(await visit(browser, url, run === 0)) });
  }
  empty.stop();
  const of = (value) => median(visits.map(value));
  const times = (name) => ({
    value: of((each) => each[name] / each.nothing),
    unit: 'x',
    note: `${of((each) => each[name]).toFixed(0)} against ${of(({ nothing }) => nothing).toFixed(0)} ms`,
  });
  return [
    { name: 'First visit: shell painted against an empty page, 4x throttle', ...times('painted'), limit: 3 },
    { name: 'First visit: first result of the demo against that', ...times('firstResult'), limit: 10 },
    { name: 'Whole demo, transferred (gzip -9)', value: visits[0].bytes / 1000, unit: 'kB', limit: 700 },
  ];
}

async function throttledPage(browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return page;
}

const paintTime = (page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity);

async function paintOf(browser, url) {
  const page = await throttledPage(browser);
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const painted = await paintTime(page);
  await page.context().close();
  return painted;
}

async function visit(browser, url, toTheEnd) {
  const page = await throttledPage(browser);
  // The browser transfers a file once, also if two parts of the page ask for it.
  const files = new Set();
  page.on('response', (response) => {
    if (response.url().startsWith(url)) files.add(response.url());
  });
  await page.addInitScript(() => {
    window.firstResult = new Promise((resolve) => {
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('[data-part="tool"][data-outcome="ok"]')) return;
        observer.disconnect();
        resolve(performance.now());
      }).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['data-outcome'],
      });
    });
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Watch a demo' }).click();
  const firstResult = await page.evaluate(() => window.firstResult);
  const painted = await paintTime(page);
  if (toTheEnd) await allowAll(page);
  await page.context().close();
  const sizes = await Promise.all([...files].map(gzippedSize));
  return { painted, firstResult, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Asks the server, since the page's own answers have no text in the DevTools protocol where it took them as blobs. */
async function gzippedSize(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file} was answered with status ${response.status}.`);
  return gzipSync(await response.arrayBuffer(), { level: 9 }).length;
}

/** Answers what the demo asks, until it has ended. */
async function allowAll(page) {
  for (let answered = 0; answered < 3; answered++) {
    const allow = page
      .getByRole('alertdialog', { name: 'Permission required' })
      .getByRole('button', { name: 'Allow once' });
    await allow.and(page.locator(':enabled')).click();
    await page.waitForFunction(
      (n) =>
        document.querySelectorAll(
          '[data-tool="bash"][data-outcome="ok"],[data-tool="edit"][data-outcome="ok"]',
        ).length > n,
      answered,
    );
  }
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
}
