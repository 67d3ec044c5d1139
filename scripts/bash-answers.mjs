/** Runs scripts of test/fixtures/shell in the bash of this machine. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const areasFolder = new URL('../test/fixtures/shell/areas/', import.meta.url);

export function areaNames() {
  return readdirSync(areasFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** Returns the setting that an area runs in: the common home with the area's own files and variables. */
export function settingOf(area, home) {
  if (!home) return area;
  return { ...home, env: { ...home.env, ...area.env }, files: { ...home.files, ...area.files } };
}

/** Runs the script in a home of its own, laid out as the suite says. */
export function answerOfBash(script, suite) {
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
