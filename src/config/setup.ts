import type { Instruction, Setup } from '../agents/setup.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import { normalizedRules } from '../permissions/settings.ts';
import { OWN_LAYOUT, WORKSPACE_LAYOUT, type ConfigFiles, type Layout } from './files.ts';
import { grantsOf, isAddress, withoutGrants, type Grant, type Grants } from './grants.ts';
import type { Problem } from './parse.ts';
import { mergedProviders, type FileProvider } from './providers.ts';
import type { ConfigContents, FileCommand, FilePlugin, FileRule } from './contents.ts';
import { readConfig } from './read.ts';
import { modelOf, rosterOf } from './roster.ts';
import { configuredServers, type ConfiguredServer } from './servers.ts';

/** Limit for all instructions together, in characters. */
const INSTRUCTION_CHARACTERS = 200_000;

export interface ConfigSources {
  /** The person's own files, for every workspace. */
  readonly own: ConfigFiles;
  readonly workspace: ConfigFiles;
  isTrusted(grants: Grants): boolean;
  /** Custom tools and plugins: which of them the workspace would load, and what is wrong with any. */
  code?(plugins: {
    readonly own: readonly FilePlugin[];
    readonly workspace: readonly FilePlugin[];
  }): Promise<CustomCodeFindings>;
  /** Fetches the text at an address that a trusted file names; `null` if it cannot be had in time. */
  fetch(address: string): Promise<string | null>;
}

export interface CustomCodeFindings {
  readonly grants: readonly Grant[];
  readonly problems: readonly Problem[];
  /** Whether the code also consists of files outside its folders. */
  readonly namesOthers: boolean;
}

const NO_CODE: CustomCodeFindings = { grants: [], problems: [], namesOthers: false };

/** The result of reading all configuration files: what takes effect, and what is wrong. */
export interface Configuration {
  readonly setup: Setup;
  /** If two have the same name, the later one counts. */
  readonly commands: readonly FileCommand[];
  readonly servers: readonly ConfiguredServer[];
  /** The models that files describe, with their servers. */
  readonly providers: readonly FileProvider[];
  /** Every file that was found. */
  readonly files: readonly string[];
  /** The rules that take effect, in their order. */
  readonly rules: readonly FileRule[];
  readonly problems: readonly Problem[];
  /** Everything that the workspace would allow beyond the person's settings; `null` if nothing. */
  readonly grants: (Grants & { readonly trusted: boolean }) | null;
  /** Whether it refers to other files, which may change while the configuration files do not. */
  readonly namesOthers: boolean;
  /** The model that prompts go to in sessions where the person has not chosen another. */
  readonly model?: { readonly provider: string; readonly model: string; readonly file: string };
}

/** Reads everything again. The workspace's files override the person's own. Never rejects. */
export async function configurationOf(sources: ConfigSources): Promise<Configuration> {
  const { own, workspace, isTrusted, fetch } = sources;
  const [mine, theirs] = await Promise.all([
    readConfig(own, OWN_LAYOUT),
    readConfig(workspace, WORKSPACE_LAYOUT),
  ]);
  const plugins = { own: mine.plugins, workspace: theirs.plugins };
  const code = (await sources.code?.(plugins)) ?? NO_CODE;
  const grants = grantsOf(theirs, code.grants);
  const trusted = grants !== null && isTrusted(grants);
  const effective = trusted ? theirs : withoutGrants(theirs);
  const problems = [...mine.problems, ...theirs.problems, ...code.problems];
  const instructions = [
    ...(await instructionsOf(mine, own, OWN_LAYOUT, problems, fetch)),
    ...(await instructionsOf(effective, workspace, WORKSPACE_LAYOUT, problems, fetch)),
  ];
  const model = effective.model ?? mine.model;
  const smallModel = effective.smallModel ?? mine.smallModel;
  const compactsAutomatically = effective.compactsAutomatically ?? mine.compactsAutomatically;
  return {
    setup: {
      rules: [
        ...normalizedRules(mine.rules, 'own-config'),
        ...normalizedRules(effective.rules, 'config'),
        ...SECRETS_ASK,
      ],
      agents: rosterOf(
        [...mine.agents, ...effective.agents],
        effective.defaultAgent ?? mine.defaultAgent,
        problems,
      ),
      instructions: fittingInstructions(instructions, problems),
      flags: { ...mine.flags, ...effective.flags },
      primaryTools: [...mine.primaryTools, ...effective.primaryTools],
      ...(smallModel !== undefined && { smallModel: modelOf(smallModel) }),
      ...(compactsAutomatically !== undefined && { compactsAutomatically }),
    },
    commands: [...mine.commands, ...effective.commands],
    providers: mergedProviders([...mine.providers, ...effective.providers]),
    servers: configuredServers([...mine.servers, ...effective.servers]),
    files: [...mine.files, ...theirs.files, ...instructions.map(({ from }) => from)],
    rules: [...mine.rules, ...effective.rules],
    problems,
    namesOthers: mine.namesOthers || theirs.namesOthers || code.namesOthers,
    grants: grants && { ...grants, trusted },
    ...(model !== undefined && { model: { ...modelOf(model.name), file: model.file } }),
  };
}

async function instructionsOf(
  { instructions: named }: ConfigContents,
  files: ConfigFiles,
  { instructions: names }: Layout,
  problems: Problem[],
  fetch: ConfigSources['fetch'],
): Promise<Instruction[]> {
  const loaded: Instruction[] = [];
  const add = async (path: string) => {
    const from = files.prefix + path;
    if (loaded.some((known) => known.from === from)) return true;
    const text = await files.readShown(path).catch(() => null);
    if (text === null) return false;
    if (text.trim() !== '') loaded.push({ from, text: text.trim() });
    return true;
  };
  // Only the first of these that exists is read; the others belong to other programs.
  for (const name of names) if (await add(name)) break;
  for (const path of named) {
    if (isAddress(path)) {
      const text = await fetch(path);
      if (text !== null) loaded.push({ from: path, text: text.trim() });
      else
        problems.push({ file: path, what: 'The instructions there could not be fetched.', next: NEXT_FETCH });
      continue;
    }
    const paths = await files.match(path).catch(() => []);
    const added = await Promise.all(paths.map(add));
    if (!added.some(Boolean))
      problems.push({
        file: files.prefix + path,
        what: 'There is no such instruction file, or the rules hide it.',
        next: 'Create it, or remove it from "instructions".',
      });
  }
  return loaded;
}

/** No file can give a secret to a host, whatever else it allows. */
const SECRETS_ASK: readonly SourcedRule[] = [
  { permission: 'secret', pattern: '*', action: 'ask', source: 'config' },
];

const NEXT_FETCH = 'It is tried again when the configuration changes.';

/** Leaves out instructions beyond the limit, so that a mistaken glob does not fill the model's context. */
function fittingInstructions(instructions: readonly Instruction[], problems: Problem[]): Instruction[] {
  let left = INSTRUCTION_CHARACTERS;
  return instructions.filter(({ from, text }) => {
    left -= text.length;
    if (left < 0)
      problems.push({
        file: from,
        what: 'The instructions are too long in total.',
        next: 'This file is left out.',
      });
    return left >= 0;
  });
}
