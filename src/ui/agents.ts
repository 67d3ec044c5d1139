import { agents, primaryOf, type Agent } from '../agents/agents.ts';
import type { AppConfigurations } from './app.ts';
import { listened } from './settings/listened.svelte.ts';
import { showName } from './workbench/show-name.ts';
import { words } from './words.ts';

/** The name that a person sees for an agent. */
export function agentName(name: string): string {
  return words.agents[name] ?? showName(name);
}

/**
 * The agents that the person can talk to in a workspace, including those its configuration files
 * define.
 */
export function offeredAgents(
  configurations: Pick<AppConfigurations, 'of' | 'onChange'>,
  workspaceID: () => string | null,
): { readonly current: readonly Agent[] } {
  return listened(configurations, () => {
    const id = workspaceID();
    return primaryOf((id === null ? null : configurations.of(id)?.setup.agents) ?? agents);
  });
}
