import { DEFAULT_STEPS, type Agent } from '../agents/agent.ts';
import { agents as builtIn, defaultAgent, primaryOf } from '../agents/agents.ts';
import { normalizedRules } from '../permissions/settings.ts';
import type { Rule, Ruleset } from '../permissions/types.ts';
import type { Problem } from './parse.ts';
import type { FileAgent } from './contents.ts';
import { closedBy } from './rules.ts';

/** Configuration files cannot change the app's own hidden helpers. */
const isOpen = ({ hidden }: Agent) => hidden !== true;

/**
 * Builds the list of agents after applying the files: the default agent first, then the built-in ones with the
 * changes from the files, then new ones. Adds to `problems` what cannot be done as a file says.
 */
export function rosterOf(
  entries: readonly FileAgent[],
  wanted: { readonly name: string; readonly file: string } | undefined,
  problems: Problem[],
): readonly Agent[] {
  const named = agentsOf(entries);
  const all = named.filter(({ disabledBy }) => disabledBy === undefined).map(({ agent }) => agent);
  const disabled = named.filter(({ disabledBy }) => disabledBy !== undefined);
  // The default agent with the other changes from the files.
  const last = named.find(({ agent }) => agent.name === defaultAgent.name)?.agent ?? defaultAgent;
  if (primaryOf(all).length === 0) all.unshift(last);
  for (const { agent, disabledBy = '' } of disabled)
    problems.push({
      file: disabledBy,
      what: all.includes(agent)
        ? `The agent ${agent.name} stays enabled: there must be an agent to talk to.`
        : `The agent ${agent.name} is disabled here.`,
      next: all.includes(agent)
        ? 'Name another agent with mode "primary".'
        : 'Its sessions continue with the default agent.',
    });
  const first = wanted && primaryOf(all).find(({ name }) => name === wanted.name);
  if (wanted && !first)
    problems.push({
      file: wanted.file,
      what: `default_agent ${wanted.name} is not an agent that you can talk to.`,
      next: `Prompts go to ${primaryOf(all)[0]?.name} instead.`,
    });
  const start = first ?? primaryOf(all)[0];
  return start ? [start, ...all.filter((agent) => agent !== start)] : all;
}

interface Entry {
  readonly agent: Agent;
  /** The file that disables it. */
  readonly disabledBy?: string;
}

function agentsOf(entries: readonly FileAgent[]): readonly Entry[] {
  const roster = new Map<string, Entry>(builtIn.map((agent) => [agent.name, { agent }]));
  for (const entry of entries) {
    const { name, config, file } = entry;
    const known = roster.get(name);
    if (known && builtIn.includes(known.agent) && !isOpen(known.agent)) continue;
    // A later file that does not mention `disable` leaves it disabled.
    const disabledBy =
      config.disable === true ? file : config.disable === false ? undefined : known?.disabledBy;
    roster.set(name, {
      agent: withConfig(known?.agent ?? newAgent(name), entry),
      ...(disabledBy !== undefined && { disabledBy }),
    });
  }
  for (const { name, closing } of entries) {
    const known = roster.get(name);
    if (known && closing.length > 0)
      roster.set(name, { ...known, agent: withClosingRules(known.agent, closing) });
  }
  return [...roster.values()];
}

/** An unclear setting asks; if the agent lacks the permission anyway, it is denied. */
function withClosingRules(agent: Agent, closing: Ruleset): Agent {
  if (builtIn.includes(agent)) return agent;
  const all: Ruleset = agent.only
    ? [{ permission: '*', pattern: '*', action: 'deny' }, ...agent.rules]
    : agent.rules;
  return { ...agent, rules: [...agent.rules, ...plain(closedBy(closing, all))] };
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

function withConfig(agent: Agent, { config, rules }: FileAgent): Agent {
  const { description, mode, prompt, hidden, model, temperature, top_p: topP } = config;
  const steps = config.steps ?? config.maxSteps;
  return {
    ...agent,
    ...(description !== undefined && { description }),
    ...(mode !== undefined && agent.name !== defaultAgent.name && { kind: mode }),
    ...(prompt !== undefined && prompt !== '' && { prompt: async () => prompt }),
    ...(hidden !== undefined && agent.name !== defaultAgent.name && { hidden }),
    ...(steps !== undefined && { steps }),
    ...(model !== undefined && { model: modelOf(model) }),
    ...((temperature !== undefined || topP !== undefined) && {
      sampling: {
        ...agent.sampling,
        ...(temperature !== undefined && { temperature }),
        ...(topP !== undefined && { topP }),
      },
    }),
    rules: [...agent.rules, ...plain(rules)],
  };
}

function plain(rules: Ruleset): Rule[] {
  return normalizedRules(rules, 'agent').map(({ permission, pattern, action }) => ({
    permission,
    pattern,
    action,
  }));
}

/** Splits `provider/model`. The model's id may contain slashes itself. */
export function modelOf(name: string): { readonly provider: string; readonly model: string } {
  const slash = name.indexOf('/');
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}
