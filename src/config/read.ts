import * as z from 'zod';
import { faultOf } from '../base/fault.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { ConfigContents, MutableContents } from './contents.ts';
import type { ConfigFiles, Layout } from './files.ts';
import { own, parseConfig, problemAt, valueAt, type ConfigDocument } from './parse.ts';
import { providersAt } from './providers.ts';
import { allRulesAt, readAgentFile, readAgents } from './read-agents.ts';
import { readCommandFile, readCommands } from './read-commands.ts';
import { askForEverything, limitProblems, report, reportInvalid, reportUnknownKeys } from './report.ts';
import { closedBy } from './rules.ts';
import { configSchema } from './schema.ts';
import { serverNameSchema, serverSchema, serverSwitchSchema } from './servers.ts';

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

function readServers(file: string, written: ConfigDocument, found: MutableContents): void {
  for (const name of written.keys(['mcp'])) {
    const config = valueAt(written.values, ['mcp', name]);
    // Chosen here, because the error of a union of both would not say what is wrong.
    const isSwitch = isObject(config) && !('type' in config) && 'enabled' in config;
    const known = z
      .object({ name: serverNameSchema, config: isSwitch ? serverSwitchSchema : serverSchema })
      .safeParse({ name, config });
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
