import type { LineState } from '../../src/protocol/terminal.ts';
import { decode } from './kit/io.ts';
import { Outside, startShell, type ShellEnd, type ShellOptions } from './engine.ts';
import { builtins } from './interpreter/builtins/index.ts';
import { tellOfJobs } from './interpreter/background.ts';
import { ShellExit } from './interpreter/errors.ts';
import { runScript } from './interpreter/run.ts';
import { noteSize } from './interpreter/size.ts';
import { runToEnd, statusOf } from './interpreter/to-end.ts';
import type { Shell } from './interpreter/shell.ts';
import { read } from './interpreter/source.ts';
import { drive, Killed, wait, type Task } from './interpreter/task.ts';
import { runPending, statusOfSignal } from './interpreter/traps.ts';
import type { World } from './interpreter/world.ts';
import { OpenTerminal, TypedInput } from './keyboard.ts';
import type { KeyboardMode } from './program.ts';
import type { ShellFs } from './shell-fs.ts';

export interface SessionOptions extends Omit<ShellOptions, 'stdin' | 'signals' | 'columns'> {
  readonly columns: number;
  readonly rows: number;
  /** Called after each line, once all of its output has been passed on. */
  lineDone(state: LineState): void;
  /** Called when a program changes how the keyboard delivers what is typed, and when it changes that back. */
  keyboard(mode: KeyboardMode): void;
}

/** These commands get colour aliases, as in the usual start-up file of a person's shell. */
const COLOURED = ['ls', 'grep', 'egrep', 'fgrep'];
const CTRL_C = Uint8Array.of(3);
const HANG_UP_MS = 300;

/** A shell that a person types into. Variables, the directory and the like last from one line to the next. */
export class Session {
  /**
   * Resolves when the shell has ended: through `exit`, by a signal, or because it was stopped. Rejects where
   * `output` does.
   */
  readonly ended: Promise<ShellEnd>;
  readonly #options: SessionOptions;
  readonly #world: World;
  readonly #shell: Shell;
  readonly #outside = new Outside();
  readonly #keyboard: TypedInput;
  readonly #terminal: OpenTerminal;
  /** The first line of the list is the one that runs. */
  readonly #lines: { readonly text: string; readonly isGiven: boolean }[] = [];
  #done = 0;
  #wake = (): void => {};
  #lineCount = 0;

  constructor(fs: ShellFs, options: SessionOptions) {
    this.#options = options;
    this.#keyboard = new TypedInput((mode) => options.keyboard(mode));
    this.#terminal = new OpenTerminal(options.columns, options.rows, this.#keyboard);
    const { world, shell } = startShell(fs, options, this.#outside, {
      stdin: this.#keyboard.source,
      terminal: this.#terminal,
      isInteractive: true,
    });
    this.#world = world;
    this.#shell = shell;
    shell.options.set('monitor', true);
    shell.options.set('history', true);
    shell.shopt.set('expand_aliases', true);
    for (const name of COLOURED) shell.aliases.set(name, `${name} --color=auto`);
    shell.notify = () => void drive(tellOfJobs(shell), (promise) => promise);
    this.ended = this.#run();
  }

  /** Runs a line, which may span several rows, once the lines before it are done. */
  line(text: string): void {
    this.#take(text, true);
  }

  input(bytes: Uint8Array): void {
    this.#keyboard.add(bytes);
    // The input was meant for a line that has ended, so it is handed back with the state.
    if (this.#lines.length === 0) this.#options.lineDone(this.#state());
  }

  endInput(): void {
    this.#keyboard.end();
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    noteSize(this.#shell);
    this.#shell.process.tellInFront('WINCH');
    this.#wakeForTraps();
  }

  /**
   * Delivers a signal by its name. `SIGINT` interrupts the foreground, unless a program has that key, and `SIGTERM` has no effect; every
   * other signal goes to the shell.
   */
  signal(name: string): void {
    const signal = name.replace(/^SIG/, '');
    if (signal === 'INT' && this.#keyboard.hasControlKeys) this.#keyboard.add(CTRL_C);
    else if (signal === 'INT') {
      this.#shell.process.interrupt(this.#lines.length > 0);
      this.#wakeForTraps();
    } else if (signal !== 'TERM') this.#shell.process.signal(signal);
  }

  /** Checks whether the caller wants the shell to stop. */
  look(): void {
    this.#world.look();
  }

  #take(text: string, isGiven: boolean): void {
    this.#lines.push({ text, isGiven });
    this.#wake();
  }

  /** Traps run at the prompt as well, without waiting for the next line. */
  #wakeForTraps(): void {
    if (this.#lines.length === 0 && this.#shell.process.pending.length > 0) this.#take('', false);
  }

  async #run(): Promise<ShellEnd> {
    const { process } = this.#shell;
    let exitCode = 124;
    try {
      exitCode = await process.run(runToEnd(this.#shell, this.#readLines()));
      await this.#endJobs();
    } catch (error) {
      if (!this.#world.isOver) throw error;
    }
    await this.#world.finishWriting();
    this.#outside.check();
    return { exitCode: this.#world.isOver ? 124 : exitCode & 255, cwd: this.#shell.cwd };
  }

  *#readLines(): Task<number> {
    const shell = this.#shell;
    for (;;) {
      try {
        while (this.#lines.length === 0) yield* wait(new Promise<void>((resolve) => (this.#wake = resolve)));
        shell.process.check();
        yield* this.#runLine(this.#lines[0]?.text ?? '');
      } catch (error) {
        if (error instanceof ShellExit || this.#world.isOver) throw error;
        if (error instanceof Killed) {
          if (error.signal !== 'INT') throw error;
          shell.status = statusOfSignal('INT');
        } else shell.status = yield* statusOf(shell, error);
      }
      if (this.#lines.shift()?.isGiven) this.#done++;
      yield* tellOfJobs(shell);
      yield* wait(this.#world.finishWriting());
      this.#options.lineDone(this.#state());
    }
  }

  *#runLine(text: string): Task<void> {
    const shell = this.#shell;
    shell.flow = undefined;
    shell.levels = shell.loops = shell.unchecked = 0;
    shell.inTrap = false;
    shell.expandingAliases.clear();
    if (text.trim() !== '') shell.history.push(text);
    const firstLine = this.#lineCount + 1;
    this.#lineCount += text.split('\n').length;
    const before = shell.status;
    const status = yield* runScript(shell, read(text, undefined, firstLine));
    shell.status = text.trim() === '' ? before : status;
    if (shell.process.pending.length > 0) yield* runPending(shell);
  }

  #state(): LineState {
    const { status, cwd, functions, aliases, variables } = this.#shell;
    return {
      count: this.#done,
      exitCode: status,
      cwd,
      isIdle: this.#lines.length === 0 && this.#hasNoJobs(),
      unread: decode(this.#keyboard.rest()),
      names: {
        commands: [...new Set([...functions.keys(), ...aliases.keys(), ...builtins.keys()])].sort(),
        variables: variables.names().sort(),
      },
    };
  }

  #hasNoJobs(): boolean {
    return [...this.#world.processes.values()].every((process) => process === this.#shell.process);
  }

  /** Ends the background jobs, since the terminal of their shell is gone. */
  async #endJobs(): Promise<void> {
    const idle = this.#world.whenIdle();
    this.#world.hangUp();
    const late = setTimeout(() => this.#world.endAll(), HANG_UP_MS);
    await idle;
    clearTimeout(late);
  }
}
