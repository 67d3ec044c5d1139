import type { Origin } from './events.ts';

/** Whether a message only tells of something that happened: a command or a call of the person, or the end of jobs. It begins no turn of the agent. */
export function isNewsBy(origin: Origin | undefined): boolean {
  return origin?.kind === 'command' || origin?.kind === 'jobs-ended';
}
