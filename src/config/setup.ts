import type { Instruction, Setup } from '../agents/setup.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import { rulesAsMeant } from '../permissions/settings.ts';
import { OWN_LAYOUT, WORKSPACE_LAYOUT, type ConfigFiles, type Layout } from './files.ts';
import { grantsOf, isAddress, tightening, type Grant, type Grants } from './grants.ts';
import type { Problem } from './parse.ts';
import { readConfig, type FileCommand, type FilePlugin, type FileRule, type Found } from './read.ts';
import { modelOf, rosterOf } from './roster.ts';
import { placedServers, type PlacedServer } from './servers.ts';

/** All instructions together, characters. */
const INSTRUCTION_CHARACTERS = 200_000;

export interface ConfigPlaces {
  /** What the person keeps for every workspace. */
  readonly own: ConfigFiles;
  readonly workspace: ConfigFiles;
  isTrusted(grants: Grants): boolean;
  /** Custom tools and plugins: those that the workspace would load, and what is wrong with any. */
  code?(plugins: {
    readonly own: readonly FilePlugin[];
    readonly workspace: readonly FilePlugin[];
  }): Promise<FoundCode>;
  /** The text at an address that a trusted file names; `null` where it cannot be had in time. */
  fetch(address: string): Promise<string | null>;
}

export interface FoundCode {
  readonly grants: readonly Grant[];
  readonly problems: readonly Problem[];
  /** It is made of files beside its folders too. */
  readonly namesOthers: boolean;
}

const NO_CODE: FoundCode = { grants: [], problems: [], namesOthers: false };

/** What the files say, and what of it is heeded. */
export interface Configuration {
  readonly setup: Setup;
  /** Later ones count where two have the same name. */
  readonly commands: readonly FileCommand[];
  readonly servers: readonly PlacedServer[];
  /** Every file that was found. */
  readonly files: readonly string[];
  /** The rules that count, in their order. */
  readonly rules: readonly FileRule[];
  readonly problems: readonly Problem[];
  /** What the workspace would allow; `null`: nothing. */
  readonly grants: (Grants & { readonly trusted: boolean }) | null;
  /** It names other files, which may change while the files of configuration do not. */
  readonly namesOthers: boolean;
  /** What prompts go to in a session in which the person has not chosen another. */
  readonly model?: { readonly provider: string; readonly model: string; readonly file: string };
}

/** Reads everything anew. The person's own files count first, those of the workspace after them. Never rejects. */
export async function configurationOf(places: ConfigPlaces): Promise<Configuration> {
  const { own, workspace, isTrusted, fetch } = places;
  const [mine, theirs] = await Promise.all([
    readConfig(own, OWN_LAYOUT),
    readConfig(workspace, WORKSPACE_LAYOUT),
  ]);
  const plugins = { own: mine.plugins, workspace: theirs.plugins };
  const code = (await places.code?.(plugins)) ?? NO_CODE;
  const grants = grantsOf(theirs, code.grants);
  const trusted = grants !== null && isTrusted(grants);
  const heeded = trusted ? theirs : tightening(theirs);
  const problems = [...mine.problems, ...theirs.problems, ...code.problems];
  const instructions = [
    ...(await instructionsOf(mine, own, OWN_LAYOUT, problems, fetch)),
    ...(await instructionsOf(heeded, workspace, WORKSPACE_LAYOUT, problems, fetch)),
  ];
  const model = heeded.model ?? mine.model;
  const smallModel = heeded.smallModel ?? mine.smallModel;
  const makesRoom = heeded.makesRoom ?? mine.makesRoom;
  return {
    setup: {
      rules: [
        ...rulesAsMeant(mine.rules, 'own-config'),
        ...rulesAsMeant(heeded.rules, 'config'),
        ...SECRETS_ASK,
      ],
      agents: rosterOf([...mine.agents, ...heeded.agents]),
      instructions: within(instructions, problems),
      flags: { ...mine.flags, ...heeded.flags },
      primaryTools: [...mine.primaryTools, ...heeded.primaryTools],
      ...(smallModel !== undefined && { smallModel: modelOf(smallModel) }),
      ...(makesRoom !== undefined && { makesRoom }),
    },
    commands: [...mine.commands, ...heeded.commands],
    servers: placedServers([...mine.servers, ...heeded.servers]),
    files: [...mine.files, ...theirs.files, ...instructions.map(({ from }) => from)],
    rules: [...mine.rules, ...heeded.rules],
    problems,
    namesOthers: mine.namesOthers || theirs.namesOthers || code.namesOthers,
    grants: grants && { ...grants, trusted },
    ...(model !== undefined && { model: { ...modelOf(model.name), file: model.file } }),
  };
}

async function instructionsOf(
  { instructions: named }: Found,
  place: ConfigFiles,
  { instructions: names }: Layout,
  problems: Problem[],
  fetch: ConfigPlaces['fetch'],
): Promise<Instruction[]> {
  const made: Instruction[] = [];
  const add = async (path: string) => {
    const from = place.prefix + path;
    if (made.some((known) => known.from === from)) return true;
    const text = await place.readShown(path).catch(() => null);
    if (text === null) return false;
    if (text.trim() !== '') made.push({ from, text: text.trim() });
    return true;
  };
  // Of the first name that is there; the others are other programs'.
  for (const name of names) if (await add(name)) break;
  for (const path of named) {
    if (isAddress(path)) {
      const text = await fetch(path);
      if (text !== null) made.push({ from: path, text: text.trim() });
      else
        problems.push({ file: path, what: 'The instructions there could not be fetched.', next: NEXT_FETCH });
      continue;
    }
    const paths = await place.match(path).catch(() => []);
    const added = await Promise.all(paths.map(add));
    if (!added.some(Boolean))
      problems.push({
        file: place.prefix + path,
        what: 'No file of instructions is there, or the rules hide it.',
        next: 'Write it, or take it out of "instructions".',
      });
  }
  return made;
}

/** No file gives a host a secret, whatever else it allows. */
const SECRETS_ASK: readonly SourcedRule[] = [
  { permission: 'secret', pattern: '*', action: 'ask', source: 'config' },
];

const NEXT_FETCH = 'It is tried again when the configuration changes.';

/** So that a mistaken glob does not fill the model's context. */
function within(instructions: readonly Instruction[], problems: Problem[]): Instruction[] {
  let left = INSTRUCTION_CHARACTERS;
  return instructions.filter(({ from, text }) => {
    left -= text.length;
    if (left < 0)
      problems.push({
        file: from,
        what: 'All instructions together are too long.',
        next: 'This file is left out.',
      });
    return left >= 0;
  });
}
