import * as z from 'zod';
import { faultOf } from '../base/fault.ts';
import { readFrontMatter } from '../base/front-matter.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Rule } from '../permissions/types.ts';
import type { ConfigFiles, Layout } from './files.ts';
import {
  MAX_PROBLEMS,
  own,
  parseConfig,
  problemAt,
  valueAt,
  type Problem,
  type ConfigDocument,
} from './parse.ts';
import { providersAt, type FileProvider } from './providers.ts';
import { closedBy, rulesAt } from './rules.ts';
import {
  AGENT_KEYS,
  agentSchema,
  commandSchema,
  configSchema,
  type AgentConfig,
  type CommandConfig,
} from './schema.ts';
import { serverNameSchema, writtenServerSchema, type FileServer } from './servers.ts';

/** A rule and the file that contains it. */
export interface FileRule extends Rule {
  readonly file: string;
}

/** The description of an agent in one file; several files may describe the same agent. */
export interface FileAgent {
  readonly name: string;
  readonly file: string;
  readonly config: AgentConfig;
  readonly rules: readonly FileRule[];
  /** Rules that replace entries we could not understand. They go after all other rules. */
  readonly closing: readonly FileRule[];
}

export interface FileCommand extends CommandConfig {
  readonly name: string;
  readonly file: string;
}

/** A plugin that a file names by its path in the workspace. */
export interface FilePlugin {
  readonly file: string;
  readonly path: string;
  readonly options?: JsonObject;
}

/** The merged contents of all configuration files of one source. */
export interface ConfigContents {
  /** The files that exist. */
  readonly files: readonly string[];
  readonly rules: readonly FileRule[];
  readonly agents: readonly FileAgent[];
  readonly commands: readonly FileCommand[];
  readonly servers: readonly FileServer[];
  readonly providers: readonly FileProvider[];
  /** Paths, globs and addresses of instructions for every agent. */
  readonly instructions: readonly string[];
  readonly plugins: readonly FilePlugin[];
  readonly flags: Readonly<Record<string, boolean>>;
  readonly primaryTools: readonly string[];
  readonly model?: { readonly name: string; readonly file: string };
  readonly smallModel?: string;
  /** The agent that receives prompts if the person has not chosen one. */
  readonly defaultAgent?: { readonly name: string; readonly file: string };
  readonly compactsAutomatically?: boolean;
  /** Whether it refers to other files, which may change while these do not. */
  readonly namesOthers: boolean;
  readonly problems: readonly Problem[];
}

interface MutableContents {
  readonly files: string[];
  readonly rules: FileRule[];
  readonly closing: FileRule[];
  readonly agents: FileAgent[];
  readonly commands: FileCommand[];
  readonly servers: FileServer[];
  readonly providers: FileProvider[];
  instructions: string[];
  readonly plugins: FilePlugin[];
  flags: Record<string, boolean>;
  primaryTools: string[];
  namesOthers: boolean;
  model?: { readonly name: string; readonly file: string };
  smallModel?: string;
  defaultAgent?: { readonly name: string; readonly file: string };
  compactsAutomatically?: boolean;
  readonly problems: Problem[];
}

/**
 * Reads all files of one source. Never rejects: whatever cannot be read or understood is reported as a problem, and
 * the rest takes effect.
 */
export async function readConfig(files: ConfigFiles, layout: Layout): Promise<ConfigContents> {
  const found: MutableContents = {
    files: [],
    rules: [],
    closing: [],
    agents: [],
    commands: [],
    servers: [],
    providers: [],
    instructions: [],
    plugins: [],
    flags: {},
    primaryTools: [],
    namesOthers: false,
    problems: [],
  };
  for (const path of layout.configs) await readFile(files, path, found, readConfigFile);
  for (const folder of layout.agents) await readFolder(files, folder, found, readAgentFile);
  for (const folder of layout.commands) await readFolder(files, folder, found, readCommandFile);
  const { closing, ...rest } = found;
  const closingRules = closedBy(closing, found.rules);
  return {
    ...rest,
    rules: [...found.rules, ...closingRules.map((rule, at) => ({ ...rule, file: closing[at]?.file ?? '' }))],
  };
}

