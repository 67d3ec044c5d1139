import type ChildProcess from 'node:child_process';
import { RUN_COMMAND, type RunCommand } from '../builtins/test.ts';
import { joined } from '../loader/files.ts';
import type { RunParts } from './run-parts.ts';
import { reportedFiles, REPORTS_FILES, WatchedFiles } from './watching.ts';

/** `--test`: finds the test files and runs each in its own process, unless a flag asks for a single one. */
export function runTests({ builtins, cli }: RunParts, patterns: readonly string[]): void {
  const test: Record<symbol, RunCommand> = Object(builtins.load('test'));
  test[RUN_COMMAND]?.(patterns, cli.watch);
}

/** `--watch`: runs the program in another process, and again whenever one of its files changes. */
export function watchProgram({ builtins, made, cli }: RunParts, path: string): void {
  const { process } = made;
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const shown = `'${[path, ...cli.args].join(' ')}'`;
  const watched = new WatchedFiles(builtins.load('fs'), () => void restart());
  const byFolders = cli.watchPaths.length > 0;
  let child = start();
  let restarting = false;

  function start() {
    const started = spawn(process.execPath, [...cli.execArgv, path, ...cli.args], {
      stdio: ['inherit', 'inherit', 'inherit', ...(byFolders ? [] : (['ipc'] as const))],
      env: { ...process.env, [REPORTS_FILES]: '1' },
    });
    started.on('message', (message) => {
      for (const file of reportedFiles(message)) watched.add(path, file);
    });
    started.on('exit', (code) => {
      if (started !== child || restarting) return;
      const text = code === 0 ? 'Completed running' : 'Failed running';
      process.stdout.write(`${text} ${shown}. Waiting for file changes before restarting...\n`);
    });
    return started;
  }

  async function restart(): Promise<void> {
    if (restarting) return;
    restarting = true;
    process.stdout.write(`Restarting ${shown}\n`);
    await end('SIGTERM');
    restarting = false;
    child = start();
  }

  /** Ends the child. Resolves with its exit code, or with 0 if it had already ended. */
  function end(signal: NodeJS.Signals): Promise<number> {
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(0);
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code ?? 0));
      child.kill(signal);
    });
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      restarting = true;
      void end(signal).then((code) => process.exit(code));
    });
  for (const each of cli.watchPaths) watched.addAll(path, joined(process.cwd(), each));
  // The program's own file is watched even if it fails to load.
  if (!byFolders) watched.add(path, joined(process.cwd(), path));
}
