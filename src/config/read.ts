import * as z from 'zod';
import { faultOf } from '../base/fault.ts';
import { readFrontMatter } from '../base/front-matter.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Rule } from '../permissions/types.ts';
import type { ConfigFiles, Layout } from './files.ts';
import { MAX_PROBLEMS, own, parseConfig, problemAt, valueAt, type Problem, type Written } from './parse.ts';
import { rulesAt, toolRulesAt } from './rules.ts';
import {
  AGENT_KEYS,
  agentSchema,
  commandSchema,
  configSchema,
  type AgentConfig,
  type CommandConfig,
} from './schema.ts';
import { serverNameSchema, writtenServerSchema, type FileServer } from './servers.ts';

/** A rule, and the file that it is written in. */
export interface FileRule extends Rule {
  readonly file: string;
}

/** What one file says of an agent; several may speak of the same one. */
export interface FileAgent {
  readonly name: string;
  readonly file: string;
  readonly config: AgentConfig;
  readonly rules: readonly FileRule[];
}

export interface FileCommand extends CommandConfig {
  readonly name: string;
  readonly file: string;
}

/** A plugin that a file names: a path in the workspace. */
export interface FilePlugin {
  readonly file: string;
  readonly path: string;
  readonly options?: JsonObject;
}

/** All that the files of one place say. */
export interface Found {
  /** Those that are there. */
  readonly files: readonly string[];
  readonly rules: readonly FileRule[];
  readonly agents: readonly FileAgent[];
  readonly commands: readonly FileCommand[];
  readonly servers: readonly FileServer[];
  /** Paths, globs and addresses that are to be read for every agent. */
  readonly instructions: readonly string[];
  readonly plugins: readonly FilePlugin[];
  readonly flags: Readonly<Record<string, boolean>>;
  readonly primaryTools: readonly string[];
  readonly model?: { readonly name: string; readonly file: string };
  readonly smallModel?: string;
  readonly makesRoom?: boolean;
  /** It names other files, which may change while these do not. */
  readonly namesOthers: boolean;
  readonly problems: readonly Problem[];
}

interface Gathered {
  readonly files: string[];
  readonly rules: FileRule[];
  readonly agents: FileAgent[];
  readonly commands: FileCommand[];
  readonly servers: FileServer[];
  instructions: string[];
  readonly plugins: FilePlugin[];
  flags: Record<string, boolean>;
  primaryTools: string[];
  namesOthers: boolean;
  model?: { readonly name: string; readonly file: string };
  smallModel?: string;
  makesRoom?: boolean;
  readonly problems: Problem[];
}

/** Reads the files of a place. Never rejects: what cannot be read or understood is a problem, and the rest counts. */
export async function readConfig(place: ConfigFiles, layout: Layout): Promise<Found> {
  const found: Gathered = {
    files: [],
    rules: [],
    agents: [],
    commands: [],
    servers: [],
    instructions: [],
    plugins: [],
    flags: {},
    primaryTools: [],
    namesOthers: false,
    problems: [],
  };
  for (const path of layout.configs) await readFile(place, path, found, readConfigFile);
  for (const folder of layout.agents) await readFolder(place, folder, found, readAgentFile);
  for (const folder of layout.commands) await readFolder(place, folder, found, readCommandFile);
  return found;
}

type ReadText = (file: string, text: string, found: Gathered, place: ConfigFiles) => Promise<void>;

async function readFolder(
  place: ConfigFiles,
  folder: string,
  found: Gathered,
  read: ReadText,
): Promise<void> {
  const paths = (await place.list(folder)).filter((path) => path.endsWith('.md'));
  for (const path of paths) await readFile(place, path, found, read);
}

async function readFile(place: ConfigFiles, path: string, found: Gathered, read: ReadText): Promise<void> {
  const file = place.prefix + path;
  try {
    const text = await place.read(path);
    if (text === null) return;
    found.files.push(file);
    const before = found.problems.length;
    await read(file, text, found, place);
    fewer(file, before, found.problems);
  } catch (error) {
    closed(found, {
      file,
      what: `The file cannot be read: ${faultOf(error).what}.`,
      next: 'Until then everything asks.',
    });
  }
}

/** Of one file so many are told that somebody may read them. */
function fewer(file: string, before: number, problems: Problem[]): void {
  const left = problems.splice(before + MAX_PROBLEMS).length;
  if (left === 0) return;
  problems.push({ file, what: `${left} more cannot be used.`, next: 'Mend those above first.' });
}

/** What it may have denied is not known: everything asks. */
function closed(found: Gathered, problem: Problem): void {
  found.problems.push(problem);
  found.rules.push({ permission: '*', pattern: '*', action: 'ask', file: problem.file });
}

