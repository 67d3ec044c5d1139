import { FaultError } from '../../base/fault.ts';
import type { RestoreKind } from '../log/events.ts';
import { pathTo } from '../log/path.ts';
import type { Message, Moment, SessionState } from '../log/state.ts';

/** Where the person wants to go. */
export type RestoreTo =
  /** To the moment right before this prompt of the person. */
  | { readonly kind: 'before'; readonly messageID: string }
  /** Back to where the last undo began. */
  | { readonly kind: 'redo' }
  /** To the version of the conversation that begins with this prompt, as it was when it was left. */
  | { readonly kind: 'branch'; readonly messageID: string };

export interface RestoreMoment extends Moment {
  readonly kind: RestoreKind;
  /** The prompt right before which the moment is. */
  readonly prompt?: string;
}

/** The moment to go to. Throws a fault if there is none. Every message since that moment must be loaded. */
export function momentOf(state: SessionState, to: RestoreTo): RestoreMoment {
  if (to.kind === 'redo') {
    const moment = state.undone?.at(-1);
    if (!moment) throw new FaultError(NOTHING_TO_REDO);
    return { kind: 'redo', ...moment };
  }
  const message = state.messages.get(to.messageID);
  if (message?.role !== 'user') throw new FaultError({ ...NO_SUCH_PROMPT, where: to.messageID });
  if (to.kind === 'branch') return endOfBranch(state, message);
  const { id: prompt, parentID: head, files } = message;
  return { kind: 'undo', prompt, head, ...(files && { files: files.before }) };
}

/** The newest message that follows from this prompt, and the files as they were there. */
function endOfBranch(state: SessionState, prompt: Message): RestoreMoment {
  const within = new Set([prompt.id]);
  let newest = prompt;
  for (const message of state.messages.values()) {
    if (message.parentID === null || !within.has(message.parentID)) continue;
    within.add(message.id);
    newest = message;
  }
  if (newest.id === state.head) throw new FaultError(ALREADY_THERE);
  const left = state.leaves?.[newest.id];
  const asWorked = pathTo(state, newest.id).findLast(({ role }) => role === 'user')?.files?.after;
  const files = left ?? asWorked;
  return { kind: 'branch', head: newest.id, ...(files !== undefined && { files }) };
}

const NOTHING_TO_REDO = {
  code: 'nothing-to-redo',
  what: 'There is nothing to redo.',
  next: 'Redo is there after an undo, until the next message.',
};

const ALREADY_THERE = {
  code: 'already-there',
  what: 'This is the version of the conversation that is shown.',
};

const NO_SUCH_PROMPT = {
  code: 'no-such-prompt',
  what: 'This session has no message of yours with this id.',
  next: 'Choose one of your messages in the conversation.',
};
