import type { Fault } from '../../../base/fault.ts';
import type { Recording } from '../../../session/recording/recording.ts';
import { inspectorWords as words } from './inspector-words.ts';

/** Says why a recording does not hold a request: it tells what the person who shared it left out. For other faults, `otherwise`. */
export function whyNotRebuilt(
  { code, what }: Fault,
  recording: Recording | undefined,
  otherwise = what,
): string {
  if (code !== 'request-not-recorded') return otherwise;
  const { requests, pictures } = recording?.withheld ?? {};
  if (requests !== undefined) return words.requestLacks.withheld;
  return pictures === undefined ? words.requestLacks.older : words.requestLacks.attachment;
}
