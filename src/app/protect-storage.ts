import type { Event } from '../session/events.ts';

/**
 * For what is stored now: asks the browser, once, not to clear it by itself, as soon as a person has sent something to a
 * real model. Some browsers ask the person in turn, which a demo is not worth.
 */
export function protectingStorage(request: () => Promise<unknown>): (events: readonly Event[]) => void {
  let asked = false;
  return (events) => {
    if (asked) return;
    asked = events.some(
      (event) => event.type === 'prompt.accepted' && !['scripted', 'you'].includes(event.model.provider),
    );
    // Refused or not, the storage works as it did.
    if (asked) void request().catch(() => {});
  };
}
