/**
 * The preview of the built app, on an origin of its own: how soon a static page is painted, a thousand small requests of a page
 * and the first paint of a Vite starter against the same in Node on loopback, and the frames of the app while the page moves.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright';
import { chromiumArgs, findHeadlessChromium } from '../../scripts/chromium.mjs';
import { click, paintAfter } from './painting.mjs';
import { frameRatio, MOVING } from './preview-frames.mjs';
import { viteRows } from './preview-vite.mjs';
import { median, ratioOf, RUNS } from './support.mjs';

const STATIC = `<!doctype html><title>Static</title><link rel="stylesheet" href="style.css"><h1>Painted</h1>`;
const STYLE = 'h1 { color: teal }';
const SERVER = `
const page = '<!doctype html><title>Requests</title><h1>Requests</h1>';
require('http').createServer((request, response) => {
  response.setHeader('Content-Type', request.url === '/' ? 'text/html' : 'application/json');
  response.end(request.url === '/' ? page : '{"ok":true}');
}).listen(Number(process.argv[2]), function () { console.log(this.address().port); });
`;
const ROUNDS = 50;
const AT_ONCE = 20;

/** In the browser of the tests: the Chromium of Debian blocks third-party cookies, and so the preview's own origin. */
export async function preview(url) {
  const browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: chromiumArgs });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1&offline=off&workspace=embedded`);
  await page.evaluate(begin, {
    ...{ 'index.html': STATIC, 'style.css': STYLE, 'server.js': SERVER },
    ...MOVING,
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  page.setDefaultTimeout(30_000);
  const panel = page.getByRole('tabpanel', { name: 'Preview' });
  const show = panel.getByRole('button', { name: 'Show the workspace’s index.html' });
  const shown = page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');
  const first = await paintAfter(() => show.evaluate(click), shown, 'Painted');
  const later = [];
  for (let run = 0; run < RUNS; run++) {
    const reload = panel.getByRole('button', { name: 'Reload' });
    later.push(await paintAfter(() => reload.evaluate(click), shown, 'Painted'));
  }
  const requests = await requestRatio(context, page, panel, shown);
  const frames = await frameRatio(page, panel, shown);
  await context.close();
  const vite = await viteRows(browser, url);
  await browser.close();
  return [
    { name: 'A static page in the preview is painted', value: median(later), unit: 'ms', limit: 300 },
    { name: 'The first page, with the start of the preview', value: first, unit: 'ms' },
    requests,
    frames,
    ...vite,
  ];
}

async function begin(files) {
  const { vitrine } = window;
  await vitrine.ready;
  const script = { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] };
  await vitrine.configure({ provider: 'scripted', model: 'none', script, permission: 'allow' });
  await vitrine.sessions.create({ files });
}

async function requestRatio(context, page, panel, shown) {
  const native = spawn(process.execPath, ['-e', SERVER, '-', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(native.stdout, 'data');
  const other = await context.newPage();
  await other.goto(`http://localhost:${Number(port)}/`);
  await page.evaluate(() => void window.vitrine.workspace.exec('node server.js 3000'));
  await panel.getByRole('combobox', { name: 'What to show' }).selectOption('Port 3000');
  const here = shown.getByRole('heading', { name: 'Requests' });
  await here.waitFor();
  const many = [ROUNDS, AT_ONCE];
  const { ratio, of, than } = await ratioOf({
    of: () => here.evaluate(inPage, many),
    than: () => other.getByRole('heading').evaluate(inPage, many),
  });
  native.kill();
  await other.close();
  const note = `${Math.round(of)} ms here, ${Math.round(than)} ms from Node`;
  return { name: '1,000 small requests in the preview', value: ratio, unit: '× native', limit: 3, note };
}

async function inPage(_element, [rounds, atOnce]) {
  const begun = performance.now();
  for (let round = 0; round < rounds; round++) {
    const answers = Array.from({ length: atOnce }, () => fetch('/item').then((answer) => answer.json()));
    if (!(await Promise.all(answers)).every(({ ok }) => ok)) throw new Error('A request failed.');
  }
  return performance.now() - begun;
}
