// Checks the files of the next commit: format, lint and, if there is code among them, types.
import { execFileSync, spawnSync } from 'node:child_process';

const staged = execFileSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter(Boolean);
const code = staged.filter((file) => /\.(ts|svelte|js|mjs)$/.test(file));

/** Runs a program of node_modules/.bin. Ends this check if it fails. */
function run(name, ...args) {
  const { status } = spawnSync('npx', ['--no-install', name, ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (staged.length > 0) run('prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...staged);
if (code.length > 0) run('eslint', '--max-warnings', '0', '--no-warn-ignored', ...code);
const typescript = code.filter((file) => file.endsWith('.ts') && !file.endsWith('.svelte.ts'));
if (typescript.length > 0) run('oxlint', '--type-aware', '--quiet', ...typescript);
// svelte-check checks TypeScript files as well, but takes longer.
if (code.some((file) => /\.svelte(\.ts)?$/.test(file)))
  run('svelte-check', '--tsgo', '--tsconfig', './tsconfig.json', '--fail-on-warnings');
else if (typescript.length > 0) run('tsc', '--noEmit');
