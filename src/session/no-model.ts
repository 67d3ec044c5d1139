import type { Fault } from '../base/fault.ts';
import type { Origin } from './log/events.ts';

export const NO_MODEL: Fault = {
  code: 'no-model',
  what: 'No model is chosen.',
  next: 'Choose one in Settings.',
};

/** Whether a message starts no turn, so that no model has to be set up: a shell command of the person, or news of its jobs. */
export function needsNoModel(origin: Origin | undefined): boolean {
  return origin?.kind === 'jobs-ended' || (origin?.kind === 'command' && origin.tool === undefined);
}
