import { BinFs } from '../../../guest/shell/bin-fs.ts';
import { runShell, type ShellFs, type ShellOptions } from '../../../guest/shell/engine.ts';
import { StreamedInput } from '../../../guest/shell/input.ts';
import { httpOf } from './http.ts';
import { jshNames, jshPrograms } from './jsh.ts';

type Listener = (...values: never[]) => void;

let current = '';

/** A worker runs one process at a time, and Node may be started anywhere in it. */
export function beginProcess(id: string): void {
  current = id;
}

/** Not Node: as much of it as the helper and the tests' own scripts use. */
export async function runNode(
  disk: ShellFs,
  args: readonly string[],
  options: ShellOptions,
): Promise<number> {
  const fs = new BinFs(disk, jshNames);
  const inline = args[0] === '-e';
  const [first = '', ...rest] = inline ? args.slice(1) : args;
  const at = (path: string) => fs.resolvePath(options.cwd, path);
  const say = (text: string | Uint8Array) =>
    void options.output(typeof text === 'string' ? encoder.encode(text) : text);
  try {
    const source = inline ? first : await fs.readFile(at(first));
    const alive = new Alive();
    const process = processOf(['node', ...(inline ? rest : [at(first), ...rest])], options, say, alive);
    const globals = {
      require: (name: string) => required(name.replace(/^node:/, ''), fs, at, options, alive),
      module: { exports: {} },
      process,
      console: {
        log: (...words: unknown[]) => say(`${words.map(String).join(' ')}\n`),
        error: (...words: unknown[]) => say(`${words.map(String).join(' ')}\n`),
      },
      setTimeout: (run: () => void, ms?: number) => {
        const done = alive.hold();
        return setTimeout(() => (run(), done()), ms);
      },
      setInterval: (run: () => void, ms?: number) => (alive.hold(), setInterval(run, ms)),
    };
    const names = Object.keys(globals);

    const body = new Function(...names, `"use strict";${source.replace(/^#!.*/, '')}`) as (
      ...values: unknown[]
    ) => unknown;
    const failed = alive.failure;
    body(...Object.values(globals));
    const code = await Promise.race([alive.over, failed]);
    return code ?? process.exitCode ?? 0;
  } catch (error) {
    say(`node: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

const encoder = new TextEncoder();

/** A process lives as long as something may still call it. */
class Alive {
  readonly over: Promise<number | undefined>;
  readonly failure: Promise<never>;
  exit: (code: number | undefined) => void = () => {};
  fail: (error: unknown) => void = () => {};
  #held = 0;

  constructor() {
    this.over = new Promise((resolve) => (this.exit = resolve));
    this.failure = new Promise((_, reject) => (this.fail = reject));
    this.failure.catch(() => {});
    this.hold()();
  }

  hold(): () => void {
    this.#held++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      // What was waited for may start the next thing.
      setTimeout(() => setTimeout(() => --this.#held === 0 && this.exit(undefined)));
    };
  }

  while<T>(work: Promise<T>): Promise<T> {
    return work.finally(this.hold());
  }
}

function processOf(
  argv: string[],
  options: ShellOptions,
  say: (text: string | Uint8Array) => void,
  alive: Alive,
) {
  const process = {
    argv,
    env: options.env,
    exitCode: undefined as number | undefined,
    platform: 'linux',
    version: 'v22.0.0',
    cwd: () => options.cwd,
    exit: (code = 0) => alive.exit(code),
    on: () => process,
    stdout: { write: (text: string | Uint8Array) => (say(text), true) },
    stderr: { write: (text: string | Uint8Array) => (say(text), true) },
    stdin: {
      setEncoding: () => {},
      on(event: string, listener: Listener) {
        if (event !== 'data') return;
        const done = alive.hold();
        void (async () => {
          const source =
            options.stdin instanceof Uint8Array ? StreamedInput.whole(options.stdin) : options.stdin;
          for (let line = await source.readLine(); line.length > 0; line = await source.readLine())
            listener(new TextDecoder().decode(line) as never);
          done();
        })();
      },
    },
  };
  return process;
}

function required(
  name: string,
  fs: ShellFs,
  at: (path: string) => string,
  options: ShellOptions,
  alive: Alive,
): unknown {
  switch (name) {
    case 'fs/promises':
      return filesOf(fs, at, alive);
    case 'fs':
      return { promises: filesOf(fs, at, alive) };
    case 'os':
      return { tmpdir: () => '/tmp' };
    case 'child_process':
      return {
        spawn: (
          _: string,
          [, script = '']: string[],
          how: { cwd?: string; env?: Record<string, string> } = {},
        ) => child(fs, script, { ...options, ...how, env: { ...options.env, ...how.env } }, alive),
      };
    case 'http':
      return httpOf(current, () => alive.hold());
    default:
      throw new Error(`Cannot find module '${name}'`);
  }
}

function filesOf(fs: ShellFs, at: (path: string) => string, alive: Alive) {
  const stats = (node: Awaited<ReturnType<ShellFs['lstat']>>) => ({
    size: node.size,
    mode: node.mode,
    mtimeMs: node.mtime.getTime(),
    isFile: () => node.isFile,
    isDirectory: () => node.isDirectory,
    isSymbolicLink: () => node.isSymbolicLink,
  });
  const files = {
    readFile: (path: string, encoding?: string) =>
      encoding ? fs.readFile(at(path)) : fs.readFileBuffer(at(path)),
    writeFile: (path: string, data: string | Uint8Array) => fs.writeFile(at(path), data),
    lstat: async (path: string) => stats(await fs.lstat(at(path))),
    stat: async (path: string) => stats(await fs.stat(at(path))),
    async readdir(path: string, { withFileTypes = false } = {}) {
      if (!withFileTypes) return fs.readdir(at(path));
      const entries = (await fs.readdirWithFileTypes?.(at(path))) ?? [];
      return entries.map(({ name, ...kind }) => ({
        name,
        isFile: () => kind.isFile,
        isDirectory: () => kind.isDirectory,
        isSymbolicLink: () => kind.isSymbolicLink,
      }));
    },
    mkdir: (path: string, how: { recursive?: boolean } = {}) => fs.mkdir(at(path), how),
    rm: (path: string, how: { recursive?: boolean; force?: boolean } = {}) => fs.rm(at(path), how),
    rename: (from: string, to: string) => fs.mv(at(from), at(to)),
    realpath: (path: string) => fs.realpath(at(path)),
    readlink: (path: string) => fs.readlink(at(path)),
    symlink: (target: string, path: string) => fs.symlink(target, at(path)),
    chmod: (path: string, mode: number) => fs.chmod(at(path), mode),
    utimes: (path: string, _: number, seconds: number) =>
      fs.utimes(at(path), new Date(0), new Date(seconds * 1000)),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, call]) => [
      name,
      (...args: Parameters<typeof call>) =>
        alive.while((call as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  );
}

/** `spawn('jsh', ['-c', script])` with three pipes, both outputs in one. */
function child(fs: ShellFs, script: string, options: ShellOptions, alive: Alive) {
  const input = new StreamedInput();
  const heard: Record<string, Listener[]> = {};
  const tell = (event: string, ...values: unknown[]) => {
    for (const listener of heard[event] ?? []) listener(...(values as never[]));
  };
  let stopped = false;
  const on = (prefix: string) => (event: string, listener: Listener) =>
    void (heard[prefix + event] ??= []).push(listener);
  // As in Node, nothing is told before whoever starts it had the time to listen.
  const run = Promise.resolve().then(() =>
    runShell(fs, script, {
      ...options,
      stdin: input,
      aborted: () => stopped || options.aborted(),
      output: (bytes) => tell('out:data', bytes),
      programs: jshPrograms(fs, options),
    }),
  );
  void alive.while(run).then(({ exitCode }) => tell('close', exitCode));
  return {
    stdin: { write: (bytes: Uint8Array) => input.add(bytes), end: () => input.end(), on: () => {} },
    stdout: { on: on('out:') },
    stderr: { on: () => {} },
    on: on(''),
    kill: () => (stopped = true),
  };
}
