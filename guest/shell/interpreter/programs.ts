import { messageOf } from '../../../src/base/message-of.ts';
import type { ShellFs } from '../shell-fs.ts';
import { encode, readAll } from '../kit/io.ts';
import {
  BrokenPipe,
  type ByteSink,
  type ProcessInfo,
  type Program,
  type ProgramCall,
  type RunChange,
} from '../program.ts';
import { fetchFrom } from '../children.ts';
import { jobWith } from './left-behind.ts';
import { takeFor, type Process } from './process.ts';
import { OpenFile, streamNumber } from './descriptors.ts';
import { nothing } from './pipe.ts';
import { overlaid } from './overlaid.ts';
import type { Shell } from './shell.ts';
import { drive, Interrupted, Killed, wait, type Task } from './task.ts';
import { Variable } from './variables.ts';
import { runToEnd } from './to-end.ts';

const closed: ByteSink = {
  write() {
    throw new Error('write error: Bad file descriptor');
  },
};

/** Runs a program with the streams, variables and directory of a shell. Answers its exit code. */
export function* runProgram(
  shell: Shell,
  program: Program,
  name: string,
  args: readonly string[],
): Task<number> {
  yield* shell.world.flush();
  shell.fds.get(0)?.source?.again?.();
  const controller = shell.process.programSignal();
  const before = shell.process.running;
  shell.process.running = { command: [name, ...args].join(' '), started: Date.now() };
  const call = callOf(shell, name, args, controller.signal);
  try {
    const result = program(call);
    return ((result instanceof Promise ? yield* wait(result) : result) & 255) >>> 0;
  } catch (error) {
    if (error instanceof BrokenPipe) return 141;
    if (error instanceof Killed || error instanceof Interrupted) throw error;
    if (controller.signal.aborted) return 143;
    const base = name.slice(name.lastIndexOf('/') + 1);
    try {
      const told = call.stderr.write(encode(`${base}: ${messageOf(error)}\n`));
      if (told) yield* wait(told);
    } catch (again) {
      if (again instanceof Killed) throw again;
    }
    return 1;
  } finally {
    shell.process.settle(controller);
    shell.process.running = before;
  }
}

function callOf(shell: Shell, name: string, args: readonly string[], signal: AbortSignal): ProgramCall {
  const { world, cwd } = shell;
  const files = args.some((arg) => arg.includes('/dev/')) ? withDevices(shell) : shell.files;
  return {
    name,
    args,
    env: shell.environment(),
    cwd,
    files,
    signal,
    isInFront: () => !signal.aborted && shell.process.isInFront,
    takeSignals(take) {
      shell.process.take = take;
      return () => (shell.process.take = undefined);
    },
    endedBy: (name) => shell.process.standInEnded(name.replace(/^SIG/, '')),
    stdin: shell.fds.get(0)?.source ?? nothing,
    stdout: shell.fds.get(1)?.sink ?? closed,
    stderr: shell.fds.get(2)?.sink ?? closed,
    terminal: (stream) => (shell.fds.get(stream)?.isTerminal ? world.terminal : undefined),
    stream: (path) => {
      const fd = streamNumber(path);
      return fd === undefined ? undefined : shell.fds.get(fd)?.source;
    },
    umask: shell.umask,
    fetch: (request) => fetchFrom(request, signal),
    processes: () => processesOf(shell),
    job: jobWith(shell.process),
    path: (given) => world.files.resolvePath(cwd, given),
    run: (words, change) => runFor(shell, words, change),
  };
}

/**
 * Lists the processes of the run, and those that earlier runs have left behind. A program in the foreground of a
 * shell counts as a process of its own, as it would on a real system.
 */
async function processesOf(shell: Shell): Promise<ProcessInfo[]> {
  const { world } = shell;
  const asking = new Set<Process>();
  for (let at: Process | undefined = shell.process; at; at = at.parent) asking.add(at);
  const all = [...world.processes.values()].flatMap((process) => {
    const { pid, command, started, running, isFork } = process;
    const ppid = process.parent?.pid ?? 1;
    const own = { pid, ppid, command, started, isAsking: asking.has(process) };
    if (!running) return [own];
    if (isFork) return [{ ...own, command: running.command }];
    running.pid ??= world.nextPid();
    const front = { pid: running.pid, ppid: pid, command: running.command, started: running.started };
    return [own, { ...front, isAsking: own.isAsking }];
  });
  const outer = (await world.outer?.list().catch(() => [])) ?? [];
  for (const { processes } of outer) all.push(...processes.map((each) => ({ ...each, isAsking: false })));
  return all.sort((a, b) => a.pid - b.pid);
}

