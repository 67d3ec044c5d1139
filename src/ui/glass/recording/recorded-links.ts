import type { Toasts } from '../../state/toasts.svelte.ts';
import type { Player } from './player.svelte.ts';
import { recordingWords as words } from './recording-words.ts';

const SESSION = '#/session/';

/**
 * Follows a click on a link to a sub-agent's session: it leads to that session in the recording, never to one on this
 * device.
 */
export function followRecorded(
  event: MouseEvent,
  player: Player,
  show: (other: Player) => void,
  toasts: Toasts,
): void {
  const link = event.target instanceof Element && event.target.closest(`[role=log] a[href^="${SESSION}"]`);
  if (!link) return;
  event.preventDefault();
  const other = player.of(link.getAttribute('href')?.slice(SESSION.length) ?? '');
  if (other) show(other);
  else toasts.show(words.notRecorded);
}
