import type { Unlisten } from '../../../../../base/listeners.ts';
import type { Position, WorkspaceLanguage } from '../../../../../language/language.ts';
import type { Workspace } from '../../../../../workspace/workspace.ts';

/** The parts of the workspace and the page that the language services in the editor need. */
export interface CodeHost {
  readonly language: () => Promise<WorkspaceLanguage>;
  readonly files: Pick<Workspace['files'], 'read' | 'write'>;
  /** Calls back when a file of the workspace has changed. */
  readonly watch: (listener: () => void) => Unlisten;
  /** Shows a file at a place. */
  readonly goTo: (path: string, position: Position) => void;
  readonly isUnsaved: (path: string) => boolean;
  /** Runs a change that the person makes to a file. */
  readonly own: <T>(path: string, change: () => Promise<T>) => Promise<T>;
}

/** Whether the language service knows code in a file with this name. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}