type ReadText = (file: string, text: string, found: MutableContents, files: ConfigFiles) => Promise<void>;

async function readFolder(
  files: ConfigFiles,
  folder: string,
  found: MutableContents,
  read: ReadText,
): Promise<void> {
  const paths = (await files.list(folder)).filter((path) => path.endsWith('.md'));
  for (const path of paths) await readFile(files, path, found, read);
}

async function readFile(
  files: ConfigFiles,
  path: string,
  found: MutableContents,
  read: ReadText,
): Promise<void> {
  const file = files.prefix + path;
  try {
    const text = await files.read(path);
    if (text === null) return;
    found.files.push(file);
    const before = found.problems.length;
    await read(file, text, found, files);
    limitProblems(file, before, found.problems);
  } catch (error) {
    askForEverything(found, {
      file,
      what: `The file cannot be read: ${faultOf(error).what}.`,
      next: 'Until then everything asks for permission.',
    });
  }
}

/** Limits the problems of one file to a number that people still read. */
function limitProblems(file: string, before: number, problems: Problem[]): void {
  const left = problems.splice(before + MAX_PROBLEMS).length;
  if (left === 0) return;
  problems.push({ file, what: `${left} more problems are not shown.`, next: 'Fix the ones above first.' });
}

/** We do not know what an unreadable file denies, so everything asks. */
function askForEverything(found: MutableContents, problem: Problem): void {
  found.problems.push(problem);
  found.closing.push({ permission: '*', pattern: '*', action: 'ask', file: problem.file });
}

async function readConfigFile(
  file: string,
  text: string,
  found: MutableContents,
  files: ConfigFiles,
): Promise<void> {
  const parsed = await parseConfig(file, text);
  if (!parsed.ok) return askForEverything(found, parsed.problem);
  const { written } = parsed;
  found.problems.push(...parsed.problems);
  reportUnknownKeys(file, written, [], Object.keys(configSchema.shape), found);

  const read = <K extends keyof typeof configSchema.shape>(key: K) => {
    const value = own(written.values, key);
    if (value === undefined) return undefined;
    const known = configSchema.shape[key].safeParse(value);
    if (known.success) return known.data;
    reportInvalid(file, written, [key], known.error, found);
    return undefined;
  };

  const { rules, closing } = allRulesAt(file, written, [], found);
  found.rules.push(...rules);
  found.closing.push(...closing);
  for (const key of ['mode', 'agent', 'agents'] as const) await readAgents(file, written, key, found, files);
  await readCommands(file, written, found, files);
  readServers(file, written, found);
  const instructions = (read('instructions') as string[] | undefined) ?? [];
  found.instructions.push(...instructions);
  found.namesOthers ||= instructions.length > 0;
  readPlugins((read('plugin') as (string | [string, JsonObject])[] | undefined) ?? [], file, written, found);
  const model = read('model');
  if (typeof model === 'string') found.model = { name: model, file };
  const smallModel = read('small_model');
  if (typeof smallModel === 'string') found.smallModel = smallModel;
  const agent = read('default_agent');
  if (typeof agent === 'string') found.defaultAgent = { name: agent, file };
  const { providers, problems } = providersAt(file, written);
  found.providers.push(...providers);
  found.problems.push(...problems);
  const auto = valueAt(written.values, ['compaction', 'auto']);
  if (typeof auto === 'boolean') found.compactsAutomatically = auto;
  read('compaction');
  readExperimental(written, found);
  read('experimental');
  readLanguages(file, written, found);
  read('lsp');
}

