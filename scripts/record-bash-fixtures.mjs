// Records what real bash and GNU tools answer to the scripts of test/fixtures/shell/*.json, and writes the answers back
// into those files. Needs bash 5.2, GNU coreutils, jq, ripgrep, tree, zip and bc:
//   node scripts/record-bash-fixtures.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const version = execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0];

for (const name of ['oneliners', 'exact']) {
  const fixture = new URL(`../test/fixtures/shell/${name}.json`, import.meta.url);
  const suite = JSON.parse(readFileSync(fixture, 'utf8'));
  suite.recorded = version;
  suite.cases = suite.cases.map(({ script }) => ({ script, ...record(script, suite) }));
  writeFileSync(fixture, `${JSON.stringify(suite, null, 1)}\n`);
  console.log(`${suite.cases.length} cases of ${name} recorded with ${version}`);
}

function record(script, suite) {
  const base = mkdtempSync(join(tmpdir(), 'fixtures-'));
  const home = join(base, suite.home);
  for (const [name, text] of Object.entries(suite.files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
    chmodSync(join(home, name), 0o644);
  }
  const { stdout, status } = spawnSync('bash', ['-c', script], {
    cwd: home,
    env: { PATH: '/usr/bin:/bin', HOME: home, ...suite.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10_000,
    encoding: 'utf8',
  });
  rmSync(base, { recursive: true });
  // `diff -u` prints the time at which the files were laid out.
  const timeless = stdout.replace(/^([-+]{3} [^\t\n]+)\t.*$/gm, '$1');
  return { stdout: timeless.replaceAll(home, suite.home), exitCode: status };
}
