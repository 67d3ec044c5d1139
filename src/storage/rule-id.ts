import type { Rule } from '../permissions/types.ts';

/** The same rule saved twice is one rule: its id is what it says. */
export function ruleID(workspaceID: string, { permission, pattern, action }: Rule): string {
  return JSON.stringify([workspaceID, permission, pattern, action]);
}
