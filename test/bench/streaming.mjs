/**
 * 5,000 text deltas into a session of 500 messages, in the real app with a scripted model: the longest task after
 * the first, and whether the last thousand deltas cost what the first thousand did.
 */
const MESSAGES = 500;
const DELTAS = 5000;

export async function streaming(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1`);
  const turns = Array.from({ length: MESSAGES / 2 }, (_, index) => ({
    steps: [{ text: `Answer ${index}: short and done.` }],
  }));
  const words = Array.from({ length: DELTAS }, (_, index) =>
    index % 20 === 19 ? `w${index}.\n\n` : `w${index} `,
  ).join('');
  const script = {
    version: 1,
    title: 'bench',
    chunkDelayMs: 0,
    turns: [...turns, { steps: [{ text: words }] }],
  };
  await page.evaluate(
    (given) => window.vitrine.configure({ provider: 'scripted', model: 'script', script: given }),
    script,
  );
  for (let index = 0; index < MESSAGES / 2; index++)
    await page.evaluate((n) => window.vitrine.prompt(`Question ${n}`), index);

  const { longest, times, wall } = await page.evaluate(async (deltas) => {
    const tasks = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
    observer.observe({ type: 'longtask' });
    const started = performance.now();
    const { sessionID } = await window.vitrine.prompt('Stream');
    const wall = performance.now() - started;
    // Long tasks are reported after they end: two frames later all are known.
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
    );
    tasks.push(...observer.takeRecords());
    const longest = Math.max(0, ...tasks.slice(1).map(({ duration }) => duration));
    const events = await window.vitrine.sessions.events(sessionID);
    const parts = events
      .filter(({ type, part }) => type === 'step.part' && part.type === 'text-delta')
      .slice(-deltas);
    return { longest, times: parts.map(({ time }) => time), wall };
  }, DELTAS);
  await context.close();

  const fifth = Math.floor(times.length / 5);
  const first = times[fifth] - times[0];
  const last = times.at(-1) - times.at(-1 - fifth);
  return [
    { name: 'Streaming 5,000 deltas: longest task after the first', value: longest, unit: 'ms', limit: 50 },
    {
      name: 'Streaming 5,000 deltas: last fifth against first fifth',
      value: last / Math.max(first, 1),
      unit: 'x',
      limit: 1.5,
      note: `${times.length} deltas in ${wall.toFixed(0)} ms`,
    },
  ];
}
