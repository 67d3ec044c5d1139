import { DEFAULT_STEPS } from '../agents/agent.ts';
import { hashText, type Hash } from '../base/hash.ts';
import { providerInWords } from './providers.ts';
import type { FileAgent, ConfigContents } from './contents.ts';
import type { AgentConfig } from './schema.ts';
import { serverInWords, type FileServer } from './servers.ts';

/**
 * Everything that the files of a workspace would allow beyond the person's settings. It takes effect once the person
 * trusts it.
 */
export interface Grants {
  /** Identifies exactly these grants: trust covers nothing else. */
  readonly hash: Hash;
  readonly list: readonly Grant[];
}

export interface Grant {
  readonly file: string;
  readonly kind:
    'rule' | 'agent-rule' | 'instructions' | 'model' | 'switch' | 'setting' | 'server' | 'provider' | 'code';
  /** `bash git *`, an address, the name of a model. */
  readonly what: string;
}

/** Returns `null` if the files only restrict. `code` lists the names and hashes of programs that would be loaded. */
export function grantsOf(found: ConfigContents, code: readonly Grant[] = []): Grants | null {
  const list: Grant[] = [
    ...found.rules
      .filter(({ action }) => action === 'allow')
      .map(({ file, permission, pattern }) => ({
        file,
        kind: 'rule' as const,
        what: `${permission} ${pattern}`,
      })),
    ...found.agents.flatMap(({ name, file, rules, config }): Grant[] => [
      ...rules
        .filter(({ action }) => action === 'allow')
        .map(({ permission, pattern }) => ({
          file,
          kind: 'agent-rule' as const,
          what: `${name}: ${permission} ${pattern}`,
        })),
      ...(config.model === undefined
        ? []
        : [{ file, kind: 'model' as const, what: `${name}: ${config.model}` }]),
      ...samplingOf(config).map((what) => ({ file, kind: 'setting' as const, what: `${name}: ${what}` })),
    ]),
    ...found.commands.flatMap(({ name, file, model }): Grant[] =>
      model === undefined ? [] : [{ file, kind: 'model', what: `/${name}: ${model}` }],
    ),
    ...found.instructions
      .filter(isAddress)
      .map((what) => ({ file: '', kind: 'instructions' as const, what })),
    ...(found.model === undefined
      ? []
      : [{ file: found.model.file, kind: 'model' as const, what: found.model.name }]),
    ...(found.smallModel === undefined ? [] : [{ file: '', kind: 'model' as const, what: found.smallModel }]),
    ...(found.defaultAgent === undefined
      ? []
      : [
          {
            file: found.defaultAgent.file,
            kind: 'setting' as const,
            what: `default_agent ${found.defaultAgent.name}`,
          },
        ]),
    ...found.providers.map((provider) => ({
      file: provider.file,
      kind: 'provider' as const,
      what: providerInWords(provider),
    })),
    ...Object.entries(found.flags)
      .filter(([, on]) => on)
      .map(([what]) => ({ file: '', kind: 'switch' as const, what })),
    ...found.servers.filter(isEnabled).map((server) => ({
      file: server.file,
      kind: 'server' as const,
      what: serverInWords(server),
    })),
    ...code,
  ];
  if (list.length === 0) return null;
  // The hash also covers the rules that do not allow: a changed order may allow more.
  const order = [
    found.rules,
    // If an agent may do more, trust also covers its prompt and the rest of its configuration.
    found.agents.map((agent) => [agent.name, agent.rules, ...(grantsMore(agent) ? [agent.config] : [])]),
    found.servers.filter(isEnabled),
    ...(found.providers.length > 0 ? [found.providers] : []),
  ];
  return { hash: hashText(JSON.stringify([list, order])), list };
}

/**
 * The part of an untrusted workspace's configuration that takes effect: it can deny, ask and describe, but not allow.
 */
export function withoutGrants(found: ConfigContents): ConfigContents {
  const { smallModel: _smallModel, model: _model, defaultAgent: _defaultAgent, ...rest } = found;
  return {
    ...rest,
    rules: found.rules.filter(({ action }) => action !== 'allow'),
    agents: found.agents.map(({ config: { model: _, temperature: _t, top_p: _p, ...config }, ...agent }) => ({
      ...agent,
      config: { ...config, ...atMost('steps', config), ...atMost('maxSteps', config) },
      rules: agent.rules.filter(({ action }) => action !== 'allow'),
    })),
    commands: found.commands.map(({ model: _, ...command }) => command),
    instructions: found.instructions.filter((path) => !isAddress(path)),
    plugins: [],
    servers: found.servers.filter((server) => !isEnabled(server)),
    providers: [],
    flags: Object.fromEntries(Object.entries(found.flags).filter(([, on]) => !on)),
  };
}

/** Whether the agent gets more than an untrusted workspace may give it. */
function grantsMore({ rules, config }: FileAgent): boolean {
  return (
    rules.some(({ action }) => action === 'allow') ||
    config.model !== undefined ||
    Math.max(config.steps ?? 0, config.maxSteps ?? 0) > DEFAULT_STEPS
  );
}

/** The settings of how randomly an agent's model samples. */
function samplingOf({ temperature, top_p: topP }: AgentConfig): string[] {
  return [
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p ${topP}`]),
  ];
}

/** Whether the entry adds a server, rather than only switching one off. */
function isEnabled({ config }: FileServer): boolean {
  return config.enabled !== false;
}

export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function atMost(key: 'steps' | 'maxSteps', config: AgentConfig): Pick<AgentConfig, typeof key> {
  const value = config[key];
  return value === undefined ? {} : { [key]: Math.min(value, DEFAULT_STEPS) };
}
