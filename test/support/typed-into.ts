import { expect } from 'vitest';
import { Session } from '../../guest/shell/session.ts';
import type { KeyboardMode, LineState } from '../../src/workspace/typed-shell.ts';
import { memoryFiles, ROOT } from './shell.ts';

/** A terminal with a shell behind it: what was printed, and the state after each line. */
export class TypedInto {
  output = '';
  readonly states: LineState[] = [];
  readonly modes: KeyboardMode[] = [];
  readonly session: Session;
  #stopped = false;

  constructor(files: Record<string, string> = {}, size = { columns: 80, rows: 24 }) {
    this.session = new Session(memoryFiles(files), {
      cwd: ROOT,
      env: { HOME: '/home', LC_ALL: 'C.UTF-8' },
      columns: size.columns,
      rows: size.rows,
      output: (bytes) => void (this.output += new TextDecoder().decode(bytes)),
      aborted: () => this.#stopped,
      lineDone: (state) => void this.states.push(state),
      keyboard: (mode) => void this.modes.push(mode),
    });
  }

  stop(): void {
    this.#stopped = true;
    this.session.look();
  }

  type(text: string): void {
    this.session.input(new TextEncoder().encode(text));
  }

  /** Runs lines; resolves with what they printed. */
  async run(...lines: readonly string[]): Promise<string> {
    const before = this.output.length;
    const done = this.states.length + lines.length;
    for (const line of lines) this.session.line(line);
    await expect.poll(() => this.states.length, { interval: 1 }).toBeGreaterThanOrEqual(done);
    return this.output.slice(before);
  }

  async printed(text: string): Promise<void> {
    await expect.poll(() => this.output, { interval: 1 }).toContain(text);
  }
}
