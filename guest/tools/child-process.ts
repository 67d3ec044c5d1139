import { shellWord } from '../../src/base/shell-word.ts';
import type { Exec } from './shell.ts';
import { refusal } from './world.ts';

type Callback = (error: Error | null, stdout: string, stderr: string) => void;
interface Options {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** The functions of `child_process` that can wait for permission: `exec` and `execFile`, also when promisified. */
export function childProcessOf(run: Exec): Record<string, unknown> {
  const exec = async (command: string, options: Options = {}) => {
    const { exitCode, output } = await run(command, options);
    if (exitCode === 0) return { stdout: output, stderr: '' };
    throw Object.assign(new Error(`Command failed: ${command}\n${output}`), {
      code: exitCode,
      stdout: output,
      stderr: '',
    });
  };
  const called = (command: string, rest: readonly unknown[]) => {
    const done = rest.find((each): each is Callback => typeof each === 'function');
    const options = rest.find(
      (each): each is Options => typeof each === 'object' && each !== null && !Array.isArray(each),
    );
    exec(command, options).then(
      ({ stdout }) => done?.(null, stdout, ''),
      (error: Error & { stdout?: string }) => done?.(error, error.stdout ?? '', ''),
    );
  };
  const lineOf = (file: string, args: unknown) =>
    [file, ...(Array.isArray(args) ? args.map(String) : [])].map(shellWord).join(' ');
  const promised = Symbol.for('nodejs.util.promisify.custom');
  const module: Record<string, unknown> = {
    exec: Object.assign((command: string, ...rest: unknown[]) => called(command, rest), { [promised]: exec }),
    execFile: Object.assign((file: string, ...rest: unknown[]) => called(lineOf(file, rest[0]), rest), {
      [promised]: (file: string, args?: unknown, options?: Options) => exec(lineOf(file, args), options),
    }),
    ...Object.fromEntries(
      ['spawn', 'fork', 'execSync', 'execFileSync', 'spawnSync'].map((name) => [
        name,
        () => {
          throw refusal(
            'EPERM',
            `child_process.${name} cannot ask for permission first. Use exec or Bun.$ instead.`,
          );
        },
      ]),
    ),
  };
  return { ...module, default: module, __esModule: true };
}
