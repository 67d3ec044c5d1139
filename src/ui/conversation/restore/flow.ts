import { FaultError, faultOf } from '../../../base/fault.ts';
import type { RestoreTo } from '../../../session/restore/moments.ts';
import type { RestorePlan } from '../../../session/restore/plan.ts';
import type { RestoreChoice } from '../../../session/restore/restorer.ts';
import type { SessionRestores } from '../../app.ts';
import { anchors, focus } from '../../commands.ts';
import type { MessageView } from '../../state/message-view.svelte.ts';
import type { SessionView } from '../../state/session-view.svelte.ts';
import { words as pageWords } from '../../words.ts';
import type { Restoration, RestorationDeps } from './restoration.svelte.ts';
import { restoreWords as words } from './restore-words.ts';

const EVERYTHING: RestoreChoice = { conversation: true, files: true };

/** Shows what a move would change; it is carried out when the person says so. */
export async function askFirst(
  deps: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
  to: RestoreTo,
): Promise<void> {
  const plan = await restoresOf(session).plan(to);
  restoration.ask({
    plan,
    partly: true,
    sends: false,
    run: async (choice) => {
      await restoresOf(session).run(plan, choice);
      if (choice.conversation) takePrompt(deps, session, plan);
      // The conversation has a button for the way back.
      deps.toasts.show(words.restored);
    },
  });
}

/**
 * Goes to another moment at once, unless files of the person would be overwritten: then it is asked about. `sends` says
 * that `done` sends a message.
 */
export async function go(
  restoration: Restoration,
  session: SessionView,
  to: RestoreTo,
  done: (plan: RestorePlan, choice: RestoreChoice) => Promise<void> | void = () => undefined,
  { sends = false } = {},
): Promise<void> {
  const restores = restoresOf(session);
  const plan = await restores.plan(to);
  const run = async (choice: RestoreChoice) => {
    await restores.run(plan, choice);
    await done(plan, choice);
  };
  if (plan.files?.changes.some(({ foreign }) => foreign))
    restoration.ask({ plan, partly: false, sends, run });
  else await run(EVERYTHING);
}

export async function undo(
  deps: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
): Promise<void> {
  const last = lastPromptOf(session);
  if (!last) {
    deps.toasts.show(words.nothingToUndo);
    return;
  }
  await go(restoration, session, { kind: 'before', messageID: last.id }, (plan, { keep }) => {
    takePrompt(deps, session, plan);
    const restored = plan.files?.changes.filter(({ path }) => !keep?.has(path));
    // It is no longer so once the message was brought back or another one was sent.
    const isSo = () => deps.view.session === session && session.undone !== null;
    deps.toasts.show(restored ? words.undone(restored.length) : words.undoneAlone, { while: isSo });
  });
}

export async function redo(
  deps: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
): Promise<void> {
  await go(restoration, session, { kind: 'redo' }, ({ returning }) => {
    // Undo had put it there. It is in the conversation again, and not to be sent twice.
    if (deps.view.session === session && deps.draft.text === returning) deps.draft.set('');
  });
}

export async function resend(
  deps: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
  { messageID, text }: { readonly messageID: string; readonly text: string },
): Promise<void> {
  const before = session.messages.find(({ id }) => id === messageID);
  const isNew = !before || textOf(before) !== text;
  const send = async ({ files }: RestorePlan) => {
    restoration.edit(null);
    focus(anchors.composer);
    if (!files) deps.toasts.show(words.filesUnknown);
    try {
      await session.prompt(text, deps.model.ref);
      if (isNew) deps.prompts.remember(session.session, text);
    } catch (error) {
      // The old message is taken back already, so the text has no other place.
      keepText(deps, session, text);
      throw error;
    }
  };
  await go(restoration, session, { kind: 'before', messageID }, send, { sends: true });
}

/** Sends the last message again as it was. The conversation with its answer stays as another version. */
export async function retry(
  deps: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
): Promise<void> {
  const last = lastPromptOf(session);
  if (!last) return;
  focus(anchors.composer);
  await resend(deps, restoration, session, { messageID: last.id, text: textOf(last) });
}

function textOf({ parts }: MessageView): string {
  return parts.map(({ part }) => (part.type === 'text' ? part.text : '')).join('');
}

/**
 * Takes a message with all that follows out of the conversation, and leaves the files alone. The log keeps it, as
 * with every restore.
 */
export async function leave(
  { toasts }: RestorationDeps,
  restoration: Restoration,
  session: SessionView,
  messageID: string,
): Promise<void> {
  const restores = restoresOf(session);
  await restores.run(await restores.plan({ kind: 'before', messageID }), {
    conversation: true,
    files: false,
  });
  focus(anchors.composer);
  toasts.show(words.deleted, { undo: () => void restoration.redo() });
}

/** The newest message that the person wrote. */
function lastPromptOf(session: SessionView): MessageView | undefined {
  return session.messages.findLast(({ message }) => message.role === 'user' && !message.origin);
}

/** Says why something was refused, with the way out where there is one. */
export function tellRefusal({ toasts }: RestorationDeps, session: SessionView, error: unknown): void {
  const { code, what } = faultOf(error);
  if (code === 'turn-runs' && session.turn)
    toasts.show(what, { failed: true, action: { title: pageWords.stop, run: () => session.stop() } });
  else toasts.fail(error);
}

/** The text of a prompt that was taken back can be changed and sent again. */
function takePrompt(deps: RestorationDeps, session: SessionView, { prompt }: RestorePlan): void {
  if (prompt !== undefined) keepText(deps, session, prompt);
}

/** Puts a text into the message box, unless the person is writing something there. */
function keepText({ draft, view }: RestorationDeps, session: SessionView, text: string): void {
  if (view.session === session && draft.text === '') draft.set(text);
}

function restoresOf({ session }: SessionView): SessionRestores {
  if (session.restores) return session.restores;
  throw new FaultError({ code: 'read-only', what: words.readOnly });
}
