import { maskSecrets } from '../../base/secrets.ts';
import type { Event } from '../../session/events.ts';
import { recordingWords as words } from './words.ts';

/** Events that are looked back at. */
const LOOK_BACK = 300;
/** A note stays for this long of the recording, milliseconds. */
const STAYS_MS = 4_000;

/** What of the newest of `count` events was asked of a person or answered; empty where that is long ago. */
export function noteAt(events: readonly Event[], count: number): string {
  const now = events[count - 1]?.time ?? 0;
  for (let index = count - 1; index >= Math.max(0, count - LOOK_BACK); index--) {
    const event = events[index];
    if (!event) continue;
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
