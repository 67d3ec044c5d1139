import type { TerminalSize, TypedShell } from '../../../workspace/typed-shell.ts';
import { ROOT, type Exit } from '../../../workspace/workspace.ts';
import { NO_NAMES, notesOn, type LineEvents, type LineShell } from './line-shell.ts';

/** What tells twice that it is to end may still want to; a third Ctrl-C takes the shell with it. */
const PATIENT_INTERRUPTS = 2;

/** One shell for all lines. It begins with the first of them, and anew after its end. */
export class LastingShell implements LineShell {
  readonly #open: (size: TerminalSize) => TypedShell;
  readonly #events: LineEvents;
  readonly #size: () => TerminalSize;
  #shell: TypedShell | null = null;
  /** Lines given to it. */
  #given = 0;
  #isRunning = false;
  #interrupts = 0;
  #isClosed = false;

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
    }
    this.#given += 1;
    this.#shell.run(line);
  }

  write(text: string): void {
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

  async #listen(shell: TypedShell): Promise<void> {
    for await (const event of shell.events) {
      if (typeof event === 'string') await this.#events.print(event);
      else if (event.type === 'keyboard') await this.#events.keyboard(event);
      else if (event.count < this.#given) {
        // It had not seen the line yet that runs now: what came too late for the one before is for this one.
        if (event.unread !== '') shell.write(event.unread);
      } else {
        this.#isRunning = false;
        this.#interrupts = 0;
        await this.#events.done({ ...event, notes: [] }, () => event.count >= this.#given);
      }
    }
    const exit = await shell.exited;
    this.#shell = null;
    this.#isRunning = false;
    if (this.#isClosed) return;
    const notes = [...notesOn(exit), ended(exit)];
    const { exitCode } = exit;
    await this.#events.done({ exitCode, cwd: ROOT, notes, unread: '', names: NO_NAMES }, () => true);
  }
}

function ended({ reason, exitCode }: Exit): string {
  const how = reason === 'exit' ? `The shell has ended with ${exitCode}` : 'The shell was ended';
  return `${how}, and what it had set is gone. The next line begins a new one.`;
}
