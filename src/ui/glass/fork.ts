import type { Recording } from '../../session/recording/recording.ts';
import type { AppRecordings } from '../app.ts';
import type { Toast, Toasts } from '../state/toasts.svelte.ts';
import { forkWords as words } from './fork-words.ts';
import { withNotice } from './recording/long-work.ts';

/** Shows a new session that goes on from the moment of another one after this many events. */
export async function forkSession(
  recordings: AppRecordings,
  toasts: Toasts,
  sessionID: string,
  events: number,
): Promise<void> {
  show(toasts, await withNotice(toasts, words.making, () => recordings.fork(sessionID, events)));
}

/**
 * The same for a moment of a recording. `lacks` says which of its files are not there, if some are not. `action` is offered
 * with what the person is told.
 */
export async function forkRecording(
  recordings: AppRecordings,
  toasts: Toasts,
  recording: Recording,
  events: number,
  lacks: string,
  action?: Toast['action'],
): Promise<void> {
  const made = await withNotice(toasts, words.making, () => recordings.forkRecording(recording, events));
  show(toasts, made, lacks || words.made, action);
}

function show(toasts: Toasts, sessionID: string, notice = words.made, action?: Toast['action']): void {
  location.hash = `#/session/${sessionID}`;
  toasts.show(notice, action && { action });
}
