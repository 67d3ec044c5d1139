import { defaultAgent, subagentsOf, type Agent } from '../agents/agents.ts';
import { configuredRules } from '../agents/rules.ts';
import { withSwitches, type Setup } from '../agents/setup.ts';
import type { ToolOptions } from '../automation/arguments.ts';
import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { App } from '../ui/app.ts';
import type { AppParts } from './app.ts';

type Offered = { id: string; description: string; schema: Json };

/** The tools that an agent is offered here, and the ids of those that rules keep from it. */
export interface ToolsHere {
  readonly offered: Offered[];
  readonly denied: string[];
}

/** The parts of the app that know what is offered. */
interface OfferingParts {
  readonly app: {
    readonly tools: Pick<App['tools'], 'switches'>;
    readonly configurations: Pick<App['configurations'], 'refresh' | 'ownFiles'>;
    readonly workspaces: Pick<App['workspaces'], 'open'>;
  };
  readonly models: Pick<AppParts['models'], 'choice'>;
  readonly permissions: Pick<AppParts['permissions'], 'current'>;
  readonly registry: Pick<AppParts['registry'], 'tools'>;
}

/** `setupHere` reads the setup of the workspace, which is loaded first. */
export async function toolsHere(
  { app, models, permissions, registry }: OfferingParts,
  workspaceID: string | undefined,
  setupHere: () => Setup,
  { agent = defaultAgent.name, model }: ToolOptions,
): Promise<ToolsHere> {
  if (workspaceID !== undefined) await app.configurations.refresh(workspaceID);
  const setup = setupHere();
  requireAgent(agent, setup.agents);
  const choice = models.choice();
  const ref = { provider: choice?.provider ?? 'scripted', model: model ?? choice?.model ?? '' };
  const rules = configuredRules(agent, permissions.current(), [], setup);
  const on = new Set(app.tools.switches().flatMap(({ name, on }) => (on ? name : [])));
  const known = { flags: withSwitches(on, setup.flags), agents: subagentsOf(setup.agents) };
  const places = workspaceID !== undefined && {
    workspace: await app.workspaces.open(workspaceID),
    own: app.configurations.ownFiles(),
  };
  const offer = async (decided: typeof rules) => {
    const tools = await registry.tools(ref, agent, { rules: decided, ...known, ...places });
    // Without a workspace there are no skills yet.
    return places ? tools : tools.filter(({ id }) => id !== 'skill');
  };
  const offered = await offer(rules);
  const ids = new Set(offered.map(({ id }) => id));
  const others = (await offer([])).filter(({ id }) => !ids.has(id));
  return {
    offered: offered.map(({ id, description, schema }) => ({ id, description, schema: schema as Json })),
    denied: others.map(({ id }) => id),
  };
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
