import { pathTo } from './path.ts';
import type { EventOf } from './events.ts';
import type { Folds, TypesAbout } from './folds.ts';
import type { Message, Moment, SessionState } from './state.ts';
import { todosOnPath } from './todos.ts';

/** Events about the files at certain moments, and about going back to those moments. */
export const restoreFolds: Folds<TypesAbout<'snapshot' | 'restore'>> = {
  'snapshot.taken': foldSnapshot,
  'snapshot.missed'(state) {
    if (!state.snapshots) return;
    state.snapshots = { ...state.snapshots, missed: true };
    const prompt = newestPrompt(state);
    if (!prompt?.files) return;
    const { files, ...rest } = prompt;
    // A turn that runs has just begun, so it is not known how the files were before it.
    state.messages.set(prompt.id, state.turn ? rest : { ...rest, files: { before: files.before } });
  },
  'restore.began'(state, { kind, head, files }) {
    const { snapshots } = state;
    state.restoring = {
      kind,
      from: { head: state.head, ...(files !== undefined && snapshots && { files: snapshots.newest }) },
      to: { ...(head !== undefined && { head }), ...(files !== undefined && { files }) },
    };
  },
  'restore.ended'(state, { fault }) {
    const { restoring } = state;
    delete state.restoring;
    if (!restoring || fault) return;
    const { kind, from, to } = restoring;
    if (from.head !== null && from.files !== undefined)
      state.leaves = { ...state.leaves, [from.head]: from.files };
    if (to.head !== undefined) moveTo(state, to.head);
    if (to.files !== undefined && state.snapshots) {
      const { newest } = state.snapshots;
      const turn = newestPrompt(state)?.files?.before ?? state.startSnapshot ?? newest;
      state.snapshots = { newest, turn, left: newest };
    }
    setUndone(state, undoneAfter(state.undone ?? [], kind, from));
  },
};

function foldSnapshot(state: SessionState, { manifest, reason }: EventOf<'snapshot.taken'>): void {
  if (reason === 'session-start') state.startSnapshot = manifest;
  const { snapshots } = state;
  if (reason === 'restore') {
    const { turn = manifest, newest = manifest, left = newest } = snapshots ?? {};
    state.snapshots = { newest: manifest, turn, left };
    return;
  }
  const isTurnStart = reason === 'session-start' || reason === 'turn-start';
  const turn = isTurnStart ? manifest : (snapshots?.turn ?? manifest);
  state.snapshots = { newest: manifest, turn, left: manifest };
  const prompt = newestPrompt(state);
  if (!prompt) return;
  const before = isTurnStart ? manifest : (prompt.files?.before ?? manifest);
  state.messages.set(prompt.id, { ...prompt, files: { before, after: manifest } });
}

/** The prompt that is worked on, or was last, in this version of the conversation. */
export function newestPrompt(state: SessionState): Message | undefined {
  for (let id = state.head; id !== null;) {
    const message = state.messages.get(id);
    if (!message || message.role === 'user') return message;
    id = message.parentID;
  }
  return undefined;
}

function moveTo(state: SessionState, head: string | null): void {
  state.head = head;
  state.branched = true;
  state.lastTurn = null;
  state.todos = todosOnPath(pathTo(state, head), state.parts);
}

function undoneAfter(undone: readonly Moment[], kind: string, from: Moment): readonly Moment[] {
  if (kind === 'undo') return [...undone, from];
  return kind === 'redo' ? undone.slice(0, -1) : [];
}

function setUndone(state: SessionState, undone: readonly Moment[]): void {
  if (undone.length > 0) state.undone = undone;
  else delete state.undone;
}
