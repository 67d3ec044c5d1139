import { LIMITS } from '../../src/protocol/limits.ts';
import type { LeftBehind, ProcessSignal } from '../shared/protocol.ts';
import { isSignal } from '../shared/signals.ts';
import { BinFs } from './bin-fs.ts';
import { encode } from './kit/io.ts';
import { commandNames, missingCommand, programsOf } from './commands/index.ts';
import type { ShellSource } from './input.ts';
import type { OuterJobs } from './outer-jobs.ts';
import { Descriptors, OpenFile } from './interpreter/descriptors.ts';
import { WholeSource } from './interpreter/pipe.ts';
import { interpreter } from './interpreter/interpreter.ts';
import { lastCommand } from './interpreter/in-place.ts';
import { BackgroundWatch } from './interpreter/left-behind.ts';
import { runScript } from './interpreter/run.ts';
import { runToEnd } from './interpreter/to-end.ts';
import { freshShell } from './interpreter/shells.ts';
import { noteSize } from './interpreter/size.ts';
import { read } from './interpreter/source.ts';
import { World } from './interpreter/world.ts';
import type { Shell } from './interpreter/shell.ts';
import type { OpenTerminal } from './keyboard.ts';
import type { ByteSink, ByteSource, Program, Terminal } from './program.ts';
import type { ShellFs } from './shell-fs.ts';

export type { ShellFs } from './shell-fs.ts';

/** Standard input: all of its bytes, or a source that is read when a command asks for input. */
export type ShellInput = Uint8Array | ShellSource;

export interface ShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: ShellInput;
  /** The positional parameters, from `$1` on. */
  readonly args?: readonly string[];
  /** `$0`; the default is `bash`. */
  readonly name?: string;
  /**
   * Receives standard output and standard error in the order in which they are written. Writers wait for the
   * promise it returns, so output does not pile up.
   */
  output(chunk: Uint8Array): void | Promise<void>;
  /** Receives standard error, where the caller wants it apart from standard output. */
  error?(chunk: Uint8Array): void | Promise<void>;
  /** Called before every statement and about every 20 ms while nothing runs; true ends the shell. */
  aborted(): boolean;
  /**
   * Called once the shell runs, with a function that sends it a signal, by a name such as `SIGINT`, as if
   * everything in it ran in the foreground. With the number of a job that was left behind, only that job gets it.
   */
  signals?(send: (signal: string, job?: number) => void): void;
  /**
   * The terminal that the shell is started in, with its keyboard; use `columns` instead for one whose size
   * never changes.
   */
  readonly terminal?: OpenTerminal;
  /** Width of the terminal, in characters; without it there is no terminal. */
  readonly columns?: number;
  readonly rows?: number;
  /** The numbers of the streams that are the terminal; the default is all three. */
  readonly terminals?: readonly number[];
  /**
   * How long background jobs may go on after the script, in milliseconds; the default is {@link LINGER_MS}.
   */
  readonly lingerMs?: number;
  /** Without it, what still runs in the background after `lingerMs` is ended. */
  readonly jobs?: KeptJobs;
  /** The jobs that earlier runs have left behind. */
  readonly outer?: OuterJobs;
  /** Replaces the default set, which is all of {@link shellCommands}. */
  readonly programs?: ShellPrograms;
}

/** Lets what runs in the background go on after the script, and hears of it. */
export interface KeptJobs {
  /** Receives what a background process prints to the script's own streams, from its start on. */
  output(job: number, chunk: Uint8Array, stream: 1 | 2): void | Promise<void>;
  /** Called once if anything goes on when the script is done. */
  left(end: ShellEnd, jobs: readonly LeftBehind[]): void;
  /** Called when nothing of a job runs any more. */
  ended(job: number, exitCode: number, signal?: ProcessSignal): void;
}

export interface ShellPrograms {
  /** The names that can be run: some of {@link shellCommands}, and the names of `more`. */
  readonly names: readonly string[];
  readonly more: Readonly<Record<string, Program>>;
}

