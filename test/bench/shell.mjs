/** The shell of the embedded workspace against native bash on the same machine. */
import { spawnSync } from 'node:child_process';
import { benchPage, ratioOf } from './support.mjs';

const SCRIPTS = [
  {
    name: 'a loop of 20,000 turns',
    script: 'for ((i=0;i<20000;i++)); do x=$((x+i)); done; echo $x',
    limit: 3,
  },
  {
    name: 'a loop of 20,000 tests',
    script: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i',
    limit: 3,
  },
  {
    name: '20,000 calls of a function',
    script: 'f() { r=$(($1*2)); }; for i in {1..20000}; do f $i; done; echo $r',
    limit: 3,
  },
  { name: 'seq 1 1000000 | grep 7 | wc -l', script: 'seq 1 1000000 | grep 7 | wc -l', limit: 5 },
  { name: 'echo hi', script: 'echo hi', limit: 1 },
];

export async function shell(browser, url) {
  const page = await benchPage(browser, url);
  try {
    await page.evaluate(() => window.bench.openWorkspace());
    const rows = [];
    for (const { name, script, limit } of SCRIPTS) {
      const ours = () => page.evaluate(async (given) => (await window.bench.shell(given)).ms, script);
      await ours();
      const { ratio, of, than } = await ratioOf({ of: ours, than: () => native(script) });
      const note = `${of.toFixed(1)} against ${than.toFixed(1)} ms`;
      rows.push({ name: `shell: ${name}, against native bash`, value: ratio, unit: 'x', limit, note });
    }
    return rows;
  } finally {
    await page.context().close();
  }
}

function native(script) {
  const started = performance.now();
  spawnSync('bash', ['-c', script]);
  return performance.now() - started;
}
