import { subagents } from '../src/agents/agents.ts';
import { build } from '../src/agents/build.ts';
import { plan, PLANS } from '../src/agents/plan.ts';
import { SWITCHES } from '../src/app/tool-settings.ts';
import { jsonObjectSchema, type Json, type JsonObject } from '../src/base/json.ts';
import { decide } from '../src/permissions/rules.ts';
import { appTools } from '../src/tools/builtin.ts';
import { readyIfOffered } from '../src/tools/define.ts';
import { manifestOf } from '../src/tools/manifests.ts';
import { defaultRules } from '../src/tools/permissions.ts';
import type { ToolFilter, ToolInfo } from '../src/tools/tool.ts';
import { MAX_BYTES, MAX_LINES } from '../src/tools/truncate.ts';
import { ALWAYS_IGNORED } from '../src/protocol/ignore-rules.ts';

/** Nothing is fetched, because only the descriptions of the tools are read. */
const web = {
  fetch: () => Promise.reject(new Error('No web here.')),
  reachable: async () => undefined,
  proxy: () => undefined,
  policed: () => Promise.reject(new Error('No web here.')),
};

const tools = appTools({
  web,
  key: () => 'a key',
  languageOf: () => Promise.reject(new Error('No code here.')),
  previewOf: () => Promise.reject(new Error('No pages here.')),
  subagents,
  planning: { planner: plan.name, builder: build.name, folder: PLANS },
});

const ignored = [
  '## Ignored files',
  '',
  'In both kinds of workspace, `grep`, `glob`, `list`, the list after `@` in a message, the snapshots of a session and the grey names in *Files* use the same rules (`src/protocol/ignored.ts`). These are ignored, strongest first:',
  '',
  '1. what `.ignore` files say, at any depth,',
  '2. what `.gitignore` files say, at any depth, whether or not there is a git repository,',
  '3. what `.git/info/exclude` says,',
  `4. a fixed list: ${ALWAYS_IGNORED.split('\n')
    .map((name) => `\`${name}\``)
    .join(', ')}. A line such as \`!node_modules/\` in a \`.gitignore\` takes one back in.`,
  '',
  "Patterns mean what they mean to git, tested against recorded answers of `git check-ignore` and `rg`. Git's global excludes are not read, neither `~/.config/git/ignore` nor what `core.excludesFile` of `~/.gitconfig` or `.git/config` names: the home folder is scratch, neither searched nor in snapshots, so these rules would differ from *Files* and `list`. Put such patterns into `.git/info/exclude`.",
  '',
  'What is named exactly is found: a path that is given is searched or listed even if it is ignored, and a name that a glob spells out (`node_modules/x/*.js`, `dist/**`, `debug.log`) is found. `list` names what it leaves out. `read`, `edit` and the shell take any path; `rg` in the shell follows the ignore files alone, as ripgrep does, and needs no repository.',
  '',
  'Ignored files are not kept in the snapshots behind the past and recordings, only named there, and restoring a snapshot leaves them as they are. Copies for a comparison, and for undoing an atomic batch, contain every file.',
  '',
];

/** The text of `docs/tools.md`. */
export async function toolsDocs(): Promise<string> {
  const sections = await Promise.all(tools.map(section));
  return [
    '# Tools',
    '',
    '<!-- Made from the code by `node scripts/tools-docs.mjs`; a test fails where it is not up to date. -->',
    '',
    'What the agent can call. Arguments are checked and completed before a tool sees them; `null` counts as left out.',
    `Every output is cut at ${MAX_LINES.toLocaleString('en-US')} lines or ${MAX_BYTES.toLocaleString('en-US')} bytes, whichever comes first; all of it is kept, and the cut output says how to read on.`,
    '`edit`, `write` and `apply_patch` change a file that exists only if the session has read it as it is now, or has written it itself.',
    'The calls of a session are recorded in its file `~/.opencode/truncate/<session>/tool_log.json`: the newest calls with their time, arguments without secrets and the start of their results, figures by tool, and what happened in the preview.',
    'The default of each permission is given after its name.',
    '',
    '| tool | permission | offered | limits |',
    '|---|---|---|---|',
    ...sections.map(({ row }) => row),
    '',
    ...ignored,
    ...sections.flatMap(({ text }) => text),
  ].join('\n');
}

