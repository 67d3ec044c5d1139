import { covers, matches } from './wildcard.ts';

/**
 * The tools of servers ask under `server/tool`. A rule may also call them `server_tool` or `mcp_server_tool`, so that
 * `mcp_*` covers all of them.
 */
function formsOf(name: string): readonly string[] {
  if (!name.includes('/')) return [name];
  const joined = name.replaceAll('/', '_');
  return [name, joined, `mcp_${joined}`];
}

/** Whether a rule for `pattern` applies to this permission. */
export function isFor(pattern: string, permission: string): boolean {
  return formsOf(permission).some((form) => matches(pattern, form) || matches(joinedOf(pattern), form));
}

/** Whether a rule for `outer` applies to every tool that a rule for `inner` applies to. */
export function isForAll(outer: string, inner: string): boolean {
  const names = [...formsOf(inner), `mcp_${joinedOf(inner)}`];
  return names.some((name) => covers(outer, name) || covers(joinedOf(outer), name));
}

function joinedOf(name: string): string {
  return name.replaceAll('/', '_');
}
