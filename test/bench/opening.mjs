/**
 * What a person opens in the built app, and how long until it is on the screen: a session of 50,000 events against an
 * empty one, in turns, and there the tabs Terminal and Log for the first time. And the longest task while a conversation
 * of 2,000 messages is scrolled up to its start.
 */
import { makeSession } from './long-in-app.mjs';
import { median, ratioOf, timeToShow } from './support.mjs';

const TURNS = 60;
const WORDS = 400;
const SWITCHES = 9;
const VISITS = 5;
const MESSAGES = 2_000;

export async function opening(browser, url) {
  return [...(await ofLongSession(browser, url)), await scrolling(browser, url)];
}

async function openPage(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/?automation=1`);
  return page;
}

async function ofLongSession(browser, url) {
  const page = await openPage(browser, url);
  const { id, count } = await page.evaluate(makeSession, [TURNS, WORDS]);
  const empty = await page.evaluate(async () => (await window.vitrine.sessions.create({})).sessionID);
  const show = (press, shown) => page.evaluate(timeToShow, { press, shown });
  const link = (session) => [`nav a[href$="${session}"]`, ''];
  const toLong = () => show(link(id), ['[role="log"]', `Turn ${TURNS - 1} done.`]);
  const toEmpty = () => show(link(empty), ['main h2', 'What should we build?']);
  await toLong();
  await toEmpty();
  const { ratio, of, than } = await ratioOf({ of: toLong, than: toEmpty }, SWITCHES);

  const tabs = { Terminal: ['.xterm-rows', '$'], Log: ['[role="tabpanel"] table', 'write'] };
  const times = { Terminal: [], Log: [] };
  // The session that was shown last is the one that a reload opens.
  await toLong();
  for (let visit = 0; visit < VISITS; visit++) {
    await page.reload();
    await page.getByText(`Turn ${TURNS - 1} done.`).waitFor({ state: 'attached' });
    // The page works on a little after it has loaded, which is not to be measured.
    await page.waitForTimeout(2_000);
    for (const [name, shown] of Object.entries(tabs))
      times[name].push(await show(['[role="tab"]', name], shown));
    // A reload opens the tab that was shown last.
    await page.getByRole('tab', { name: 'Files' }).click();
  }
  await page.close();
  const size = `${count.toLocaleString('en-US')} events`;
  return [
    {
      name: 'A session of 50,000 events opens, against an empty one',
      value: ratio,
      unit: 'x',
      limit: 2,
      note: `${of.toFixed(0)} against ${than.toFixed(0)} ms; ${size}`,
    },
    ...Object.entries(times).map(([name, values]) => ({
      name: `The tab ${name} opens for the first time there`,
      value: median(values),
      unit: 'ms',
      limit: 200,
      note: values.map((value) => value.toFixed(0)).join(', '),
    })),
  ];
}

async function scrolling(browser, url) {
  const page = await openPage(browser, url);
  const answer =
    'The *total* is in `totals.js`:\n\n- it splits the amount\n- it adds both parts\n\n```js\nadd(1, 2);\n```\n';
  const turns = Array.from({ length: MESSAGES / 2 }, (_, index) => ({
    steps: [{ text: `Answer ${index}. ${answer}` }],
  }));
  await page.evaluate(
    (script) => window.vitrine.configure({ provider: 'scripted', model: 'script', script }),
    { version: 1, title: 'bench', chunkDelayMs: 0, turns },
  );
  await page.evaluate(async (count) => {
    for (let n = 0; n < count; n++) await window.vitrine.prompt(`Question ${n}.`);
  }, MESSAGES / 2);
  const passes = [];
  for (let pass = 0; pass < 3; pass++) {
    await page.reload();
    await page.getByText(`Answer ${MESSAGES / 2 - 1}.`).waitFor();
    await page.waitForTimeout(2_000);
    passes.push(await scrollUp(page));
  }
  await page.close();
  return {
    name: 'Scrolling up through 2,000 messages: longest task',
    value: median(passes.map(({ tasks }) => Math.max(0, ...tasks))),
    unit: 'ms',
    limit: 50,
    note: passes.map(({ tasks, frames }) => `${tasks.length} over 50 ms in ${frames} frames`).join('; '),
  };
}

/** Turns the wheel once a frame until the first message is there. */
async function scrollUp(page) {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  await page.getByRole('log', { name: 'Conversation' }).hover();
  let frames = 0;
  // Playwright looks for roles and texts in tasks of the page, which would be counted.
  const isAtStart = () =>
    new Promise((resolve) =>
      requestAnimationFrame(() =>
        resolve(document.querySelector('[role="log"] article').textContent.includes('Question 0.')),
      ),
    );
  do {
    await page.mouse.wheel(0, -1_500);
    frames++;
  } while (!(await page.evaluate(isAtStart)));
  // Long tasks are reported after they end.
  await page.waitForTimeout(500);
  return { frames, tasks: await page.evaluate(() => window.longTasks) };
}
