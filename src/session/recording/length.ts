import type { Event } from '../log/events.ts';
import type { Recording } from './recording.ts';

export interface RecordingLength {
  /** Messages of the person and of the model, in all sessions of the recording. */
  readonly messages: number;
  readonly calls: number;
  /** Steps of all sessions of the recording, as the calls are. */
  readonly steps: number;
}

export function lengthOf({ sessions }: Recording): RecordingLength {
  const events = sessions.flatMap((session) => session.events);
  const count = (type: Event['type']) => events.filter((event) => event.type === type).length;
  return {
    messages: count('prompt.accepted') + count('step.started'),
    calls: count('call.ended'),
    steps: count('step.started'),
  };
}