export interface ShellEnd {
  /** The value is 124 where `aborted` ended the shell. */
  readonly exitCode: number;
  /** The signal that ended the shell, where the script signalled itself. */
  readonly signal?: ProcessSignal;
  /** The shell's directory at its end. */
  readonly cwd: string;
}

/** The names of all commands, sorted. */
export const shellCommands = commandNames;

const POLL_MS = 20;
/** How long a script that may leave jobs behind waits for them: a job that fails at once has its error in the output. */
const SETTLE_MS = 250;
/** How often the output of jobs that was left behind in memory is written to files, in milliseconds. */
const WRITE_MS = 100;
/**
 * This is enough for a job to print its last output. Without a limit, a server in the background would keep
 * the caller waiting for ever.
 */
const LINGER_MS = LIMITS.backgroundMs;
const ENDED = 'bash: what ran in the background was ended with the command that started it\n';

/**
 * Runs a script like `bash -c`. It rejects where `output` or the source of standard input fails, and never
 * because of what the script does.
 */
export async function runShell(fs: ShellFs, script: string, options: ShellOptions): Promise<ShellEnd> {
  const { columns, rows = 24 } = options;
  const terminal = options.terminal ?? (columns === undefined ? undefined : { columns, rows });
  const keyboard = options.terminals?.includes(0) === true ? options.terminal?.keyboard : undefined;
  const outside = new Outside();
  const { world, shell, errors } = startShell(fs, options, outside, {
    stdin:
      options.stdin instanceof Uint8Array
        ? new WholeSource(options.stdin, true)
        : (keyboard?.source ?? byLines(options.stdin, outside)),
    terminal,
  });
  const timer = setInterval(() => world.look(), POLL_MS);
  let background: BackgroundWatch | undefined;
  options.signals?.((signal, job) => {
    const name = signal.replace(/^SIG/, '');
    if (job === undefined) shell.process.signalAll(name);
    else background?.signal(job, name);
  });
  let exitCode = 124;
  try {
    const whole = read(script);
    shell.last = lastCommand(whole.tree.commands);
    exitCode = await shell.process.run(runToEnd(shell, runScript(shell, whole)));
    const { jobs } = options;
    if (!jobs) await endBackground(world, options.lingerMs ?? LINGER_MS, () => errors.write(encode(ENDED)));
    else if (!(await isIdleSoon(world))) {
      const end = { exitCode: exitCode & 255, cwd: shell.cwd, ...signalOf(shell) };
      background = new BackgroundWatch(world, ({ pid, status = 137, endedBy }) => {
        const signal = `SIG${endedBy}`;
        jobs.ended(pid, status, ...(isSignal(signal) ? [signal] : []));
      });
      await world.finishWriting();
      jobs.left(end, background.jobs);
      await untilIdle(world);
    }
  } catch (error) {
    if (!world.isOver) throw error;
  } finally {
    clearInterval(timer);
  }
  await world.finishWriting();
  outside.check();
  return { exitCode: world.isOver ? 124 : exitCode & 255, cwd: shell.cwd, ...signalOf(shell) };
}

function signalOf({ process }: Shell): Pick<ShellEnd, 'signal'> {
  const signal = `SIG${process.endedBy}`;
  return isSignal(signal) ? { signal } : {};
}

async function isIdleSoon(world: World): Promise<boolean> {
  const idle = world.whenIdle().then(() => true);
  let late: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<boolean>((resolve) => (late = setTimeout(() => resolve(false), SETTLE_MS)));
  const isIdle = await Promise.race([idle, over]);
  clearTimeout(late);
  return isIdle;
}

/** Waits for what goes on in the background, whose output is to be found in its files soon after it was printed. */
async function untilIdle(world: World): Promise<void> {
  const writing = setInterval(() => void world.finishWriting(), WRITE_MS);
  await world.whenIdle();
  clearInterval(writing);
  // The last job is told of a moment after its end.
  await new Promise((resolve) => setTimeout(resolve));
}

