/**
 * The inspector in the real app. A session of 50,000 events is scrubbed with the slider, one look a frame: how long a
 * frame takes. And 10,000 deltas are streamed with the inspector open and closed, in turns: how long the page's thread
 * works, because that is what streaming waits for, and it does not matter then what else the machine does.
 */
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from '../../scripts/chromium.mjs';
import { median, timeToShow } from './support.mjs';

/**
 * Frames come as soon as the one before is on the screen. With the clock of 60 a second no frame can be seen to take less
 * than 16.7 ms, and one that is late by a little is late by a whole turn of it.
 */
const FREE_FRAMES = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

const EVENTS = 50_000;
const PER_STEP = 245;
const STEPS_PER_TURN = 10;
const LOOKS = 240;
const PASSES = 5;
const DELTAS = 10_000;
const ROUNDS = 9;
const VISITS = 5;
/** Is there once all events can be looked at. */
const SHOWN = ['input[type="range"]', ''];

const words = (count) => Array.from({ length: count }, (_, index) => `w${index} `).join('');

export async function inspector(browser, url) {
  return [...(await scrubbing(url)), ...(await watching(browser, url))];
}

export async function scrubbing(url) {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumArgs, ...FREE_FRAMES],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1`);
  const count = Math.ceil(EVENTS / (PER_STEP * STEPS_PER_TURN));
  const steps = Array.from({ length: STEPS_PER_TURN }, (_, index) => ({
    text: words(PER_STEP - 8),
    ...(index < STEPS_PER_TURN - 1 && { tools: [{ tool: 'todoread', input: {} }] }),
  }));
  const turns = Array.from({ length: count }, () => ({ steps }));
  const script = { version: 1, title: 'bench', chunkDelayMs: 0, turns };
  await page.evaluate(
    (given) =>
      window.vitrine.configure({ provider: 'scripted', model: 'script', script: given, permission: 'allow' }),
    script,
  );
  for (let index = 0; index < count; index++)
    await page.evaluate((n) => window.vitrine.prompt(`Question ${n}`), index);
  const opened = [];
  for (let visit = 0; visit < VISITS; visit++) {
    // A reload opens the tab that was shown last.
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.reload();
    await page.getByText(`Question ${count - 1}`, { exact: true }).waitFor({ state: 'attached' });
    // The page works on a little after it has loaded, which is not to be measured.
    await page.waitForTimeout(2_000);
    opened.push(await page.evaluate(timeToShow, { press: ['[role="tab"]', 'Inspector'], shown: SHOWN }));
  }
  const slider = page.getByRole('slider', { name: 'Event' });
  const total = Number(await slider.getAttribute('max'));
  // As a person does who has the tab open: the states that looks start from are kept by now.
  await page.waitForTimeout(3_000);

  const busy = await threadTimes(page);
  const before = await busy();
  const passes = [];
  for (let pass = 0; pass < PASSES; pass++) passes.push(await slider.evaluate(scrub, LOOKS));
  const after = await busy();
  const own = (1000 * (after.TaskDuration - before.TaskDuration)) / (PASSES * LOOKS);
  if (process.env.VERBOSE)
    for (const name of Object.keys(after))
      if (/Duration/.test(name))
        console.log(name, ((1000 * (after[name] - before[name])) / (PASSES * LOOKS)).toFixed(2));
  await browser.close();
  const value = median(passes.map(({ ms }) => ms));
  const worst = median(passes.map((pass) => pass.worst));
  return [
    {
      name: 'Inspector: opens on a log of 50,000 events, for the first time',
      value: median(opened),
      unit: 'ms',
      limit: 500,
      note: opened.map((ms) => ms.toFixed(0)).join(', '),
    },
    {
      name: 'Inspector: milliseconds a frame, scrubbing a log of 50,000 events',
      value,
      unit: 'ms',
      // 60 a second.
      limit: 1000 / 60,
      note: `${total} events, up to ${Math.round(1000 / value)} frames/s, worst ${worst.toFixed(0)} ms; the page's own processor time ${own.toFixed(1)} ms a frame`,
    },
  ];
}

/** Runs in the page: looks one after another, each in a frame of its own; milliseconds a frame. */
async function scrub(input, looks) {
  const max = Number(input.max);
  const nextFrame = () => new Promise(requestAnimationFrame);
  const look = (to) => {
    input.valueAsNumber = Math.round(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  // There and back over the whole log, then jumps across it.
  const places = Array.from({ length: looks }, (_, index) => {
    const share = index / (looks - 1);
    if (index % 8 === 7) return ((index * 7919) % looks) / looks;
    return share < 0.5 ? 1 - 2 * share : 2 * share - 1;
  });
  look(0);
  await nextFrame();
  await new Promise((resolve) => setTimeout(resolve, 500));
  let worst = 0;
  let last = await nextFrame();
  const started = last;
  for (const place of places) {
    look(place * max);
    const now = await nextFrame();
    worst = Math.max(worst, now - last);
    last = now;
  }
  return { ms: (last - started) / looks, worst };
}

/** Reads what the page's thread has worked, seconds of processor time by kind. */
async function threadTimes(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
}

export async function watching(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1`);
  // What an earlier answer left open in the inspector goes when the next begins.
  const turns = Array.from({ length: 5 }, () => ({ steps: [{ text: words(DELTAS) }] }));
  const script = { version: 1, title: 'bench', chunkDelayMs: 0, turns };
  await page.evaluate(
    (given) => window.vitrine.configure({ provider: 'scripted', model: 'script', script: given }),
    script,
  );
  const busy = await threadTimes(page);
  const stream = async (tab) => {
    await page.getByRole('tab', { name: tab }).click();
    // Opening it reads the whole log, once; it is watching that is measured.
    await page.waitForTimeout(1_000);
    const before = await busy();
    const wall = await page.evaluate(async () => {
      const started = performance.now();
      await window.vitrine.prompt('Stream');
      return performance.now() - started;
    });
    const after = await busy();
    return { own: 1000 * (after.TaskDuration - before.TaskDuration), wall };
  };

  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.getByRole('button', { name: 'New session' }).click();
    await stream('Inspector');
    // The session grows: each way is first and last in turns, and so both have the same length on average.
    const order =
      round % 2 === 0 ? ['open', 'closed', 'closed', 'open'] : ['closed', 'open', 'open', 'closed'];
    const sums = { open: { own: 0, wall: 0 }, closed: { own: 0, wall: 0 } };
    for (const way of order) {
      const { own, wall } = await stream(way === 'open' ? 'Inspector' : 'Files');
      sums[way].own += own / 2;
      sums[way].wall += wall / 2;
    }
    rounds.push(sums);
  }
  await context.close();
  const ratioOf = (kind) => median(rounds.map(({ open, closed }) => open[kind] / closed[kind]));
  const msOf = (way) => median(rounds.map((round) => round[way].own)).toFixed(0);
  if (process.env.VERBOSE)
    for (const { open, closed } of rounds)
      console.log((open.own / closed.own).toFixed(2), (open.wall / closed.wall).toFixed(2));
  return [
    {
      name: 'Inspector: streaming 10,000 deltas, open against closed',
      value: ratioOf('own'),
      unit: 'x',
      limit: 1.2,
      note: `${msOf('open')} against ${msOf('closed')} ms of the page's own processor time; ${ratioOf('wall').toFixed(2)} x by the clock`,
    },
  ];
}
