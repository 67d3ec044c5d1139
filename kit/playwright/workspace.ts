import type { Page } from '@playwright/test';
import type { ChangedFile } from '../matchers/files.ts';
import { callPage, type ExecOptions } from './page-calls.ts';

/** The files of the session on the page, and commands in their folder. Paths are relative to its root. */
export class TestWorkspace {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Rejects if there is no such file. */
  read(path: string): Promise<string> {
    return callPage(this.#page, 'workspace.readFile', path);
  }

  write(path: string, text: string): Promise<void> {
    return callPage(this.#page, 'workspace.writeFile', path, text);
  }

  remove(path: string): Promise<void> {
    return callPage(this.#page, 'workspace.remove', path);
  }

  /** Returns the paths of files, sorted; all of them without a glob. */
  list(glob = '**'): Promise<string[]> {
    return callPage(this.#page, 'workspace.list', glob);
  }

  /** Runs a command as the test's own; no rule applies to it and nobody is asked. */
  exec(command: string, options: ExecOptions = {}): Promise<{ exitCode: number; output: string }> {
    return callPage(this.#page, 'workspace.exec', command, options);
  }

  /** Returns the files that differ since the session, or its last turn, began. */
  changes(since: 'session' | 'turn' = 'session'): Promise<ChangedFile[]> {
    return callPage(this.#page, 'workspace.changes', { since });
  }
}
