import type { Rule } from '../permissions/types.ts';

/** Builds the id from the rule's contents, so that saving the same rule twice stores it once. */
export function ruleID(workspaceID: string, { permission, pattern, action }: Rule): string {
  return JSON.stringify([workspaceID, permission, pattern, action]);
}
