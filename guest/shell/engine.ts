import { LIMITS } from '../../src/protocol/limits.ts';
import type { ProcessSignal } from '../shared/protocol.ts';
import { isSignal } from '../shared/signals.ts';
import { BinFs } from './bin-fs.ts';
import { encode } from './kit/io.ts';
import { commandNames, missingCommand, programsOf } from './commands/index.ts';
import type { ShellSource } from './input.ts';
import { Descriptors, OpenFile } from './interpreter/descriptors.ts';
import { WholeSource } from './interpreter/pipe.ts';
import { interpreter } from './interpreter/interpreter.ts';
import { runScript } from './interpreter/run.ts';
import { runToEnd } from './interpreter/to-end.ts';
import { freshShell } from './interpreter/shells.ts';
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
   * everything in it ran in the foreground.
   */
  signals?(send: (signal: string) => void): void;
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
  /** Replaces the default set, which is all of {@link shellCommands}. */
  readonly programs?: ShellPrograms;
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
  options.signals?.((signal) => shell.process.signalAll(signal.replace(/^SIG/, '')));
  let exitCode = 124;
  try {
    exitCode = await shell.process.run(runToEnd(shell, runScript(shell, read(script))));
    await endBackground(world, options.lingerMs ?? LINGER_MS, () => errors.write(encode(ENDED)));
  } catch (error) {
    if (!world.isOver) throw error;
  } finally {
    clearInterval(timer);
  }
  await world.finishWriting();
  outside.check();
  const signal = `SIG${shell.process.endedBy}`;
  return {
    exitCode: world.isOver ? 124 : exitCode & 255,
    cwd: shell.cwd,
    ...(isSignal(signal) && { signal }),
  };
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
  const shell = freshShell(world, undefined, {
    env: new Map(
      Object.entries({
        ...options.env,
        ...(terminal && {
          COLUMNS: String(terminal.columns),
          LINES: String(options.rows ?? options.env['LINES'] ?? terminal.rows),
        }),
      }),
    ),
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
