import { pathTo } from './path.ts';
import type { EventOf } from './events.ts';
import type { Folds, TypesAbout } from './folds.ts';
import { newestPrompt } from './newest-prompt.ts';
import type { Message, Moment, SessionState } from './state.ts';
import { todosOnPath } from './todos.ts';

/** Events about the files at certain moments, and about going back to those moments. */
export const restoreFolds: Folds<TypesAbout<'snapshot' | 'restore'>> = {
  'snapshot.taken': foldSnapshot,
  'snapshot.missed': foldMissed,
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

function foldSnapshot(state: SessionState, event: EventOf<'snapshot.taken'>): void {
  const { manifest, reason } = event;
  if (reason === 'session-start') state.startSnapshot = manifest;
  const { snapshots } = state;
  if (reason === 'restore') {
    const { turn = manifest, newest = manifest, left = newest } = snapshots ?? {};
    state.snapshots = { newest: manifest, turn, left };
    return;
  }
  const prompt = promptOf(state, event);
  const isStart = reason === 'session-start' || reason === 'turn-start';
  // A prompt that joined a running turn begins none.
  const joined = isStart && prompt && state.turn !== null && state.turn.promptID !== prompt.id;
  const turn = isStart && !joined ? manifest : (snapshots?.turn ?? manifest);
  state.snapshots = { newest: manifest, turn, left: manifest };
  if (!prompt) return;
  const earlier = newestPrompt(state, prompt.parentID);
  if (joined && earlier?.files) setFiles(state, earlier, { ...earlier.files, after: manifest });
  // No call has run yet, so what is true of the second message is true of the first.
  if (reason === 'session-start' && earlier && !earlier.files)
    setFiles(state, earlier, { before: manifest, after: manifest });
  if (isStart) setFiles(state, prompt, { before: manifest, after: manifest });
  // It is not known how the files were before, if no snapshot was taken then.
  else if (prompt.files) setFiles(state, prompt, { ...prompt.files, after: manifest });
}

function foldMissed(state: SessionState, event: EventOf<'snapshot.missed'>): void {
  if (!state.snapshots) return;
  state.snapshots = { ...state.snapshots, missed: true };
  const prompt = promptOf(state, event);
  if (!prompt?.files) return;
  const { reason } = event;
  // A turn that runs has just begun.
  const isStart = reason === undefined ? state.turn !== null : reason !== 'turn-end';
  setFiles(state, prompt, isStart ? undefined : { before: prompt.files.before });
}

function promptOf(state: SessionState, { messageID }: { readonly messageID?: string | undefined }) {
  return messageID === undefined ? newestPrompt(state) : state.messages.get(messageID);
}

function setFiles(state: SessionState, prompt: Message, files: Message['files']): void {
  const { files: _before, ...rest } = prompt;
  state.messages.set(prompt.id, { ...rest, ...(files && { files }) });
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
