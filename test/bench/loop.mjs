/** What a session costs over a bare loop of the SDK, 100 and 1,000 steps with one trivial call each. */
import { benchPage, median, ratioOf, RUNS } from './support.mjs';

const LENGTHS = [100, 1_000];
const LIMIT = 1.2;

export async function loop(browser, url) {
  const rows = [];
  for (const steps of LENGTHS) {
    const page = await benchPage(browser, url);
    const measure = (name) => () => page.evaluate(([way, n]) => window.bench[way](n), [name, steps]);
    await measure('bareLoop')();
    await measure('ownLoop')();
    const { ratio, of, than } = await ratioOf({ of: measure('ownLoop'), than: measure('bareLoop') });
    await page.context().close();
    rows.push({
      name: `Loop of ${steps} steps against a bare streamText loop`,
      value: ratio,
      unit: 'x',
      limit: LIMIT,
      note: `${of.toFixed(0)} against ${than.toFixed(0)} ms`,
    });
  }
  rows.push(await recording(browser, url));
  return rows;
}

/**
 * A recording is read from the log afterwards: while a session runs, it costs the keeping of the files. That is less than
 * two runs differ by, and therefore measured within each.
 */
async function recording(browser, url) {
  const page = await benchPage(browser, url);
  const measure = () => page.evaluate(() => window.bench.recordedLoop(400));
  await measure();
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await measure());
  await page.context().close();
  const ms = median(runs.map((run) => run.ms));
  const value = median(runs.map(({ ratio }) => ratio));
  return {
    name: 'Loop of 400 steps with all that a recording needs, against without',
    value,
    unit: 'x',
    limit: 1.05,
    note: `${(ms - ms / value).toFixed(0)} of ${ms.toFixed(0)} ms`,
  };
}
