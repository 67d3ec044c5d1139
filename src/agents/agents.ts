import type { Agent } from './agent.ts';
import { build } from './build.ts';
import { explore } from './explore.ts';
import { general } from './general.ts';
import { compaction, summary, title } from './hidden.ts';
import { librarian } from './librarian.ts';
import { oracle } from './oracle.ts';
import { plan } from './plan.ts';

export type { Agent } from './agent.ts';

/** The first one is the default. */
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

/** The agents that a person can talk to. */
export function primaryOf(roster: readonly Agent[]): readonly Agent[] {
  return roster.filter(({ kind, hidden }) => kind !== 'subagent' && hidden !== true);
}

/** The agents that other agents can give work to. */
export function subagentsOf(roster: readonly Agent[]): readonly Agent[] {
  return roster.filter(({ kind, hidden }) => kind !== 'primary' && hidden !== true);
}

export const primaryAgents = primaryOf(agents);
export const subagents = subagentsOf(agents);

/** The agent that receives prompts if no other was chosen. */
export function firstOf(roster: readonly Agent[]): Agent {
  return primaryOf(roster)[0] ?? defaultAgent;
}

/** The agent of that name, or the default one if there is none. */
export function agentNamed(name: string, roster: readonly Agent[] = agents): Agent {
  return roster.find((agent) => agent.name === name) ?? firstOf(roster);
}