/** Turns language services off if the file says so; they are on by default. */
function readLanguages(file: string, written: ConfigDocument, found: MutableContents): void {
  const lsp = own(written.values, 'lsp');
  const isOff = (server: Json | undefined) =>
    own(server, 'enabled') === false || own(server, 'disabled') === true;
  if (lsp === false || isOff(own(lsp, 'typescript')))
    for (const name of ['experimental.lsp_tool', 'lsp.after_changes']) found.flags[name] = false;
  if (!isObject(lsp)) return;
  for (const [name, server] of Object.entries(lsp))
    if (name !== 'typescript' && !isOff(server))
      report(file, written, ['lsp', name], 'no language server can be started in a browser', found);
}

function readPlugins(
  named: readonly (string | [string, JsonObject])[],
  file: string,
  written: ConfigDocument,
  found: MutableContents,
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
        `The plugin ${path} is a package, and packages cannot be loaded here.`,
        'Put its files into the workspace and use their path, beginning with "./".',
      ),
    );
  }
}

function readExperimental(written: ConfigDocument, found: MutableContents): void {
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
  written: ConfigDocument,
  key: 'agent' | 'agents' | 'mode',
  found: MutableContents,
  files: ConfigFiles,
): Promise<void> {
  const value = own(written.values, key);
  if (value !== undefined && !isObject(value))
    askForEverything(
      found,
      problemAt(
        file,
        written.line([key]),
        `${key} is not a map of agents.`,
        'Write {"name": {…}}. Until then everything asks for permission.',
      ),
    );
  for (const name of written.keys([key])) {
    const agent = agentAt(name, file, written, [key, name], found);
    const { prompt } = agent.config;
    found.agents.push({
      ...agent,
      config: {
        ...agent.config,
        ...(key === 'mode' && { mode: 'primary' as const }),
        ...(prompt !== undefined && { prompt: await withFile(prompt, file, found, files) }),
      },
    });
  }
}

/** Permissions take effect even if other settings of the agent are invalid. */
function agentAt(
  name: string,
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  found: MutableContents,
): FileAgent {
  reportUnknownKeys(file, written, path, [...AGENT_KEYS], found);
  const value = valueAt(written.values, path);
  const { permission: _one, permissions: _many, tools: _tools, ...rest } = isObject(value) ? value : {};
  const known = agentSchema.safeParse(withFirstNames(rest));
  if (!known.success) reportInvalid(file, written, path, known.error, found);
  else if (!isObject(value)) report(file, written, path, undefined, found);
  return {
    name,
    file,
    config: known.success ? known.data : {},
    ...allRulesAt(file, written, path, found),
  };
}

