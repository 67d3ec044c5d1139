import * as z from 'zod';
import { breakpointSchema, type Breakpoint } from '../../session/stepping/points.ts';
import type { Preferences } from './preferences.ts';

/** Breakpoints, keyed by the id of a session whose step bar is open. */
const keptSchema = z.record(z.string(), z.array(breakpointSchema));
/** The number of sessions that are remembered; older ones are dropped. */
const SESSIONS = 20;

/**
 * The breakpoints of a session whose step bar was open when the page was left; `undefined` if it was closed.
 */
export function keptBreakpoints(preferences: Preferences, id: string): readonly Breakpoint[] | undefined {
  const kept = read(preferences);
  return Object.hasOwn(kept, id) ? kept[id] : undefined;
}

/** `undefined` removes the entry, since the session's step bar was closed. */
export function keepBreakpoints(
  preferences: Preferences,
  id: string,
  breakpoints: readonly Breakpoint[] | undefined,
): void {
  const others = Object.entries(read(preferences)).filter(([other]) => other !== id);
  const all = breakpoints ? [...others, [id, breakpoints] as const] : others;
  preferences.set('stepping', JSON.stringify(Object.fromEntries(all.slice(-SESSIONS))));
}

function read(preferences: Preferences): z.infer<typeof keptSchema> {
  try {
    const parsed = keptSchema.safeParse(JSON.parse(preferences.get('stepping') ?? '{}'));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