async function section(tool: ToolInfo): Promise<{ row: string; text: readonly string[] }> {
  const context = { agent: build.name, rules: defaultRules };
  const [definition, made] = await Promise.all([tool.init(context), readyIfOffered(tool, context)]);
  if (!definition || !made) throw new Error(`${tool.id} says nothing of itself.`);
  const permission = tool.permission ?? tool.id;
  const { action } = decide({ configured: defaultRules, saved: [] }, { permission, patterns: ['*'] });
  const cells = [
    `[\`${tool.id}\`](#${tool.id})`,
    permissionOf(tool.id, permission, made.asksFirst || action === 'allow' ? action : undefined),
    offered(tool),
    (definition.limits ?? []).join(', '),
  ];
  const text = [`## ${tool.id}`, '', ...otherNames(tool.id), ...parameters(made.schema), ''];
  return { row: `| ${cells.join(' | ')} |`, text };
}

/** Returns the other names by which a model may call the tool. The model does not see them. */
function otherNames(id: string): readonly string[] {
  const names = Object.entries(manifestOf(id)?.aliases ?? {}).map(([name, args]) => {
    const said = Object.entries(args).map(([key, value]) => `\`${key}: ${JSON.stringify(value)}\``);
    return [`\`${name}\``, ...(said.length > 0 ? [`(${said.join(', ')})`] : [])].join(' ');
  });
  return names.length === 0 ? [] : [`Also called, whatever the case: ${names.join(', ')}.`, ''];
}

function permissionOf(tool: string, permission: string, action: string | undefined): string {
  if (manifestOf(tool)?.effect === 'asks') return 'asks the person itself';
  return action === undefined ? 'none of its own' : `\`${permission}\`: ${action}`;
}

function offered({ condition, filter = {} }: ToolInfo): string {
  return [
    condition,
    filter.models && `models ${names(filter.models)}`,
    filter.providers && `providers ${names(filter.providers)}`,
    filter.agents && `agents ${names(filter.agents)}`,
    filter.flag && switchText(filter.flag),
  ]
    .filter(Boolean)
    .join('; ');
}

function switchText(flag: string): string {
  const isOn = SWITCHES.some(({ name, on }) => name === flag && on);
  return `switch \`${flag}\`${isOn ? ', on by default' : ''}`;
}

function names(patterns: NonNullable<ToolFilter['models']>): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(', ');
}

function parameters(schema: JsonObject): readonly string[] {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return ['No parameters.'];
  return ['| parameter | type | default | |', '|---|---|---|---|', ...rows];
}

function rowsOf(schema: JsonObject, prefix: string): readonly string[] {
  const properties = objectOf(schema['properties']);
  const required = schema['required'];
  return Object.entries(properties).flatMap(([name, value]) => {
    const given = objectOf(value);
    const fallback = given['default'];
    const isRequired = Array.isArray(required) && required.includes(name) && fallback === undefined;
    const shown =
      fallback === undefined ? (isRequired ? '(required)' : '') : `\`${JSON.stringify(fallback)}\``;
    const cells = [`\`${prefix}${name}\``, typeOf(given), shown, text(given['description'])];
    const inner = given['type'] === 'array' ? objectOf(given['items']) : given;
    const nested = given['type'] === 'array' ? `${prefix}${name}[].` : `${prefix}${name}.`;
    return [`| ${cells.join(' | ')} |`, ...rowsOf(inner, nested)];
  });
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, anyOf, items } = schema;
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(objectOf(each))).join(' or ');
  const kind =
    type === 'array' ? `list of ${typeOf(objectOf(items))}` : typeof type === 'string' ? type : 'any';
  return [kind, bounds(schema)].filter(Boolean).join(', ');
}

/** Returns the bounds of a number. Zod writes the largest safe integer for a missing bound. */
function bounds(schema: JsonObject): string {
  const value = (name: string) => {
    const found = schema[name];
    return typeof found === 'number' && Math.abs(found) < Number.MAX_SAFE_INTEGER ? found : undefined;
  };
  const low = value('minimum') ?? value('minItems');
  const over = value('exclusiveMinimum');
  const high = value('maximum') ?? value('maxItems') ?? value('maxLength');
  return [
    low !== undefined && `from ${low.toLocaleString('en-US')}`,
    over !== undefined && `over ${over.toLocaleString('en-US')}`,
    high !== undefined && `up to ${high.toLocaleString('en-US')}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function objectOf(value: Json | undefined): JsonObject {
  const parsed = jsonObjectSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.replaceAll('|', '\\|').replaceAll('\n', ' ') : '';
}
