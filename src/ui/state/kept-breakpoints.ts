import * as z from 'zod';
import { breakpointSchema, type Breakpoint } from '../../session/stepping/points.ts';
import type { Preferences } from './preferences.ts';

/** By the id of the session whose bar is open. */
const keptSchema = z.record(z.string(), z.array(breakpointSchema));
/** Sessions that are remembered, the newest. */
const SESSIONS = 20;

/** Breakpoints of a session whose bar was open when the page was left; `undefined` where it was not. */
export function keptBreakpoints(preferences: Preferences, id: string): readonly Breakpoint[] | undefined {
  const kept = read(preferences);
  return Object.hasOwn(kept, id) ? kept[id] : undefined;
}

/** `undefined`: its bar was closed, nothing is kept of it. */
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
