import type { LineState, TerminalSize, TypedShell } from '../../../workspace/typed-shell.ts';
import { ROOT, type Exit } from '../../../workspace/workspace.ts';
import { NO_NAMES, notesOn, type LineEvents, type LineShell } from './line-shell.ts';

/**
 * A program that was interrupted twice may still want to end by itself, or does something else then; the third Ctrl-C in a
 * row kills the shell with it.
 */
const PATIENT_INTERRUPTS = 2;

/** One shell for all lines. It starts with the first line, and starts again if it has ended. */
export class LastingShell implements LineShell {
  readonly #open: (size: TerminalSize) => TypedShell;
  readonly #events: LineEvents;
  readonly #size: () => TerminalSize;
  #shell: TypedShell | null = null;
  /** The number of lines that the shell was given. */
  #given = 0;
  #isRunning = false;
  #interrupts = 0;
  #isClosed = false;
  /** The state of the last shell before it was suspended, in which the next one starts. */
  #last: Pick<LineState, 'exitCode' | 'cwd'> = { exitCode: 0, cwd: ROOT };
  #wasSuspended = false;

  constructor(open: (size: TerminalSize) => TypedShell, events: LineEvents, size: () => TerminalSize) {
    this.#open = open;
    this.#events = events;
    this.#size = size;
  }

  get takesNothing(): boolean {
    return this.#shell !== null;
  }

  run(line: string): void {
    this.#interrupts = 0;
    this.#isRunning = true;
    if (!this.#shell) {
      this.#shell = this.#open(this.#size());
      this.#given = 0;
      void this.#listen(this.#shell);
      if (this.#wasSuspended) this.#goBack(this.#shell);
    }
    this.#given += 1;
    this.#shell.run(line);
  }

  write(text: string): void {
    // A person who types something between two Ctrl-C wants the program to go on, so these do not count together.
    this.#interrupts = 0;
    this.#shell?.write(text);
  }

  closeInput(): void {
    this.#shell?.closeInput();
  }

  interrupt(): void {
    if (this.#isRunning) this.#interrupts += 1;
    if (this.#interrupts <= PATIENT_INTERRUPTS) this.#shell?.interrupt();
    else this.#shell?.kill();
  }

  resize(): void {
    this.#shell?.resize(this.#size());
  }

  close(): void {
    this.#isClosed = true;
    this.#shell?.kill();
  }

  #goBack(shell: TypedShell): void {
    this.#wasSuspended = false;
    if (this.#last.cwd === ROOT) return;
    this.#given += 1;
    shell.run(`cd -- '${this.#last.cwd.replaceAll("'", "'\\''")}'`);
  }

  async #listen(shell: TypedShell): Promise<void> {
    for await (const event of shell.events) {
      if (typeof event === 'string') await this.#events.print(event);
      else if (event.type === 'keyboard') await this.#events.keyboard(event);
      else if (event.count < this.#given) {
        // The shell had not seen the newest line when it sent this, so input that came too late for the line
        // before goes to the newest.
        if (event.unread !== '') shell.write(event.unread);
      } else {
        this.#isRunning = false;
        this.#interrupts = 0;
        this.#last = event;
        await this.#events.done({ ...event, notes: [] }, () => event.count >= this.#given);
      }
    }
    const exit = await shell.exited;
    this.#shell = null;
    this.#isRunning = false;
    if (this.#isClosed) return;
    this.#wasSuspended = exit.reason === 'suspended';
    if (this.#wasSuspended) {
      await this.#events.done({ ...this.#last, notes: [SUSPENDED], unread: '', names: NO_NAMES }, () => true);
      return;
    }
    const notes = [...notesOn(exit), ended(exit)];
    const { exitCode } = exit;
    await this.#events.done({ exitCode, cwd: ROOT, notes, unread: '', names: NO_NAMES }, () => true);
  }
}

const SUSPENDED =
  'The shell was closed while its workspace was not in use. The next line begins a new one in the same directory, without the variables of the old one.';

function ended({ reason, exitCode }: Exit): string {
  const how = reason === 'exit' ? `The shell has ended with ${exitCode}` : 'The shell was ended';
  return `${how}, and what it had set is gone. The next line begins a new one.`;
}
