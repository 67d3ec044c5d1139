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
