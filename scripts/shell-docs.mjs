// Writes docs/shell.md from the shell's commands and their test suites. The page's test does the writing,
// because Vitest can load the commands.
import { spawnSync } from 'node:child_process';

const run = spawnSync('npx', ['vitest', 'run', '--project', 'node', 'build/shell-docs.test.ts'], {
  cwd: new URL('..', import.meta.url),
  env: { ...process.env, SHELL_DOCS: 'write' },
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
