import type { TerminalSize } from '../../../workspace/typed-shell.ts';
import { isInside } from '../../../protocol/paths.ts';
import { ROOT, type Process, type Workspace } from '../../../workspace/workspace.ts';
import { showName } from '../show-name.ts';
import { NO_NAMES, notesOn, type LineEvents, type LineShell } from './line-shell.ts';

/**
 * The shell for workspaces in which no shell outlasts its line: each line gets a new one, and only the
 * directory is kept.
 */
export class CommandShell implements LineShell {
  readonly takesNothing = false;
  readonly #workspace: Workspace;
  readonly #events: LineEvents;
  readonly #size: () => TerminalSize;
  #cwd = ROOT;
  #running: Process | null = null;
  #interrupted = false;

  constructor(workspace: Workspace, events: LineEvents, size: () => TerminalSize) {
    this.#workspace = workspace;
    this.#events = events;
    this.#size = size;
  }

  run(line: string): void {
    void this.#run(line);
  }

  write(text: string): void {
    this.#running?.write(text);
  }

  closeInput(): void {
    this.#running?.closeInput();
  }

  interrupt(): void {
    const process = this.#running;
    if (process?.interrupt && !this.#interrupted) process.interrupt();
    else process?.kill();
    this.#interrupted = true;
  }

  /** A program keeps the size that it began with. */
  resize(): void {}

  close(): void {
    this.#running?.kill();
  }

  async #run(line: string): Promise<void> {
    const process = this.#workspace.spawn(line, { cwd: this.#cwd, terminal: this.#size() });
    this.#running = process;
    this.#interrupted = false;
    for await (const chunk of process.output) await this.#events.print(chunk);
    const exit = await process.exited;
    this.#running = null;
    const notes = [...notesOn(exit), ...(await this.#move(exit.cwd))];
    const { exitCode } = exit;
    await this.#events.done({ exitCode, cwd: this.#cwd, notes, unread: '', names: NO_NAMES }, () => true);
  }

  /**
   * Commands start only inside the workspace. If a shell ended elsewhere, or in a folder that is gone, the
   * next one starts at the root.
   */
  async #move(cwd: string): Promise<readonly string[]> {
    const there =
      isInside(cwd, ROOT) && (await this.#workspace.files.stat(cwd).catch(() => null))?.type === 'directory';
    this.#cwd = there ? cwd : ROOT;
    return there || cwd === ROOT ? [] : [`${showName(cwd)} cannot be kept as the directory; back in ${ROOT}`];
  }
}