async function readConfigFile(
  file: string,
  text: string,
  found: Gathered,
  place: ConfigFiles,
): Promise<void> {
  const parsed = await parseConfig(file, text);
  if (!parsed.ok) return closed(found, parsed.problem);
  const { written } = parsed;
  found.problems.push(...parsed.problems);
  tellUnknown(file, written, [], Object.keys(configSchema.shape), found);

  const read = <K extends keyof typeof configSchema.shape>(key: K) => {
    const value = own(written.values, key);
    if (value === undefined) return undefined;
    const known = configSchema.shape[key].safeParse(value);
    if (known.success) return known.data;
    tellError(file, written, [key], known.error, found);
    return undefined;
  };

  found.rules.push(...allRulesAt(file, written, [], found));
  read('tools');
  for (const key of ['mode', 'agent'] as const) await readAgents(file, written, key, found, place);
  await readCommands(file, written, found, place);
  readServers(file, written, found);
  const instructions = (read('instructions') as string[] | undefined) ?? [];
  found.instructions.push(...instructions);
  found.namesOthers ||= instructions.length > 0;
  readPlugins((read('plugin') as (string | [string, JsonObject])[] | undefined) ?? [], file, written, found);
  const model = read('model');
  if (typeof model === 'string') found.model = { name: model, file };
  const smallModel = read('small_model');
  if (typeof smallModel === 'string') found.smallModel = smallModel;
  const auto = valueAt(written.values, ['compaction', 'auto']);
  if (typeof auto === 'boolean') found.makesRoom = auto;
  read('compaction');
  readExperimental(written, found);
  read('experimental');
  readLanguages(file, written, found);
  read('lsp');
}

/** Whether language services are wanted; they are unless something says that they are not. */
function readLanguages(file: string, written: Written, found: Gathered): void {
  const lsp = own(written.values, 'lsp');
  const isOff = (server: Json | undefined) =>
    own(server, 'enabled') === false || own(server, 'disabled') === true;
  if (lsp === false || isOff(own(lsp, 'typescript')))
    for (const name of ['experimental.lsp_tool', 'lsp.after_changes']) found.flags[name] = false;
  if (!isObject(lsp)) return;
  for (const [name, server] of Object.entries(lsp))
    if (name !== 'typescript' && !isOff(server))
      tell(file, written, ['lsp', name], 'no language server can be started in a browser', found);
}

function readPlugins(
  named: readonly (string | [string, JsonObject])[],
  file: string,
  written: Written,
  found: Gathered,
): void {
  for (const each of named) {
    const [path, options] = typeof each === 'string' ? [each] : each;
    if (/^(?:\.{0,2}\/|file:)/.test(path)) {
      found.plugins.push({ file, path: path.replace(/^file:(?:\/\/)?/, ''), ...(options && { options }) });
      continue;
    }
    found.problems.push(
      problemAt(
        file,
        written.line(['plugin']),
        `The plugin ${path} is a package, and packages are not fetched here.`,
        'Put its files into the workspace and name their path, beginning with "./".',
      ),
    );
  }
}

function readExperimental(written: Written, found: Gathered): void {
  const experimental = own(written.values, 'experimental');
  if (!isObject(experimental)) return;
  for (const [name, value] of Object.entries(experimental))
    if (typeof value === 'boolean') found.flags[`experimental.${name}`] = value;
  const primary = experimental['primary_tools'];
  if (Array.isArray(primary))
    found.primaryTools.push(...primary.filter((name): name is string => typeof name === 'string'));
}

async function readAgents(
  file: string,
  written: Written,
  key: 'agent' | 'mode',
  found: Gathered,
  place: ConfigFiles,
): Promise<void> {
  for (const name of written.keys([key])) {
    const agent = agentAt(name, file, written, [key, name], found);
    const { prompt } = agent.config;
    found.agents.push({
      ...agent,
      config: {
        ...agent.config,
        ...(key === 'mode' && { mode: 'primary' as const }),
        ...(prompt !== undefined && { prompt: await withFile(prompt, file, found, place) }),
      },
    });
  }
}

/** What it may and may not do counts even where something else about it is wrong. */
function agentAt(
  name: string,
  file: string,
  written: Written,
  path: readonly string[],
  found: Gathered,
): FileAgent {
  tellUnknown(file, written, path, [...AGENT_KEYS], found);
  const value = valueAt(written.values, path);
  const { permission: _permission, tools: _tools, ...rest } = isObject(value) ? value : {};
  const known = agentSchema.safeParse(rest);
  if (!known.success) tellError(file, written, path, known.error, found);
  else if (!isObject(value)) tell(file, written, path, undefined, found);
  return {
    name,
    file,
    config: known.success ? known.data : {},
    rules: allRulesAt(file, written, path, found),
  };
}

