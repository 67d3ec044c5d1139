import type { Workspace } from '../../../workspace/workspace.ts';
import type { FilesState } from './files-state.svelte.ts';

/**
 * The states of the tab Files by their workspaces' ids. The tab itself goes away whenever another workspace is
 * shown; a state with unsaved edits stays until they are saved or discarded.
 */
const held = new Map<string, FilesState>();

/** The state for a workspace: the one with unsaved edits if there is one, else what `make` returns. */
export function stateFor(workspace: Workspace, make: () => FilesState): FilesState {
  const left = held.get(workspace.id);
  if (left?.workspace === workspace) return left;
  const state = make();
  // The workspace was closed and opened again, so its edits continue on the new object.
  if (left) {
    state.openFiles.resume(left.openFiles);
    left.close();
  }
  held.set(workspace.id, state);
  return state;
}

/** The tab no longer shows the state. */
export function leave(state: FilesState): void {
  state.agentActive = () => false;
  if (state.openFiles.unsaved.length > 0) return;
  state.close();
  if (held.get(state.workspace.id) === state) held.delete(state.workspace.id);
}

addEventListener('beforeunload', (event) => {
  if ([...held.values()].some(({ openFiles }) => openFiles.unsaved.length > 0)) event.preventDefault();
});
