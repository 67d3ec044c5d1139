import { agents, primaryOf, type Agent } from '../agents/agents.ts';
import { listened } from './settings/listened.svelte.ts';
import type { AppView } from './state/app-view.svelte.ts';
import { showName } from './workbench/show-name.ts';
import { words } from './words.ts';

/** The name that a person sees for an agent. */
export function agentName(name: string): string {
  return words.agents[name] ?? showName(name);
}

/**
 * The agents that the person can talk to in the open workspace, including those its configuration files
 * define.
 */
export function offeredAgents(view: AppView): { readonly current: readonly Agent[] } {
  const { configurations } = view.app;
  const roster = () => (view.workspaceID === null ? null : configurations.of(view.workspaceID)?.setup.agents);
  return listened(configurations, () => primaryOf(roster() ?? agents));
}
