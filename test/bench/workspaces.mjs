/** Measures what 50 workspaces that were opened one after the other leave behind in the built app: frames, workers, memory. */
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from '../../scripts/chromium.mjs';
import { median } from './support.mjs';

const OPENED = 50;
/** How many workspaces may hold a frame: the one that is shown and the three used last. */
const FRAMES = 4;
/** A kernel, two shells and the search. */
const WORKERS_EACH = 4;

export async function workspaces(url) {
  // Its own browser: all of its processes are counted.
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
  try {
    const page = await (await browser.newContext()).newPage();
    const devtools = await browser.newBrowserCDPSession();
    const counted = await countedTargets(devtools);
    await page.goto(`${url}/?automation=1`);
    await page.evaluate(() => window.vitrine.ready);
    const open = (number) =>
      page.evaluate(async (given) => {
        const { sessionID } = await window.vitrine.sessions.create({ files: { 'n.txt': String(given) } });
        return sessionID;
      }, number);
    const ids = [await open(0)];
    const before = await memory(devtools);
    for (let number = 1; number < OPENED; number++) ids.push(await open(number));
    const after = await memory(devtools);
    const opening = [];
    for (const [number, id] of ids.slice(0, 9).entries())
      opening.push(await page.evaluate(reopened, [id, String(number)]));
    return [
      {
        name: `Frames after ${OPENED} workspaces were opened`,
        value: await page.locator('iframe[title="Workspace"]').count(),
        unit: '',
        limit: FRAMES,
      },
      {
        name: `Workers of workspaces after ${OPENED} were opened`,
        value: await counted('blob:'),
        unit: '',
        limit: FRAMES * WORKERS_EACH,
      },
      {
        name: `Memory that the other ${OPENED - 1} take`,
        value: after - before,
        unit: 'MB',
        limit: 300,
      },
      { name: 'A suspended workspace answers with a file', value: median(opening), unit: 'ms', limit: 400 },
    ];
  } finally {
    await browser.close();
  }
}

/** How many workers there are whose address begins so: the workers of workspaces are made of text. */
async function countedTargets(devtools) {
  return async (start) => {
    const { targetInfos } = await devtools.send('Target.getTargets', { filter: [{}] });
    return targetInfos.filter(({ type, url }) => type === 'worker' && url.startsWith(start)).length;
  };
}

/** The memory of all processes of the browser together, in megabytes; shared memory counts once. */
async function memory(devtools) {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const kilobytes = processInfo.map(({ id }) => {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1000;
}

async function reopened([id, text]) {
  const started = performance.now();
  location.hash = `#/session/${id}`;
  const read = await window.vitrine.workspace.readFile('n.txt');
  if (read !== text) throw new Error(`${id} holds ${read}`);
  return performance.now() - started;
}
