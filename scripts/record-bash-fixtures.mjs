// Records what real bash and GNU tools answer to the scripts of test/fixtures/shell/*.json and of its areas, and writes
// the answers back into those files. Needs bash 5.2, GNU coreutils, gawk, patch, jq, ripgrep, tree, zip, xxd and bc:
//   node scripts/record-bash-fixtures.mjs [NAME...]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { answerOfBash, areaNames, areasFolder } from './bash-answers.mjs';

const fixtures = new URL('../test/fixtures/shell/', import.meta.url);
const version = execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0];
const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

for (const name of ['oneliners', 'exact'].filter(isWanted)) record(name, new URL(`${name}.json`, fixtures));
const home = JSON.parse(readFileSync(new URL('home.json', fixtures), 'utf8'));
for (const name of areaNames().filter(isWanted)) record(name, new URL(`${name}.json`, areasFolder), home);

function record(name, file, setting) {
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  suite.recorded = version;
  suite.cases = suite.cases.map(({ script }) => ({ script, ...answerOfBash(script, setting ?? suite) }));
  writeFileSync(file, `${JSON.stringify(suite, null, 1)}\n`);
  console.log(`${suite.cases.length} cases of ${name} recorded with ${version}`);
}
