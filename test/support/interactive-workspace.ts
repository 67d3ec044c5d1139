import type {
  LineState,
  TerminalSize,
  TypedShell,
  TypedShellEvent,
} from '../../src/workspace/typed-shell.ts';
import {
  ROOT,
  type Capabilities,
  type Exit,
  type Process,
  type SpawnOptions,
} from '../../src/workspace/workspace.ts';
import { MemoryWorkspace } from './memory-workspace.ts';

/** A process whose output, input and end are in the test's hands. */
export class TestProcess implements Process {
  readonly id: string;
  readonly command: string;
  readonly options: SpawnOptions;
  readonly output: AsyncIterable<string>;
  readonly exited: Promise<Exit>;
  readonly written: string[] = [];
  inputClosed = false;
  killed = false;
  readonly #chunks: string[] = [];
  #wake = () => {};
  #over = false;
  #exit: (exit: Exit) => void = () => {};

  constructor(id: string, command: string, options: SpawnOptions) {
    this.id = id;
    this.command = command;
    this.options = options;
    this.exited = new Promise((resolve) => (this.#exit = resolve));
    this.output = this.#read();
  }

  print(text: string): void {
    this.#chunks.push(text);
    this.#wake();
  }

  end(exitCode = 0, exit: Partial<Exit> = {}): void {
    this.#over = true;
    this.#wake();
    this.#exit({
      exitCode,
      reason: 'exit',
      durationMs: 1,
      cwd: this.options.cwd ?? ROOT,
      outputMayBeCut: false,
      ...exit,
    });
  }

  write(input: string | Uint8Array): void {
    this.written.push(typeof input === 'string' ? input : new TextDecoder().decode(input));
  }

  closeInput(): void {
    this.inputClosed = true;
  }

  kill(): void {
    this.killed = true;
    this.end(130, { reason: 'killed' });
  }

  async *#read(): AsyncGenerator<string> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A workspace in memory whose processes the test drives: `onSpawn` is told of each as it starts. */
export class InteractiveWorkspace extends MemoryWorkspace {
  readonly processes: TestProcess[] = [];
  commands: readonly string[] = [];
  onSpawn: (process: TestProcess) => void = () => {};

  override async capabilities(): Promise<Capabilities> {
    return { ...(await super.capabilities()), commands: this.commands };
  }

  override spawn(command: string, options: SpawnOptions = {}): Process {
    const process = new TestProcess(`prc_${this.processes.length + 1}`, command, options);
    this.processes.push(process);
    this.onSpawn(process);
    return process;
  }
}

/** A lasting shell whose output, lines and end are in the test's hands. */
export class TestShell implements TypedShell {
  readonly id: string;
  size: TerminalSize;
  readonly events: AsyncIterable<string | TypedShellEvent>;
  readonly exited: Promise<Exit>;
  readonly lines: string[] = [];
  readonly written: string[] = [];
  interrupts = 0;
  resizes = 0;
  killed = false;
  readonly #events: (string | TypedShellEvent)[] = [];
  #wake = () => {};
  #over = false;
  #exit: (exit: Exit) => void = () => {};

  constructor(id: string, size: TerminalSize) {
    this.id = id;
    this.size = size;
    this.exited = new Promise((resolve) => (this.#exit = resolve));
    this.events = this.#read();
  }

  print(text: string): void {
    this.#events.push(text);
    this.#wake();
  }

  tell(event: TypedShellEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  /** The line that runs is over. */
  done(state: Partial<LineState> = {}): void {
    const names = { commands: [], variables: [] };
    this.tell({
      type: 'line',
      count: this.lines.length,
      exitCode: 0,
      cwd: ROOT,
      isIdle: true,
      unread: '',
      names,
      ...state,
    });
  }

  end(exitCode = 0, reason: Exit['reason'] = 'exit'): void {
    this.#over = true;
    this.#wake();
    this.#exit({ exitCode, reason, durationMs: 1, cwd: ROOT, outputMayBeCut: false });
  }

  run(line: string): void {
    this.lines.push(line);
  }

  write(input: string | Uint8Array): void {
    this.written.push(typeof input === 'string' ? input : new TextDecoder().decode(input));
  }

  closeInput(): void {}

  interrupt(): void {
    this.interrupts += 1;
  }

  resize(size: TerminalSize): void {
    this.size = size;
    this.resizes += 1;
  }

  kill(): void {
    this.killed = true;
    this.end(130, 'killed');
  }

  async *#read(): AsyncGenerator<string | TypedShellEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A workspace in memory with shells that last. */
export class LastingWorkspace extends InteractiveWorkspace {
  readonly shells: TestShell[] = [];

  openShell(size: TerminalSize): TypedShell {
    const shell = new TestShell(`prc_${this.shells.length + 1}`, size);
    this.shells.push(shell);
    return shell;
  }
}
