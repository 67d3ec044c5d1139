/**
 * Records what real bash and GNU tools answer to the scripts of test/fixtures/shell/*.json and of its areas, and writes
 * the answers into those files. Cases that have an answer keep it, unless `--all` is given; that needs bash 5.2, GNU
 * coreutils, gawk, git 2.39, patch, jq, ripgrep, tree, zip, xxd and bc. An area may have `env` and `files` of its own.
 *   node scripts/record-bash-fixtures.mjs [--all] [NAME...]
 *   node scripts/record-bash-fixtures.mjs NAME --add SCRIPT
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answerOfBash, areaNames, areasFolder, settingOf } from './bash-answers.mjs';

const fixtures = new URL('../test/fixtures/shell/', import.meta.url);
const version = execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0];
const { positionals: wanted, values: given } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, add: { type: 'string' } },
});
if (given.add !== undefined && wanted.length !== 1)
  throw new Error('--add needs the name of one suite or area.');
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

for (const name of ['oneliners', 'exact'].filter(isWanted)) record(name, new URL(`${name}.json`, fixtures));
const home = JSON.parse(readFileSync(new URL('home.json', fixtures), 'utf8'));
for (const name of areaNames().filter(isWanted)) record(name, new URL(`${name}.json`, areasFolder), home);

function record(name, file, setting) {
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  if (given.add !== undefined) suite.cases.push({ script: given.add });
  if (given.all) suite.recorded = version;
  else if (suite.recorded !== version) console.warn(`${name} was recorded with ${suite.recorded}`);
  let recorded = 0;
  suite.cases = suite.cases.map((one) => {
    if (one.exitCode !== undefined && !given.all) return one;
    recorded++;
    return { script: one.script, ...answerOfBash(one.script, settingOf(suite, setting)) };
  });
  writeFileSync(file, `${JSON.stringify(suite, null, 1)}\n`);
  console.log(`${recorded} of ${suite.cases.length} cases of ${name} recorded with ${version}`);
}
