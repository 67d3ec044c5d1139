import type { Event } from '../session/log/events.ts';

/**
 * Asks the browser once not to clear this site by itself, as soon as a person has sent something to a real model.
 * Some browsers ask the person in turn, which is not worth it for a demo.
 */
export function protectingStorage(request: () => Promise<unknown>): (events: readonly Event[]) => void {
  let asked = false;
  return (events) => {
    if (asked) return;
    asked = events.some(
      (event) =>
        event.type === 'prompt.accepted' &&
        event.model !== undefined &&
        !['scripted', 'you'].includes(event.model.provider),
    );
    // The storage works the same whether or not the browser agrees.
    if (asked) void request().catch(() => {});
  };
}