/**
 * Remembers the first failure of the caller's own streams. Such a failure ends the run, and the script must
 * not mistake it for a failure of its own.
 */
export class Outside {
  #broken: { readonly reason: unknown } | undefined;
  /** Called when the first failure happens. */
  broke = (): void => {};

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  readonly fail = (reason: unknown): never => {
    this.#broken ??= { reason };
    this.broke();
    throw reason;
  };

  /** Throws the failure, if there was one. */
  check(): void {
    if (this.#broken) throw this.#broken.reason;
  }
}

export interface StartedShell {
  readonly world: World;
  readonly shell: Shell;
  readonly errors: ByteSink;
}

/** Makes a shell with its world, its streams and its terminal variables. It has not run anything yet. */
export function startShell(
  fs: ShellFs,
  options: Omit<ShellOptions, 'stdin'>,
  outside: Outside,
  from: {
    readonly stdin: ByteSource;
    readonly terminal: Terminal | undefined;
    readonly isInteractive?: boolean;
  },
): StartedShell {
  const names = options.programs?.names ?? shellCommands;
  const { terminal } = from;
  const world = new World({
    files: new BinFs(fs, names),
    programs: programsOf(names, options.programs?.more),
    missing: (name) => missingCommand(name, [...names, ...interpreter.builtins.keys()]),
    aborted: () => outside.isBroken || options.aborted(),
    terminal,
    outer: options.outer,
  });
  outside.broke = () => world.look();
  const isTerminal = (fd: number) => terminal !== undefined && (options.terminals?.includes(fd) ?? true);
  const sinkOf = (say: ShellOptions['output']): ByteSink => ({
    write(bytes) {
      try {
        const said = say(bytes);
        return said instanceof Promise ? said.catch(outside.fail) : undefined;
      } catch (reason) {
        return outside.fail(reason);
      }
    },
  });
  const output = sinkOf((bytes) => options.output(bytes));
  const errors = options.error ? sinkOf((bytes) => options.error?.(bytes)) : output;
  const { jobs } = options;
  if (jobs)
    world.jobSink = (own, pid) => {
      const stream = own === output ? 1 : own === errors ? 2 : undefined;
      return stream && sinkOf((bytes) => jobs.output(pid(), bytes, stream));
    };
  const shell = freshShell(world, undefined, {
    env: new Map(Object.entries(options.env)),
    cwd: options.cwd,
    fds: new Descriptors([
      [0, new OpenFile({ source: from.stdin }, undefined, isTerminal(0))],
      [1, new OpenFile({ sink: output }, undefined, isTerminal(1))],
      [2, new OpenFile({ sink: errors }, undefined, isTerminal(2))],
    ]),
    name: options.name ?? 'bash',
    args: options.args ?? [],
    isInteractive: from.isInteractive ?? false,
    interpreter,
  });
  if (shell.isInteractive) noteSize(shell);
  return { world, shell, errors };
}

/** Waits for background jobs, and sends them SIGHUP when they take too long. */
async function endBackground(world: World, lingerMs: number, tell: () => unknown): Promise<void> {
  const idle = world.whenIdle();
  let late = false;
  const linger = setTimeout(() => {
    late = true;
    world.hangUp();
  }, lingerMs);
  await idle;
  clearTimeout(linger);
  if (late && !world.isOver) await tell();
}

function byLines(input: ShellSource, outside: Outside): ByteSource {
  const back: Uint8Array[] = [];
  return {
    read() {
      const piece = back.pop();
      if (piece) return piece;
      return input.readLine().then((bytes) => (bytes.length > 0 ? bytes : null), outside.fail);
    },
    unread: (bytes) => void (bytes.length > 0 && back.push(bytes)),
    close() {},
    isUnpiped: true,
  };
}
