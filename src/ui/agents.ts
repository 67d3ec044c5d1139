import { agents, primaryOf, type Agent } from '../agents/agents.ts';
import { listened } from './settings/listened.svelte.ts';
import type { AppView } from './state/app-view.svelte.ts';
import { showName } from './workbench/show-name.ts';
import { words } from './words.ts';

/** What a person calls it. */
export function agentName(name: string): string {
  return words.agents[name] ?? showName(name);
}

/** Those that the person can talk to in the open workspace, with those of its files. */
export function offeredAgents(view: AppView): { readonly current: readonly Agent[] } {
  const { configurations } = view.app;
  const roster = () => (view.workspaceID === null ? null : configurations.of(view.workspaceID)?.setup.agents);
  return listened(configurations, () => primaryOf(roster() ?? agents));
}
