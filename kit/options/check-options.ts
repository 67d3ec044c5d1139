import * as z from 'zod/mini';
import { registeredToolSchema } from '../../src/automation/arguments.ts';
import '../../src/base/zod-config.ts';
import { REMOTE_PROVIDERS } from '../../src/models/providers/names.ts';
import type { TestTool } from '../playwright/agent.ts';
import type { VitrineOptions } from '../playwright/options.ts';
import { hintFor } from './closest.ts';
import { configProblems } from './config-problems.ts';
import { permissionProblems } from './permission-problems.ts';
import { schemaProblems } from './schema-problems.ts';

const textByName = z.optional(z.record(z.string(), z.string()));
const tool = z.strictObject({
  name: registeredToolSchema.shape.name,
  description: z.optional(z.string()),
  schema: z.optional(z.record(z.string(), z.unknown())),
  execute: z.custom((value) => typeof value === 'function', 'is no function'),
});
const object = z.record(z.string(), z.unknown());
const address = z
  .string()
  .check(z.refine(isAddress, 'is no address; write it like "http://127.0.0.1:3000/mcp"'));

const schema = z.strictObject({
  files: z.optional(
    z.record(
      z.string(),
      z.union([z.string(), z.instanceof(Uint8Array)], 'is neither a text nor bytes in a Uint8Array'),
    ),
  ),
  folder: z.optional(z.string()),
  config: z.optional(object),
  recording: z.optional(z.union([z.string(), object], 'is neither the path of a recording nor a recording')),
  mcp: z.optional(z.record(z.string(), address)),
  permission: z.optional(z.unknown()),
  agent: z.optional(z.string()),
  hosts: z.optional(z.array(z.string())),
  script: z.optional(
    z.union(
      [z.array(object), object],
      'is neither a list of steps nor a script; read a file with JSON.parse()',
    ),
  ),
  model: z.optional(
    z.strictObject({
      provider: z.enum(REMOTE_PROVIDERS),
      model: z.string(),
      baseURL: z.optional(z.string()),
      apiKey: z.optional(z.string()),
    }),
  ),
  tools: z.optional(z.array(tool)),
  seed: z.optional(z.int()),
  time: z.optional(z.union([z.string(), z.number(), z.date()])),
  parameters: textByName,
});

/** The parameters of the page's address that a test can give; docs/automation.md describes them. */
export const PARAMETERS: readonly string[] = [
  ...['workspace', 'recording', 'play', 'lesson', 'prompt', 'settings', 'sign-in', 'repo', 'agent', 'lang'],
  'offline',
];

/**
 * Throws if an option has an unknown name or a wrong value, or if two of them cannot both hold. Playwright runs tests without
 * checking types, so a misspelt option would otherwise be as if it were not there.
 */
export function checkOptions(options: VitrineOptions): void {
  const { success, error } = schema.safeParse(options);
  if (!success)
    throw wrong(`${z.prettifyError(error)}\nIts members are ${Object.keys(schema.shape).join(', ')}.`);
  const { script, model, seed, time, parameters = {}, config, permission, tools = [] } = options;
  const names = tools.map(({ name }) => name);
  const problems = [
    ...permissionProblems(permission, 'permission', names),
    ...(config ? configProblems(config, 'config', names) : []),
    ...tools.flatMap((each, at) => schemaProblems(each.schema ?? {}, `tools[${at}].schema`)),
    ...Object.keys(parameters).flatMap(parameterProblems),
    ...(time !== undefined && Number.isNaN(new Date(time).getTime())
      ? [`time is ${JSON.stringify(time)}, which is no time. Write it like "2026-01-01T12:00:00Z".`]
      : []),
  ];
  if (problems.length > 0) throw wrong(problems.join('\n'));
  if (script !== undefined && model !== undefined)
    throw new Error('The options "script" and "model" exclude each other: one of them answers the agent.');
  if (seed === undefined && time !== undefined)
    throw new Error('The option "time" needs a "seed": without one, the test runs in real time.');
}

/** Throws if a tool of the test has an unknown member or a schema that cannot be meant. */
export function checkTool(given: TestTool): void {
  const { success, error } = tool.safeParse(given);
  if (!success) throw new Error(`agent.addTool() was given a wrong tool:\n${z.prettifyError(error)}`);
  const problems = schemaProblems(given.schema ?? {}, 'schema');
  if (problems.length > 0)
    throw new Error(`agent.addTool() was given a wrong tool, "${given.name}":\n${problems.join('\n')}`);
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const wrong = (what: string) => new Error(`The option "vitrine" is wrong:\n${what}`);

function parameterProblems(name: string): string[] {
  if (PARAMETERS.includes(name)) return [];
  if (name === 'seed' || name === 'time')
    return [
      `parameters has "${name}", which is an option of its own: test.use({ vitrine: { ${name}: … } }).`,
    ];
  const hint = hintFor(name, PARAMETERS, `It knows ${PARAMETERS.join(', ')}.`);
  return [`parameters has "${name}", which the address of the page does not know. ${hint}`];
}
