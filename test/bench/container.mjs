/** What our code costs over the bare WebContainer client, on the test host: boots, searches, reads. */
import { runnerImport } from 'vite';
import { benchPage, sideBySide } from './support.mjs';

const READS = 4000;
const POOLS = [1, 2, 4, 8, 16, 64];
const RUNS = 15;

export async function container(browser, url) {
  const { module } = await runnerImport('./test/support/webcontainer/server.ts');
  const host = await module.serveRuntime();
  const page = await benchPage(browser, url);
  const call = (name, ...args) => page.evaluate(([way, given]) => window.bench[way](...given), [name, args]);
  try {
    await call('useRuntime', host.url);
    return [await boots(call), await search(call), await reads(call)];
  } finally {
    await page.context().close();
    await host.close();
  }
}

/** The best times: what else the machine does meanwhile only makes them longer. */
async function quickest(ways) {
  const times = {};
  for (let run = 0; run < RUNS; run++)
    for (const [name, way] of Object.entries(ways))
      times[name] = Math.min(times[name] ?? Infinity, await way());
  return times;
}

async function boots(call) {
  const ways = { own: () => call('ownBoot'), bare: () => call('bareBoot') };
  await ways.own();
  const { own, bare } = await sideBySide(ways, RUNS);
  return {
    name: "WebContainer: boot, over the client's own",
    value: own - bare,
    unit: 'ms',
    limit: 20,
    note: `${own.toFixed(1)} against ${bare.toFixed(1)} ms, empty workspace`,
  };
}

async function search(call) {
  await call('openContainer');
  await call('fill', 1000);
  // The first one lays the helper down.
  await call('containerSearch', 'warm');
  const { processes, ms, found } = await call('containerSearch', 'line of d1/');
  if (found !== 25 * 20) throw new Error(`${found} matches instead of 500`);
  return {
    name: 'WebContainer: processes for a search of 1,000 files',
    value: processes,
    unit: '',
    limit: 1,
    note: `${ms.toFixed(0)} ms`,
  };
}

async function reads(call) {
  await call('fill', READS);
  const ways = { own: () => call('ownReads', READS) };
  for (const pool of POOLS) ways[pool] = () => call('pooledReads', READS, pool);
  await ways.own();
  const times = await quickest(ways);
  const best = POOLS.reduce((one, other) => (times[other] < times[one] ? other : one));
  return {
    name: 'WebContainer: 4,000 reads, against the best pool of the client',
    value: times.own / times[best],
    unit: 'x',
    limit: 1.5,
    note: `${times.own.toFixed(0)} against ${times[best].toFixed(0)} ms in a pool of ${best}`,
  };
}