/** Translates the keys of opencode 2 to those of opencode 1. */
function withFirstNames({ system, disabled, ...agent }: JsonObject): JsonObject {
  const { model } = agent;
  return {
    ...agent,
    ...(system !== undefined && agent['prompt'] === undefined && { prompt: system }),
    ...(disabled !== undefined && agent['disable'] === undefined && { disable: disabled }),
    ...(typeof model === 'string' && { model: model.replace(/#.*$/, '') }),
  };
}

function allRulesAt(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  found: MutableContents,
): Pick<FileAgent, 'rules' | 'closing'> {
  const { rules, closing, problems } = rulesAt(file, written, path);
  found.problems.push(...problems);
  return {
    rules: rules.map((rule) => ({ ...rule, file })),
    closing: closing.map((rule) => ({ ...rule, file })),
  };
}

async function readCommands(
  file: string,
  written: ConfigDocument,
  found: MutableContents,
  files: ConfigFiles,
): Promise<void> {
  for (const name of written.keys(['command'])) {
    const path = ['command', name];
    const known = commandSchema.safeParse(valueAt(written.values, path));
    if (known.success) {
      const template = await withFile(known.data.template, file, found, files);
      found.commands.push({ ...known.data, template, name, file });
    } else reportInvalid(file, written, path, known.error, found);
  }
}

function readServers(file: string, written: ConfigDocument, found: MutableContents): void {
  for (const name of written.keys(['mcp'])) {
    const known = z
      .object({ name: serverNameSchema, config: writtenServerSchema })
      .safeParse({ name, config: valueAt(written.values, ['mcp', name]) });
    if (known.success) found.servers.push({ ...known.data, file });
    else {
      const [issue] = known.error.issues;
      report(
        file,
        written,
        ['mcp', name, ...(issue?.path.slice(1) ?? []).map(String)],
        issue?.message,
        found,
      );
    }
  }
}

async function readAgentFile(file: string, text: string, found: MutableContents): Promise<void> {
  const { name, values, keys, body } = await markdown(file, text, found);
  // The order of rules matters.
  const lines = text.split('\n');
  const lineOf = (key: string) =>
    lines.findIndex((line) => new RegExp(`^\\s*["']?${key}["']?\\s*:`).test(line)) + 1;
  const line = (path: readonly string[]) => lineOf((path[0] ?? '').replace(/\W/g, '.')) || undefined;
  const written: ConfigDocument = { values, keys, line };
  const agent = agentAt(name, file, written, [], found);
  found.agents.push({ ...agent, config: { ...agent.config, ...(body !== '' && { prompt: body }) } });
}

async function readCommandFile(file: string, text: string, found: MutableContents): Promise<void> {
  const { name, values, body } = await markdown(file, text, found);
  const known = commandSchema.safeParse({ ...values, template: body });
  if (known.success) found.commands.push({ ...known.data, name, file });
  else
    found.problems.push({
      file,
      what:
        body === ''
          ? 'The command is empty.'
          : `The front matter cannot be used: ${known.error.issues[0]?.message}.`,
      next: 'The command is unavailable until that is fixed.',
    });
}

async function markdown(file: string, text: string, found: MutableContents) {
  const head = await readFrontMatter(text);
  if (head && !head.ok)
    askForEverything(found, {
      file,
      line: 1,
      what: `The file cannot be read: ${head.why}.`,
      next: 'Until then everything asks for permission.',
    });
  const values: JsonObject = head?.ok && isObject(head.values) ? head.values : {};
  const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
  const keys = head?.ok ? head.keys : () => [];
  return { name, values, keys, body: head?.ok ? head.body : head ? '' : text.trim() };
}

/** Replaces `{file:./prompt.md}` with the contents of that file; the path is relative to the file that refers to it. */
async function withFile(
  text: string,
  file: string,
  found: MutableContents,
  files: ConfigFiles,
): Promise<string> {
  const folder = file.slice(files.prefix.length, file.lastIndexOf('/') + 1);
  const parts = text.split(/\{file:([^}]+)\}/);
  const filled = parts.map(async (part, index) => {
    if (index % 2 === 0) return part;
    found.namesOthers = true;
    const path = (folder + part.trim()).replace(/(^|\/)\.\//g, '$1');
    const read = await files.readShown(path).catch(() => null);
    if (read !== null) return read.trim();
    found.problems.push({
      file,
      what: `There is no file ${part.trim()}.`,
      next: 'Create it, or remove the reference.',
    });
    return '';
  });
  return (await Promise.all(filled)).join('');
}

function reportUnknownKeys(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  known: readonly string[],
  found: MutableContents,
): void {
  for (const key of written.keys(path)) {
    if (known.includes(key)) continue;
    found.problems.push(
      problemAt(
        file,
        written.line([...path, key]),
        `"${[...path, key].join('.')}" has no effect here.`,
        'You can leave it for other programs.',
      ),
    );
  }
}

function report(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  why: string | undefined,
  found: MutableContents,
): void {
  found.problems.push(
    problemAt(
      file,
      written.line(path) ?? written.line(path.slice(0, -1)),
      `${path.join('.') || 'The front matter'} cannot be used${why === undefined ? '' : `: ${why}`}.`,
      'It is ignored until that is fixed.',
    ),
  );
}

function reportInvalid(
  file: string,
  written: ConfigDocument,
  path: readonly string[],
  { issues: [issue] }: z.ZodError,
  found: MutableContents,
): void {
  report(file, written, [...path, ...(issue?.path ?? []).map(String)], issue?.message, found);
}
