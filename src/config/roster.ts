import { DEFAULT_STEPS, type Agent } from '../agents/agent.ts';
import { agents as builtIn, defaultAgent } from '../agents/agents.ts';
import { rulesAsMeant } from '../permissions/settings.ts';
import type { FileAgent } from './read.ts';

/** The app's own helpers are what they are. */
const isOpen = ({ hidden }: Agent) => hidden !== true;

/** The agents there are once the files have said what they say: the app's first, changed where a file speaks of them. */
export function rosterOf(entries: readonly FileAgent[]): readonly Agent[] {
  const roster = new Map(builtIn.map((agent) => [agent.name, agent]));
  for (const entry of entries) {
    const { name, config } = entry;
    const known = roster.get(name);
    if (known && builtIn.includes(known) && !isOpen(known)) continue;
    // Somebody must be there to talk to.
    if (config.disable === true && name !== defaultAgent.name) roster.delete(name);
    else roster.set(name, changed(known ?? newAgent(name), entry));
  }
  return [...roster.values()];
}

function newAgent(name: string): Agent {
  return {
    name,
    description: 'An agent of this workspace.',
    kind: 'all',
    prompt: defaultAgent.prompt,
    rules: [],
    steps: DEFAULT_STEPS,
  };
}

function changed(agent: Agent, { config, rules }: FileAgent): Agent {
  const { description, mode, prompt, hidden, model } = config;
  const steps = config.steps ?? config.maxSteps;
  return {
    ...agent,
    ...(description !== undefined && { description }),
    ...(mode !== undefined && agent.name !== defaultAgent.name && { kind: mode }),
    ...(prompt !== undefined && prompt !== '' && { prompt: async () => prompt }),
    ...(hidden !== undefined && agent.name !== defaultAgent.name && { hidden }),
    ...(steps !== undefined && { steps }),
    ...(model !== undefined && { model: modelOf(model) }),
    rules: [
      ...agent.rules,
      ...rulesAsMeant(rules, 'agent').map(({ permission, pattern, action }) => ({
        permission,
        pattern,
        action,
      })),
    ],
  };
}

/** `provider/model`; a model's id may hold slashes itself. */
export function modelOf(name: string): { readonly provider: string; readonly model: string } {
  const slash = name.indexOf('/');
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}
