import {
  Bash,
  getCommandNames,
  type BashOptions,
  type Command,
  type CommandName,
  type ExecOptions,
  type IFileSystem,
} from 'just-bash/browser';
import { BinFs } from './bin-fs.ts';
import { ABSENT_HERE, commandNames, commandsOf, missingCommand } from './commands/index.ts';
import { bytesOf, latin1Of } from './commands/command.ts';
import { StreamedInput, type ShellSource } from './input.ts';
import type { Live, Result, Scope, State } from './interpreter.ts';

/** Asynchronous files as the shell wants them; errors are `Error`s whose message starts with `ENOENT:` and the like. */
export type ShellFs = IFileSystem;

/** All of standard input, or where it comes from: read when a command asks for it. */
export type ShellInput = Uint8Array | ShellSource;

export interface ShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: ShellInput;
  /** Both streams, in order, as each statement finishes. The shell waits for a promise: nothing piles up. */
  output(chunk: Uint8Array): void | Promise<void>;
  /** Looked at before every statement and about every 20 ms while nothing runs; true ends the shell. */
  aborted(): boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
  /** Another set of programs than all of {@link shellCommands}. */
  readonly programs?: ShellPrograms;
}

export interface ShellPrograms {
  /** Of {@link shellCommands}, and the names of `more`. */
  readonly names: readonly string[];
  readonly more: readonly Command[];
}

export interface ShellEnd {
  /** 124 where `aborted` ended it. */
  readonly exitCode: number;
  /** The shell's directory at its end. */
  readonly cwd: string;
}

const BUILT_IN = getCommandNames().filter((name): name is CommandName => !ABSENT_HERE.has(name));

/** What can be run, sorted. */
export const shellCommands: readonly string[] = [...new Set([...BUILT_IN, ...commandNames])].sort();

/** A runaway script is ended by its time limit; these only keep it from taking the memory of the whole frame. */
const LIMITS: NonNullable<BashOptions['executionLimits']> = {
  maxCommandCount: Number.MAX_SAFE_INTEGER,
  maxLoopIterations: 1e9,
  maxAwkIterations: 1e9,
  maxSedIterations: 1e9,
  maxJqIterations: 1e9,
  maxWorkUnits: Number.MAX_SAFE_INTEGER,
  maxTraversalEntries: 1e8,
  maxTraversalWork: 1e9,
  maxAwkParserOperations: 1e9,
  maxGlobOperations: 1e8,
  maxCallDepth: 500,
  maxExecutionTimeMs: 2 ** 31 - 1,
  maxOutputSize: 128 * 1024 * 1024,
  maxInputBytes: 2 ** 40,
};

const POLL_MS = 20;
const BREATH_MS = 50;

/**
 * Runs a script as `bash -c` would. Never rejects for what the script does; rejects where `output` or the source of
 * standard input does.
 */
export async function runShell(fs: ShellFs, script: string, options: ShellOptions): Promise<ShellEnd> {
  const names = options.programs?.names ?? shellCommands;
  const files = new BinFs(fs, names);
  let broken: { readonly reason: unknown } | undefined;
  const abort = abortWhen(() => broken !== undefined || options.aborted());
  // The interpreter would take a failure of the outside world for one of the script.
  const outside = async <T>(work: () => T | Promise<T>, instead: T): Promise<T> => {
    try {
      return await work();
    } catch (reason) {
      broken ??= { reason };
      return instead;
    }
  };
  const input = options.stdin instanceof Uint8Array ? StreamedInput.whole(options.stdin) : options.stdin;
  const bytesFrom = (read: () => Promise<Uint8Array>) =>
    outside(async () => latin1Of(await unlessAborted(read(), abort.signal)), '');
  let state: State | undefined;
  let lastBreath = performance.now();
  const live: Live = {
    send: (result) => outside(() => sendBytes(result, options.output), undefined),
    input: {
      line: () => bytesFrom(() => input.readLine()),
      rest: () => bytesFrom(() => input.readToEnd()),
    },
    left: '',
    terminal: options.columns !== undefined,
    wanted: false,
    missing: missingCommand,
    async breathe() {
      if (performance.now() - lastBreath < BREATH_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      lastBreath = performance.now();
    },
  };
  const bash = new Bash({
    fs: files,
    cwd: options.cwd,
    env: { ...options.env, ...(options.columns && { COLUMNS: String(options.columns) }) },
    executionLimits: LIMITS,
    // The frame is the wall around this shell; patching the globals of the worker would only slow it down.
    defenseInDepth: false,
    commands: BUILT_IN.filter((name) => names.includes(name)),
    customCommands: [
      ...commandsOf({ files, commands: names, aborted: options.aborted }).filter(({ name }) =>
        names.includes(name),
      ),
      ...(options.programs?.more ?? []),
    ],
  });
  const execOptions: ExecOptions & { begin(scope: Scope, state: State): void } = {
    cwd: options.cwd,
    env: { PWD: options.cwd },
    rawScript: true,
    signal: abort.signal,
    begin(scope, shell) {
      scope.live = live;
      scope.destination = 'live';
      state = shell;
    },
  };
  try {
    const end = await bash.exec(script, execOptions).catch(internalError);
    await live.send(end);
    if (broken) throw broken.reason;
    return { exitCode: end.exitCode & 255, cwd: state?.cwd ?? options.cwd };
  } finally {
    abort.stop();
  }
}

function internalError(error: unknown): Result {
  const message = error instanceof Error ? error.message : String(error);
  return { stdout: '', stderr: `bash: ${message}\n`, exitCode: 1 };
}

/** A real signal whose `aborted` asks at every look, because a busy shell lets no event in. */
function abortWhen(aborted: () => boolean): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let done = false;
  const look = () => {
    if (!done && aborted()) {
      done = true;
      controller.abort();
    }
    return done;
  };
  Object.defineProperty(controller.signal, 'aborted', { get: look });
  const timer = setInterval(look, POLL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/** Nothing where the shell is ended while it waits for someone to type. */
function unlessAborted(input: Promise<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const cut = () => resolve(new Uint8Array());
    signal.addEventListener('abort', cut, { once: true });
    input.then(resolve, reject).finally(() => signal.removeEventListener('abort', cut));
  });
}

const encoder = new TextEncoder();

async function sendBytes(result: Result, output: ShellOptions['output']): Promise<void> {
  const isBytes = result.stdoutKind === 'bytes' || result.stdoutEncoding === 'binary';
  if (result.stdout) await output(isBytes ? bytesOf(result.stdout) : encoder.encode(result.stdout));
  if (result.stderr) await output(encoder.encode(result.stderr));
}
