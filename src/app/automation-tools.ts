import { defaultAgent, type Agent } from '../agents/agents.ts';
import { configuredRules } from '../agents/rules.ts';
import type { Setup } from '../agents/setup.ts';
import type { ToolOptions } from '../automation/arguments.ts';
import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { AppParts } from './app.ts';

/** The tools that an agent is offered here. `setupHere` reads the setup of the workspace, which is loaded first. */
export async function offeredTools(
  { app, models, permissions, registry }: AppParts,
  workspaceID: string | undefined,
  setupHere: () => Setup,
  { agent = defaultAgent.name, model }: ToolOptions,
): Promise<{ id: string; description: string; schema: Json }[]> {
  if (workspaceID !== undefined) await app.configurations.refresh(workspaceID);
  const setup = setupHere();
  requireAgent(agent, setup.agents);
  const choice = models.choice();
  const ref = { provider: choice?.provider ?? 'scripted', model: model ?? choice?.model ?? '' };
  const rules = configuredRules(agent, permissions.current(), [], setup);
  const tools =
    workspaceID === undefined
      ? await registry.tools(ref, agent, { rules })
      : await registry.tools(ref, agent, {
          rules,
          workspace: await app.workspaces.open(workspaceID),
          own: app.configurations.ownFiles(),
        });
  // Without a workspace there are no skills yet.
  const offered = workspaceID === undefined ? tools.filter(({ id }) => id !== 'skill') : tools;
  return offered.map(({ id, description, schema }) => ({ id, description, schema: schema as Json }));
}

/** Throws a fault if there is no such agent. */
export function requireAgent(name: string, agents: readonly Agent[]): void {
  if (agents.some((agent) => agent.name === name)) return;
  throw new FaultError({
    code: 'agent-unknown',
    what: 'There is no agent of this name.',
    where: name,
    next: `The agents are: ${agents.map((agent) => agent.name).join(', ')}.`,
  });
}
