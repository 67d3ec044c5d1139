import type { Recording } from '../../session/recording/recording.ts';
import type { AppRecordings } from '../app.ts';
import { anchors, focus } from '../commands.ts';
import type { AppView } from '../state/app-view.svelte.ts';
import type { Toast, Toasts } from '../state/toasts.svelte.ts';
import { forkWords as words } from './fork-words.ts';
import { withNotice } from './recording/long-work.ts';

/** The parts of the page that show the new session and tell of it. */
interface Page {
  readonly view: Pick<AppView, 'session'>;
  readonly toasts: Toasts;
}

/** Shows a new session that goes on from the moment of another one after this many events. */
export async function forkSession(
  recordings: AppRecordings,
  page: Page,
  sessionID: string,
  events: number,
): Promise<void> {
  show(page, await withNotice(page.toasts, words.making, () => recordings.fork(sessionID, events)));
}

/**
 * The same for a moment of a recording. `lacks` says which of its files are not there, if some are not. `action` is offered
 * with what the person is told.
 */
export async function forkRecording(
  recordings: AppRecordings,
  page: Page,
  recording: Recording,
  events: number,
  lacks: string,
  action?: Toast['action'],
): Promise<void> {
  const made = await withNotice(page.toasts, words.making, () => recordings.forkRecording(recording, events));
  show(page, made, lacks || words.made, action);
}

function show(
  { view, toasts }: Page,
  sessionID: string,
  notice = words.made,
  action?: Toast['action'],
): void {
  location.hash = `#/session/${sessionID}`;
  focus(anchors.composer);
  // It is about the session that is shown then, and about no other one.
  toasts.show(notice, { while: () => view.session?.id === sessionID, ...(action && { action }) });
}
