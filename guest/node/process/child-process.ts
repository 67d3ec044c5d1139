import { checkedCommand, checkedExecFile, checkedFork, checkLimits } from './child-arguments.ts';
import { makeChildClass } from './child-class.ts';
import { OutputGatherer } from './child-output.ts';
import { requestOf, type ChildContext } from './child-request.ts';
import type { RunContext } from './child-run.ts';
import { makeSyncFunctions } from './child-sync.ts';

/** `node:child_process`: every child is a process of the workspace, `node` or the shell. */
export function makeChildProcess(parts: ChildContext) {
  const { load, process } = parts;
  const context: RunContext = { ...parts, running: new Map() };
  const { ChildProcess, start } = makeChildClass(context);

  function spawn(file: unknown, args?: unknown, options?: unknown) {
    const request = requestOf(context, file, args, options);
    checkLimits({ ...request.options }, false);
    return start(request);
  }

  function execFile(file: unknown, ...rest: unknown[]) {
    const checked = checkedExecFile(file, rest);
    const request = requestOf(context, file, checked.args, checked.options);
    // The gatherer has a timer of its own, which also closes the streams.
    const { timeout: _timeout, ...options } = request.options;
    const child = start({ ...request, options: { ...options, stdio: 'pipe' } });
    const args = Array.isArray(checked.args) ? checked.args.map(String) : [];
    new OutputGatherer(load, child, request.options, checked.done, [String(file), ...args].join(' '));
    return child;
  }

  function exec(command: unknown, ...rest: unknown[]) {
    const whole = checkedCommand(command, rest[0]);
    return execFile(whole.command, whole.options, typeof rest[0] === 'function' ? rest[0] : rest[1]);
  }

  function fork(path: unknown, list?: unknown, more?: unknown) {
    const { file, args, options } = checkedFork(load, path, list, more, process);
    return start(requestOf(context, file, args, options));
  }

  for (const operation of [exec, execFile])
    Object.defineProperty(operation, Symbol.for('nodejs.util.promisify.custom'), {
      value: promised(operation),
    });

  const { spawnSync, execSync, execFileSync } = makeSyncFunctions(context);
  return {
    module: { ChildProcess, spawn, exec, execFile, fork, spawnSync, execSync, execFileSync, _forkChild() {} },
    /** Signals a child by its process number. False if this process has no such child. */
    signal(pid: number, signal: string | number): boolean {
      const child = context.running.get(pid);
      return child !== undefined && child.kill(signal);
    },
  };
}

/** Makes the form of `exec` and `execFile` that `util.promisify` returns. Errors in the arguments are thrown. */
function promised(operation: (...args: [unknown, ...unknown[]]) => object) {
  return (...args: unknown[]) => {
    let resolve: (output: object) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const promise = new Promise<object>((fulfil, refuse) => ([resolve, reject] = [fulfil, refuse]));
    const done = (error: Error | null, stdout: unknown, stderr: unknown) => {
      if (error) reject(Object.assign(error, { stdout, stderr }));
      else resolve({ stdout, stderr });
    };
    const [command, ...rest] = [...args, done];
    return Object.assign(promise, { child: operation(command, ...rest) });
  };
}
