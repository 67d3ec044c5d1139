/** What a session costs over a bare loop of the SDK, 100 and 400 steps with one trivial call each. */
import { benchPage, sideBySide } from './support.mjs';

const LIMITS = { 100: 1.3, 400: 1.7 };

export async function loop(browser, url) {
  const rows = [];
  for (const [steps, limit] of Object.entries(LIMITS)) {
    const page = await benchPage(browser, url);
    const measure = (name) => () => page.evaluate(([way, n]) => window.bench[way](n), [name, Number(steps)]);
    await measure('bareLoop')();
    await measure('ownLoop')();
    const { own, bare } = await sideBySide({ own: measure('ownLoop'), bare: measure('bareLoop') });
    await page.context().close();
    rows.push({
      name: `Loop of ${steps} steps against a bare streamText loop`,
      value: own / bare,
      unit: 'x',
      limit,
      note: `${own.toFixed(0)} against ${bare.toFixed(0)} ms`,
    });
  }
  rows.push(await recording(browser, url));
  return rows;
}

/** A recording is read from the log afterwards: while a session runs, it costs the files as they were at the start. */
async function recording(browser, url) {
  const page = await benchPage(browser, url);
  const measure = (name) => () => page.evaluate((way) => window.bench[way](400), name);
  await measure('recordedLoop')();
  const { with: kept, without } = await sideBySide({
    with: measure('recordedLoop'),
    without: measure('ownLoop'),
  });
  await page.context().close();
  return {
    name: 'Loop of 400 steps with all that a recording needs, against without',
    value: kept / without,
    unit: 'x',
    limit: 1.05,
    note: `${kept.toFixed(0)} against ${without.toFixed(0)} ms`,
  };
}
