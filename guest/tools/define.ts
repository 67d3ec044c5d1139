import * as z from 'zod';
import type { Json, JsonObject } from '../../src/base/json.ts';

/** A tool as its author wrote it, in any of the supported forms. */
export interface AuthoredTool {
  readonly id?: string;
  readonly description?: string;
  /** A zod shape, plain `{type, description}` fields, or JSON Schema. */
  readonly args?: unknown;
  /** A zod object, or anything that `args` may be. */
  readonly parameters?: unknown;
  execute(args: unknown, context: unknown): unknown;
  formatValidationError?(error: unknown): string;
}

/** These mark the values that `Tool.define` and `definePlugin` return. */
const TOOL = Symbol('tool');
const PLUGIN = Symbol('plugin');

export interface ToolDefinition {
  readonly [TOOL]: true;
  readonly id?: string;
  init(context: { agent: string | { name: string } }): AuthoredTool | Promise<AuthoredTool>;
}

export interface DefinedPlugin {
  readonly [PLUGIN]: true;
  readonly name?: string;
  readonly tool?: Readonly<Record<string, unknown>>;
}

type Init = AuthoredTool | ToolDefinition['init'];

/** Implements both `Tool.define('id', init)` and `Tool.define({args, …})`. */
function define(idOrTool: string | AuthoredTool, init?: Init): ToolDefinition {
  const given = typeof idOrTool === 'string' ? init : idOrTool;
  const id = typeof idOrTool === 'string' ? idOrTool : idOrTool.id;
  if (!given) throw new Error('Tool.define needs a tool.');
  return {
    [TOOL]: true,
    ...(id !== undefined && { id }),
    init: (context) => (typeof given === 'function' ? given(context) : given),
  };
}

const tool = Object.assign((authored: AuthoredTool) => authored, { schema: z, define });

/** Stands in for the package `@opencode-ai/plugin`. */
export const pluginModule = {
  __esModule: true,
  default: tool,
  tool,
  Tool: { define, schema: z },
  definePlugin: (plugin: object): DefinedPlugin => ({ ...plugin, [PLUGIN]: true }),
};

/** Brings a tool of any form into one form. `undefined` where the value is not a tool. */
export function toolDefinitionOf(value: unknown): ToolDefinition | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (TOOL in value) return value as ToolDefinition;
  if (!('execute' in value) || typeof value.execute !== 'function') return undefined;
  return define(value as AuthoredTool);
}

export function isPlugin(value: unknown): value is DefinedPlugin {
  return typeof value === 'object' && value !== null && PLUGIN in value;
}

/** The arguments of a tool: the schema that the model sees, and the check of what it sends. */
export interface Arguments {
  readonly schema: JsonObject;
  check(
    args: Json,
  ): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: z.ZodError };
}

export function argumentsOf({ args, parameters }: AuthoredTool): Arguments {
  const given = parameters ?? args ?? {};
  if (given instanceof z.ZodType) {
    const { schema, ...rest } = argumentsOfType(given);
    return { schema: objectSchema(schema), ...rest };
  }
  if (typeof given !== 'object' || given === null) throw new Error("The tool's arguments must be an object.");
  const fields = Object.entries(given);
  if (fields.length > 0 && fields.every(([, field]) => field instanceof z.ZodType))
    return argumentsOfType(z.object(Object.fromEntries(fields)));
  const isSchema = 'type' in given && given.type === 'object' && 'properties' in given;
  const schema = objectSchema(isSchema ? given : plainSchema(fields));
  return { schema, check: (value) => result(z.fromJSONSchema(schema).safeParse(value)) };
}

/** Makes sure that the schema is one of an object: providers refuse the whole request if one tool's is anything else. */
function objectSchema(schema: object): JsonObject {
  const json = JSON.parse(JSON.stringify(schema)) as JsonObject;
  if ('type' in json && json['type'] !== 'object') throw new Error("The tool's arguments must be an object.");
  return { type: 'object', ...json };
}

function argumentsOfType(type: z.ZodType): Arguments {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return { schema: JSON.parse(JSON.stringify(schema)), check: (value) => result(type.safeParse(value)) };
}

function result(parsed: z.ZodSafeParseResult<unknown>): ReturnType<Arguments['check']> {
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: parsed.error };
}

/** Makes a JSON Schema of plain `{name: {type, description}}` fields, which are required unless they say otherwise. */
function plainSchema(fields: readonly (readonly [string, unknown])[]) {
  const isOptional = (field: unknown) =>
    typeof field === 'object' &&
    field !== null &&
    ('default' in field ||
      ('optional' in field && field.optional === true) ||
      ('required' in field && field.required === false));
  const bare = (field: unknown) => {
    if (typeof field === 'string') return { type: field };
    if (field instanceof z.ZodType) return argumentsOfType(field).schema;
    if (typeof field !== 'object' || field === null) return {};
    const { optional: _optional, required: _required, ...rest } = field as Record<string, unknown>;
    return rest;
  };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, bare(field)])),
    required: fields.filter(([, field]) => !isOptional(field)).map(([name]) => name),
  };
}

/** Adds `errors`, the name that the issues had in older zod: a tool's `formatValidationError` may look there. */
export function withErrors(error: z.ZodError): unknown {
  return Object.assign(error, { errors: error.issues });
}
