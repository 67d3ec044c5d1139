import { maskSecrets } from '../../../base/secrets.ts';
import type { Event } from '../../../session/log/events.ts';
import { recordingWords as words } from './recording-words.ts';

/** The number of past events that are searched. */
const LOOK_BACK = 300;
/** How long a note stays, in milliseconds of the recording. */
const STAYS_MS = 4_000;

/**
 * A note on the latest request, answer, pause or edit of the person among the first `count` events; empty if
 * that is long ago.
 */
export function noteAt(events: readonly Event[], count: number): string {
  const now = events[count - 1]?.time ?? 0;
  for (let index = count - 1; index >= Math.max(0, count - LOOK_BACK); index--) {
    const event = events[index];
    if (!event) continue;
    // The requests and answers of a turn that has ended are no longer news.
    if (event.type === 'turn.ended') return '';
    if (event.type === 'permission.asked')
      return words.asked(event.permission, maskSecrets(event.patterns.join(', ')));
    if (event.type === 'question.asked') return words.askedPerson(event.questions[0]?.question ?? '');
    if (event.type === 'pause.began') return words.held;
    if (now - event.time > STAYS_MS) return '';
    if (event.type === 'request.edited' || event.type === 'call.edited') return words.edited;
    if (event.type === 'permission.answered') return words.answered[event.reply.reply];
    if (event.type === 'question.answered')
      return event.answers === null ? words.dismissed : words.answeredWith(event.answers.flat().join(', '));
  }
  return '';
}
