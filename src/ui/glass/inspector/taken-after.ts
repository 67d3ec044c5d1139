import type { Event } from '../../../session/log/events.ts';

/**
 * How much had happened when a list of files was taken, which must be the newest list among these events: the
 * number of ended turns and, within an unfinished turn, the tool whose call came last before the list. Turns
 * that only summed up the conversation are not counted.
 */
export function takenAfter(
  events: readonly Event[],
  taken: number,
): { readonly turns: number; readonly tool: string | undefined } {
  const tools = new Map<string, string>();
  let turns = 0;
  let isCounted = true;
  let tool: string | undefined;
  for (const event of events) {
    if (event.type === 'turn.started') isCounted = event.purpose === undefined;
    if (event.type === 'call.running') tools.set(event.callID, event.tool);
    if (event.type === 'call.ended' && event.seq < taken) tool = tools.get(event.callID) ?? tool;
    if (event.type !== 'turn.ended') continue;
    if (isCounted) turns++;
    tool = undefined;
  }
  return { turns, tool };
}
