import { covers, matches } from './wildcard.ts';

/**
 * Tools of servers ask under `server/tool`. A rule may name them so, as `server_tool`, or as `mcp_server_tool`, which
 * is what `mcp_*` is for.
 */
function formsOf(name: string): readonly string[] {
  if (!name.includes('/')) return [name];
  const joined = name.replaceAll('/', '_');
  return [name, joined, `mcp_${joined}`];
}

/** Whether a rule for `pattern` is one for this permission. */
export function isFor(pattern: string, permission: string): boolean {
  return formsOf(permission).some((form) => matches(pattern, form) || matches(joinedOf(pattern), form));
}

/** Whether a rule for `outer` is one for every tool that one for `inner` is for, among those that both are for. */
export function isForAll(outer: string, inner: string): boolean {
  const names = [...formsOf(inner), `mcp_${joinedOf(inner)}`];
  return names.some((name) => covers(outer, name) || covers(joinedOf(outer), name));
}

function joinedOf(name: string): string {
  return name.replaceAll('/', '_');
}