/** Runs words as a command on behalf of a program, in a process of its own. */
async function runFor(shell: Shell, words: readonly string[], change: RunChange = {}): Promise<number> {
  const streams = new Map<number, OpenFile>();
  if (change.stdin) streams.set(0, new OpenFile({ source: change.stdin }));
  if (change.stdout) streams.set(1, new OpenFile({ sink: change.stdout }));
  if (change.stderr) streams.set(2, new OpenFile({ sink: change.stderr }));
  await drive(shell.forkRoom(), (promise) => promise);
  const child = shell.fork(streams);
  child.unchecked = 1;
  child.process.isInPlace = true;
  child.traps.clear();
  if (change.env) {
    const before = [...child.variables.exported().keys()];
    // Local and temporary variables would hide the variables that are given, so only the global scope stays.
    child.variables.keepGlobal();
    for (const name of before) child.variables.unsetOwn(name);
    for (const [name, value] of change.env) child.variables.provide(name, new Variable(value, ['exported']));
    child.variables.forgetExports();
    child.hashed.clear();
  }
  if (change.cwd !== undefined) {
    child.cwd = change.cwd;
    child.variables.provide('PWD', new Variable(change.cwd, ['exported']));
  }
  const end = () => child.process.signal(String(change.signal?.reason ?? 'SIGTERM').replace(/^SIG/, ''));
  if (change.signal?.aborted) end();
  change.signal?.addEventListener('abort', end, { once: true });
  change.kill?.addEventListener('abort', () => child.process.signal('KILL'), { once: true });
  if (change.takesSignals) shell.process.take = takeFor(child.process);
  try {
    const status = await child.process.run(
      runToEnd(
        child,
        child.interpreter.invoke(child, words, {
          withoutFunctions: true,
          usualPath: change.env?.has('PATH') === false,
        }),
      ),
    );
    // The program reads files without going through the interpreter, so pending writes have to be done.
    await shell.world.finishWriting();
    if (change.takesSignals) shell.process.standInEnded(child.process.endedBy);
    return status;
  } finally {
    if (change.takesSignals) shell.process.take = undefined;
    change.signal?.removeEventListener('abort', end);
  }
}

/** A file system in which `/dev/fd/N` and the like are the streams of a shell. */
function withDevices(shell: Shell): ShellFs {
  const files = shell.files;
  const streamOf = (path: string) => {
    const fd = streamNumber(path);
    return fd === undefined ? undefined : shell.fds.get(fd);
  };
  const stat = {
    isFile: true,
    isDirectory: false,
    isSymbolicLink: false,
    mode: 0o600,
    size: 0,
    mtime: new Date(),
  };
  const read = async (path: string): Promise<Uint8Array> => {
    const source = streamOf(path)?.source;
    return source ? readAll(source) : files.readFileBuffer(path);
  };
  const write = async (path: string, content: string | Uint8Array): Promise<boolean> => {
    const sink = streamOf(path)?.sink;
    if (!sink) return false;
    await sink.write(typeof content === 'string' ? encode(content) : content);
    return true;
  };
  const own: Partial<ShellFs> = {
    readFileBuffer: read,
    readFile: async (path, options) =>
      streamOf(path) ? new TextDecoder().decode(await read(path)) : files.readFile(path, options),
    writeFile: async (path, content) =>
      void ((await write(path, content)) || (await files.writeFile(path, content))),
    appendFile: async (path, content) =>
      void ((await write(path, content)) || (await files.appendFile(path, content))),
    exists: async (path) => streamOf(path) !== undefined || files.exists(path),
    stat: async (path) => (streamOf(path) ? stat : files.stat(path)),
    lstat: async (path) => (streamOf(path) ? stat : files.lstat(path)),
    realpath: async (path) => (streamOf(path) ? path : files.realpath(path)),
  };
  return overlaid(files, own);
}
