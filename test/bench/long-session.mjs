/** Whether a step of a long session costs more than one at its start, and how long going back to its start takes. */
import { benchPage, median } from './support.mjs';

const STEPS = 5_000;
/** Turns whose median counts as the start, or the end, of the session. */
const SOME = 5;

export async function longSession(browser, url) {
  const page = await benchPage(browser, url);
  page.setDefaultTimeout(0);
  const { parts, events, turns, opening, restoring } = await page.evaluate(
    (steps) => window.bench.longSession(steps),
    STEPS,
  );
  await page.context().close();
  const rise = (name) => {
    const values = turns.map((turn) => turn[name]);
    const [first, last] = [median(values.slice(1, 1 + SOME)), median(values.slice(-SOME))];
    return { value: last / first, first, last };
  };
  const [bytes, ms] = [rise('bytes'), rise('ms')];
  const size = `${parts.toLocaleString('en-US')} parts, ${events.toLocaleString('en-US')} events`;
  return [
    {
      name: 'Bytes stored for a step: end of the session against its start',
      value: bytes.value,
      unit: 'x',
      // A step that takes longer is stored in more commits, each of which has the session's own record.
      limit: 1.25,
      note: `${bytes.last.toFixed(0)} against ${bytes.first.toFixed(0)} bytes; ${size}`,
    },
    {
      name: 'Time of a step: end of the session against its start',
      value: ms.value,
      unit: 'x',
      note: `${ms.last.toFixed(1)} against ${ms.first.toFixed(1)} ms`,
    },
    { name: 'That session is opened', value: opening, unit: 'ms', note: size },
    {
      name: 'It is taken back to before its first message',
      value: restoring,
      unit: 'ms',
      limit: 1_000,
      note: size,
    },
  ];
}
