import {
  Bash,
  getCommandNames,
  type BashOptions,
  type ExecOptions,
  type IFileSystem,
} from 'just-bash/browser';
import { BinFs } from './bin-fs.ts';
import { ABSENT_HERE, commandNames, commandsOf, missingCommand } from './commands/index.ts';
import { bytesOf, latin1Of } from './commands/command.ts';
import type { Live, Result, Scope, State } from './interpreter.ts';

/** Asynchronous files as the shell wants them; errors are `Error`s whose message starts with `ENOENT:` and the like. */
export interface ShellFs extends IFileSystem {}

/** All of standard input, or where it comes from: read to its end when the first command asks for it. */
export type ShellInput = Uint8Array | { readToEnd(): Promise<Uint8Array> };

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
}

export interface ShellEnd {
  /** 124 where `aborted` ended it. */
  readonly exitCode: number;
  /** The shell's directory at its end. */
  readonly cwd: string;
}

/** What can be run, sorted. */
export const shellCommands: readonly string[] = [
  ...new Set([...getCommandNames().filter((name) => !ABSENT_HERE.has(name)), ...commandNames]),
].sort();

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
  const files = new BinFs(fs, shellCommands);
  const abort = abortWhen(options.aborted);
  let state: State | undefined;
  let lastBreath = performance.now();
  const live: Live = {
    send: (result) => sendBytes(result, options.output),
    input: inputOf(options.stdin, abort.signal),
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
    customCommands: commandsOf({ files, commands: shellCommands, aborted: options.aborted }),
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
    const end = await bash.exec(script, execOptions);
    await live.send(end);
    return { exitCode: end.exitCode & 255, cwd: state?.cwd ?? options.cwd };
  } finally {
    abort.stop();
  }
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

function inputOf(input: ShellInput, signal: AbortSignal): () => Promise<string> {
  if (input instanceof Uint8Array) return () => Promise.resolve(latin1Of(input));
  return async () => {
    const cut = new Promise<Uint8Array>((resolve) => {
      signal.addEventListener('abort', () => resolve(new Uint8Array()), { once: true });
    });
    return latin1Of(await Promise.race([input.readToEnd(), cut]));
  };
}

const encoder = new TextEncoder();

async function sendBytes(result: Result, output: ShellOptions['output']): Promise<void> {
  const isBytes = result.stdoutKind === 'bytes' || result.stdoutEncoding === 'binary';
  if (result.stdout) await output(isBytes ? bytesOf(result.stdout) : encoder.encode(result.stdout));
  if (result.stderr) await output(encoder.encode(result.stderr));
}