/** As `tools` says it, and after that as `permission` does. */
function allRulesAt(file: string, written: Written, path: readonly string[], found: Gathered): FileRule[] {
  const { rules, problems } = rulesAt(file, written, [...path, 'permission']);
  found.problems.push(...problems);
  return [...toolRulesAt(written, [...path, 'tools']), ...rules].map((rule) => ({ ...rule, file }));
}

async function readCommands(
  file: string,
  written: Written,
  found: Gathered,
  place: ConfigFiles,
): Promise<void> {
  for (const name of written.keys(['command'])) {
    const path = ['command', name];
    const known = commandSchema.safeParse(valueAt(written.values, path));
    if (known.success) {
      const template = await withFile(known.data.template, file, found, place);
      found.commands.push({ ...known.data, template, name, file });
    } else tellError(file, written, path, known.error, found);
  }
}

function readServers(file: string, written: Written, found: Gathered): void {
  for (const name of written.keys(['mcp'])) {
    const known = z
      .object({ name: serverNameSchema, config: writtenServerSchema })
      .safeParse({ name, config: valueAt(written.values, ['mcp', name]) });
    if (known.success) found.servers.push({ ...known.data, file });
    else {
      const [issue] = known.error.issues;
      tell(file, written, ['mcp', name, ...(issue?.path.slice(1) ?? []).map(String)], issue?.message, found);
    }
  }
}

async function readAgentFile(file: string, text: string, found: Gathered): Promise<void> {
  const { name, values, keys, body } = await markdown(file, text, found);
  // The order of rules is their meaning.
  const written: Written = { values, keys, line: () => undefined };
  const agent = agentAt(name, file, written, [], found);
  found.agents.push({ ...agent, config: { ...agent.config, ...(body !== '' && { prompt: body }) } });
}

async function readCommandFile(file: string, text: string, found: Gathered): Promise<void> {
  const { name, values, body } = await markdown(file, text, found);
  const known = commandSchema.safeParse({ ...values, template: body });
  if (known.success) found.commands.push({ ...known.data, name, file });
  else
    found.problems.push({
      file,
      what:
        body === ''
          ? 'The command says nothing.'
          : `The head cannot be used: ${known.error.issues[0]?.message}.`,
      next: 'Until that is mended there is no such command.',
    });
}

async function markdown(file: string, text: string, found: Gathered) {
  const head = await readFrontMatter(text);
  if (head && !head.ok)
    closed(found, {
      file,
      line: 1,
      what: `The file cannot be read: ${head.why}.`,
      next: 'Until then everything asks.',
    });
  const values: JsonObject = head?.ok && isObject(head.values) ? head.values : {};
  const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
  const keys = head?.ok ? head.keys : () => [];
  return { name, values, keys, body: head?.ok ? head.body : head ? '' : text.trim() };
}

/** `{file:./prompt.md}` is what stands in that file, from the folder of the file that says so. */
async function withFile(text: string, file: string, found: Gathered, place: ConfigFiles): Promise<string> {
  const folder = file.slice(place.prefix.length, file.lastIndexOf('/') + 1);
  const parts = text.split(/\{file:([^}]+)\}/);
  const made = parts.map(async (part, index) => {
    if (index % 2 === 0) return part;
    found.namesOthers = true;
    const path = (folder + part.trim()).replace(/(^|\/)\.\//g, '$1');
    const read = await place.readShown(path).catch(() => null);
    if (read !== null) return read.trim();
    found.problems.push({
      file,
      what: `There is no file ${part.trim()}.`,
      next: 'Write it, or take the name out.',
    });
    return '';
  });
  return (await Promise.all(made)).join('');
}

function tellUnknown(
  file: string,
  written: Written,
  path: readonly string[],
  known: readonly string[],
  found: Gathered,
): void {
  for (const key of written.keys(path)) {
    if (known.includes(key)) continue;
    found.problems.push(
      problemAt(
        file,
        written.line([...path, key]),
        `"${[...path, key].join('.')}" says nothing here.`,
        'It may stay, for other programs.',
      ),
    );
  }
}

function tell(
  file: string,
  written: Written,
  path: readonly string[],
  why: string | undefined,
  found: Gathered,
): void {
  found.problems.push(
    problemAt(
      file,
      written.line(path) ?? written.line(path.slice(0, -1)),
      `${path.join('.') || 'The head'} cannot be used${why === undefined ? '' : `: ${why}`}.`,
      'Until that is mended it is as if it were not there.',
    ),
  );
}

function tellError(
  file: string,
  written: Written,
  path: readonly string[],
  { issues: [issue] }: z.ZodError,
  found: Gathered,
): void {
  tell(file, written, [...path, ...(issue?.path ?? []).map(String)], issue?.message, found);
}
