import type ChildProcess from 'node:child_process';
import type Fs from 'node:fs';
import { runTestCommand } from './builtins/test/command.ts';
import type { RunParts } from './run.ts';

/** `--test`: finds the files and runs each in a process of its own, as the runner does. */
export function runTests({ host, builtins, made, cli, main }: RunParts, patterns: readonly string[]): void {
  const flags = cli.execArgv.filter((word) => word !== '--test' && !word.startsWith('--watch'));
  main(
    runTestCommand(host, builtins.load, patterns, flags).then((code) => {
      if (code !== 0) made.process.exitCode = code;
    }),
  );
}

const RESTART_MS = 50;

/** `--watch`: runs the program in another process, again whenever what it is made of changes. */
export function watchProgram({ builtins, made, cli }: RunParts): void {
  const { process } = made;
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const fs = builtins.load('fs') as typeof Fs;
  const words = [...cli.execArgv.filter((word) => !word.startsWith('--watch')), ...process.argv.slice(1)];
  const name = cli.mode.kind === 'file' ? cli.mode.path : '';
  if (cli.mode.kind === 'file') words.push(name, ...cli.args);
  let child = start();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start() {
    const made_ = spawn(process.execPath, [...new Set(words)], { stdio: 'inherit' });
    made_.on('exit', (code) => {
      if (made_ !== child) return;
      const text = code === 0 ? 'Completed running' : 'Failed running';
      process.stdout.write(`${text} '${name}'${WAITING}\n`);
    });
    return made_;
  }

  const paths = cli.watchPaths.length > 0 ? cli.watchPaths : [process.cwd()];
  for (const path of paths)
    fs.watch(path, { recursive: true }, (_event, file) => {
      if (String(file).includes('node_modules/')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const before = child;
        process.stdout.write(`Restarting '${name}'\n`);
        child = start();
        before.kill('SIGTERM');
      }, RESTART_MS);
    });
}

const WAITING = '. Waiting for file changes before restarting...';
