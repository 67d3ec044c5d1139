// Runs the cases of test/fixtures/node with a real Node 22 and a real bash.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages, usesPackages } from './node-packages.mjs';
import { comparable, folderOf, HOME } from './node-cases.mjs';

/** The npm that the workspace runs, because that of the machine may be another version. */
const npm = fileURLToPath(new URL('../node_modules/npm/bin/', import.meta.url));

/** Turns off npm's output that does not concern the case. */
const NPM = { npm_config_update_notifier: 'false', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Returns the Node 22 to compare with: VITRINE_NODE22 or this one. Undefined if neither is a Node 22. */
export function findNode22() {
  const candidate = process.env.VITRINE_NODE22 ?? process.execPath;
  const { stdout = '' } = spawnSync(candidate, ['-v'], { encoding: 'utf8' });
  return stdout?.startsWith('v22.') ? candidate : undefined;
}

/** The archive of packages, which is made once. */
let archive;

/** Lays out a case in a fresh folder and runs it. */
export function runNatively(node, area, { name, command, files }) {
  // The folder's name must be as long as HOME.
  const base = mkdtempSync('/tmp/n-');
  const folder = join(base, folderOf(area, name));
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (usesPackages(area)) execFileSync('tar', ['-C', base, '-xf', (archive ??= packPackages())]);
  const home = join(base, '.home');
  const programs = join(base, '.bin');
  for (const each of [home, programs]) mkdirSync(each);
  for (const name of ['npm', 'npx']) symlinkSync(`${npm}${name}-cli.js`, join(programs, name));
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command], {
    cwd: folder,
    env: {
      PATH: `${programs}:${dirname(node)}:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TERM: 'dumb',
      TMPDIR: '/tmp',
      ...NPM,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    encoding: 'utf8',
  });
  if (existsSync(base)) rmSync(base, { recursive: true });
  const seen = (text) => comparable(text.replaceAll(base, HOME));
  return { stdout: seen(stdout), stderr: seen(stderr), exitCode: status };
}
