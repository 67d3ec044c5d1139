// Writes docs/shell.md from the commands of the shell and what their suites hold. Its test does the writing: Vitest
// loads the commands.
import { spawnSync } from 'node:child_process';

const run = spawnSync('npx', ['vitest', 'run', '--project', 'node', 'build/shell-docs.test.ts'], {
  cwd: new URL('..', import.meta.url),
  env: { ...process.env, SHELL_DOCS: 'write' },
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
