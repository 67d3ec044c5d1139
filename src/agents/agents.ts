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
export const primaryAgents = agents.filter(({ kind, hidden }) => kind === 'primary' && hidden !== true);
/** Those that other agents can give work to. */
export const subagents = agents.filter(({ kind, hidden }) => kind === 'subagent' && hidden !== true);

/** The agent of that name, or the default one. */
export function agentNamed(name: string): Agent {
  return agents.find((agent) => agent.name === name) ?? defaultAgent;
}
