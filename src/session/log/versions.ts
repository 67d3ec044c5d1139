import { pathTo } from './path.ts';
import type { SessionState } from './state.ts';

/**
 * For each prompt that has been sent in several versions, the ids of all of them, oldest first. They follow the same
 * message.
 */
export type Versions = ReadonlyMap<string, readonly string[]>;

export const NO_VERSIONS: Versions = new Map();

export function versionsOf({ messages }: Pick<SessionState, 'messages'>): Versions {
  const following = new Map<string | null, string[]>();
  for (const { id, role, parentID, origin } of messages.values()) {
    if (role !== 'user' || origin) continue;
    const others = following.get(parentID);
    if (others) others.push(id);
    else following.set(parentID, [id]);
  }
  const versions = new Map<string, readonly string[]>();
  for (const ids of following.values()) if (ids.length > 1) for (const id of ids) versions.set(id, ids);
  return versions;
}

/**
 * How many prompts of the person were undone and can be brought back, one undo after the other: none if only files were.
 * `null` if there is nothing to redo.
 */
export function undonePrompts(state: SessionState): number | null {
  const moment = state.undone?.[0];
  if (!moment) return null;
  if (moment.head === state.head) return 0;
  const here = new Set(pathTo(state, state.head).map(({ id }) => id));
  return pathTo(state, moment.head).filter(
    ({ id, role, origin }) => role === 'user' && !origin && !here.has(id),
  ).length;
}
