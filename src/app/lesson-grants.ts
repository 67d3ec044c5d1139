import type { SavedRule } from '../permissions/types.ts';
import type { Event } from '../session/log/events.ts';

/** The functions with which a lesson takes back the rules that were granted in it. */
export interface GrantDeps {
  /** The whole log of a session. */
  wholeLog(sessionID: string): Promise<readonly Event[]>;
  /** The rules that count in every workspace. */
  rulesEverywhere(): Promise<readonly SavedRule[]>;
  revoke(ruleID: string): Promise<void>;
}

/**
 * Takes back what was allowed everywhere in a session and in those of its sub-agents. What was allowed in their
 * workspace needs none of this: it goes with the workspace.
 */
export async function takeBackGrants(deps: GrantDeps, sessionID: string): Promise<void> {
  const rules = await deps.rulesEverywhere();
  if (rules.length === 0) return;
  const events = await familyLog(deps, sessionID);
  const granted = new Set(events.flatMap(grantsIn(events)));
  const since = events[0]?.time ?? Infinity;
  for (const rule of rules)
    // The person may have saved the same rule before the lesson.
    if (rule.action === 'allow' && rule.time >= since && granted.has(keyOf(rule.permission, rule.pattern)))
      await deps.revoke(rule.id);
}

async function familyLog(deps: GrantDeps, sessionID: string): Promise<readonly Event[]> {
  const events = await deps.wholeLog(sessionID);
  const children = events.flatMap((event) => (event.type === 'task.started' ? event.childID : []));
  const logs = await Promise.all([...new Set(children)].map((id) => familyLog(deps, id)));
  return [...events, ...logs.flat()];
}

function grantsIn(events: readonly Event[]): (event: Event) => readonly string[] {
  const permissions = new Map(
    events.flatMap((event) =>
      event.type === 'permission.asked' ? [[event.requestID, event.permission] as const] : [],
    ),
  );
  return (event) =>
    event.type === 'permission.answered' && event.reply.reply === 'everywhere'
      ? event.reply.patterns.map((pattern) => keyOf(permissions.get(event.requestID) ?? '', pattern))
      : [];
}

function keyOf(permission: string, pattern: string): string {
  return JSON.stringify([permission, pattern]);
}
