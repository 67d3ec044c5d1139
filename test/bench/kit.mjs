/**
 * How long a test of the kit takes: the examples, in the packed package, with two workers as Playwright starts them by itself on
 * two cores. `KIT_RUNS=50 npm run bench -- kit` runs each of them so many times and fails if one run does.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareProject, testCommand } from '../../scripts/kit-project.mjs';
import { median } from './support.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export function kit() {
  const project = mkdtempSync(path.join(tmpdir(), 'vitrine-kit-'));
  try {
    const target = prepareProject(project);
    execFileSync(process.execPath, ['scripts/pack-kit.mjs', target], { cwd: root, stdio: 'inherit' });
    const times = runTimes(project, Number(process.env.KIT_RUNS ?? 1));
    const note = `${times.length} runs, slowest ${Math.max(...times).toFixed(1)} s`;
    const alone = runTimes(project, 1, ['--workers=1']);
    cpSync(path.join(root, 'test/bench/least-test'), path.join(project, 'least-test'), { recursive: true });
    const least = median(runTimes(project, 1, ['least-test']));
    return [
      { name: 'A test of the kit, with two workers', value: median(times), unit: 's', limit: 1.5, note },
      // Each worker has a core to itself then, as where there are more cores than workers.
      {
        ...{ name: 'A test of the kit, with one worker', value: median(alone), unit: 's', limit: 1 },
        note: `${alone.length} runs, slowest ${Math.max(...alone).toFixed(1)} s`,
      },
      {
        name: 'The same against the least that a test of Playwright does',
        value: median(times) / least,
        unit: 'x',
        note: `which is ${least.toFixed(2)} s: one page with one click`,
      },
    ];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The seconds of each run of the tests that further arguments of Playwright choose, or of all. Throws if one has failed, with the names and errors of those that have. */
function runTimes(project, runs, further = []) {
  const args = [...testCommand(project), `--repeat-each=${runs}`, ...further];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, CI: '1' },
    maxBuffer: 2 ** 30,
  });
  if (!stdout.startsWith('{')) throw new Error(`The examples could not be run.\n${stdout}${stderr}`);
  const specsOf = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
  const specs = JSON.parse(stdout).suites.flatMap(specsOf);
  const results = specs.flatMap(({ title, tests }) =>
    tests.flatMap((each) => each.results.map((result) => ({ title, ...result }))),
  );
  const failed = results.filter(({ status }) => status !== 'passed');
  if (failed.length > 0)
    throw new Error(failed.map(({ title, error }) => `${title}: ${error?.message}`).join('\n\n'));
  return results.map(({ duration }) => duration / 1000);
}
