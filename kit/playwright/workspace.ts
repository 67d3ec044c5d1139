import type { Page } from '@playwright/test';
import type { ChangedFile } from '../matchers/files.ts';
import { shown } from '../matchers/matches.ts';
import { OpenCalls } from './open-calls.ts';
import type { ExecOptions } from './page-calls.ts';

/** The files of the session on the page, and commands in their folder. Paths are relative to its root. */
export class TestWorkspace {
  readonly #page: Page;
  readonly open: OpenCalls;

  constructor(page: Page, open = new OpenCalls()) {
    this.#page = page;
    this.open = open;
  }

  /** Rejects if there is no such file. */
  read(path: string): Promise<string> {
    return this.open.call(this.#page, 'workspace.readFile', path);
  }

  write(path: string, text: string): Promise<void> {
    const written = this.open.call(this.#page, 'workspace.writeFile', path, text);
    return this.open.track(`workspace.write(${shown(path)})`, written);
  }

  remove(path: string): Promise<void> {
    return this.open.track(
      `workspace.remove(${shown(path)})`,
      this.open.call(this.#page, 'workspace.remove', path),
    );
  }

  /** Returns the paths of files, sorted; all of them without a glob. */
  list(glob = '**'): Promise<string[]> {
    return this.open.call(this.#page, 'workspace.list', glob);
  }

  /** Runs a command as the test's own; no rule applies to it and nobody is asked. */
  exec(command: string, options: ExecOptions = {}): Promise<{ exitCode: number; output: string }> {
    const ended = this.open.call(this.#page, 'workspace.exec', command, options);
    return this.open.track(`workspace.exec(${shown(command)})`, ended);
  }

  /** Returns the files that differ since the session's first prompt, or since its last one. */
  changes(since: 'session' | 'turn' = 'session'): Promise<ChangedFile[]> {
    return this.open.call(this.#page, 'workspace.changes', { since });
  }
}
