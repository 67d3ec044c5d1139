import { isObject, type JsonObject } from '../base/json.ts';
import type { FileAgent, MutableContents } from './contents.ts';
import type { ConfigFiles } from './files.ts';
import { readMarkdownFile } from './markdown-file.ts';
import { own, problemAt, valueAt, type ConfigDocument } from './parse.ts';
import { withReferencedFiles } from './referenced-file.ts';
import { askForEverything, report, reportInvalid, reportUnknownKeys } from './report.ts';
import { rulesAt } from './rules.ts';
import { AGENT_KEYS, agentSchema } from './schema.ts';

export async function readAgents(
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
        ...(prompt !== undefined && { prompt: await withReferencedFiles(prompt, file, found, files) }),
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

export function allRulesAt(
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

export async function readAgentFile(file: string, text: string, found: MutableContents): Promise<void> {
  const { name, values, keys, body } = await readMarkdownFile(file, text, found);
  // The order of rules matters.
  const lines = text.split('\n');
  const lineOf = (key: string) =>
    lines.findIndex((line) => new RegExp(`^\\s*["']?${key}["']?\\s*:`).test(line)) + 1;
  const line = (path: readonly string[]) => lineOf((path[0] ?? '').replace(/\W/g, '.')) || undefined;
  const written: ConfigDocument = { values, keys, line };
  const agent = agentAt(name, file, written, [], found);
  found.agents.push({ ...agent, config: { ...agent.config, ...(body !== '' && { prompt: body }) } });
}
