import type { Agent } from './agent.ts';
import { build } from './build.ts';
import { explore } from './explore.ts';
import { general } from './general.ts';
import { compaction, summary, title } from './hidden.ts';
import { librarian } from './librarian.ts';
import { oracle } from './oracle.ts';
import { plan } from './plan.ts';

export type { Agent } from './agent.ts';

/** The first is the default. */
export const agents: readonly Agent[] = [
  build,
  plan,
  general,
  explore,
  librarian,
  oracle,
  compaction,
  title,
  summary,
];
export const defaultAgent = build;

/** Those that a person can talk to. */
export function primaryOf(roster: readonly Agent[]): readonly Agent[] {
  return roster.filter(({ kind, hidden }) => kind !== 'subagent' && hidden !== true);
}

/** Those that other agents can give work to. */
export function subagentsOf(roster: readonly Agent[]): readonly Agent[] {
  return roster.filter(({ kind, hidden }) => kind !== 'primary' && hidden !== true);
}

export const primaryAgents = primaryOf(agents);
export const subagents = subagentsOf(agents);

/** The agent of that name, or the default one. */
export function agentNamed(name: string, roster: readonly Agent[] = agents): Agent {
  return roster.find((agent) => agent.name === name) ?? defaultAgent;
}
