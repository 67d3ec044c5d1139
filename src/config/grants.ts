import { DEFAULT_STEPS } from '../agents/agent.ts';
import { hashText, type Hash } from '../base/hash.ts';
import type { FileAgent, Found } from './read.ts';
import type { AgentConfig } from './schema.ts';
import { serverInWords, type FileServer } from './servers.ts';

/** What the files of a workspace would allow beyond what the person has set: heeded once the person trusts them. */
export interface Grants {
  /** Of exactly these grants: what was trusted is this and nothing else. */
  readonly hash: Hash;
  readonly list: readonly Grant[];
}

export interface Grant {
  readonly file: string;
  readonly kind: 'rule' | 'agent-rule' | 'instructions' | 'model' | 'switch' | 'server' | 'code';
  /** `bash git *`, an address, the name of a model. */
  readonly what: string;
}

/** `null`: the files only tighten. `code`: names and hashes of programs that would be loaded. */
export function grantsOf(found: Found, code: readonly Grant[] = []): Grants | null {
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
    ...Object.entries(found.flags)
      .filter(([, on]) => on)
      .map(([what]) => ({ file: '', kind: 'switch' as const, what })),
    ...found.servers.filter(brings).map((server) => ({
      file: server.file,
      kind: 'server' as const,
      what: serverInWords(server),
    })),
    ...code,
  ];
  if (list.length === 0) return null;
  // With the rules that do not allow as well: an order that is changed may allow more.
  const order = [
    found.rules,
    // An agent that may more is trusted for what it is told to do with it.
    found.agents.map((agent) => [agent.name, agent.rules, ...(mayMore(agent) ? [agent.config] : [])]),
    found.servers.filter(brings),
  ];
  return { hash: hashText(JSON.stringify([list, order])), list };
}

/** As far as a workspace may go that nobody trusts: it can deny and ask, and say what is to be known of it. */
export function tightening(found: Found): Found {
  const { smallModel: _smallModel, model: _model, ...rest } = found;
  return {
    ...rest,
    rules: found.rules.filter(({ action }) => action !== 'allow'),
    agents: found.agents.map(({ config: { model: _, ...config }, ...agent }) => ({
      ...agent,
      config: { ...config, ...atMost('steps', config), ...atMost('maxSteps', config) },
      rules: agent.rules.filter(({ action }) => action !== 'allow'),
    })),
    commands: found.commands.map(({ model: _, ...command }) => command),
    instructions: found.instructions.filter((path) => !isAddress(path)),
    plugins: [],
    servers: found.servers.filter((server) => !brings(server)),
    flags: Object.fromEntries(Object.entries(found.flags).filter(([, on]) => !on)),
  };
}

/** More than an agent of a workspace that nobody trusts. */
function mayMore({ rules, config }: FileAgent): boolean {
  return (
    rules.some(({ action }) => action === 'allow') ||
    config.model !== undefined ||
    Math.max(config.steps ?? 0, config.maxSteps ?? 0) > DEFAULT_STEPS
  );
}

/** It brings something, and is not only switched off. */
function brings({ config }: FileServer): boolean {
  return config.enabled !== false;
}

export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function atMost(key: 'steps' | 'maxSteps', config: AgentConfig): Pick<AgentConfig, typeof key> {
  const value = config[key];
  return value === undefined ? {} : { [key]: Math.min(value, DEFAULT_STEPS) };
}
