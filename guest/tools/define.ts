import * as z from 'zod';
import type { Json, JsonObject } from '../../src/base/json.ts';

/** A tool as its author wrote it, whichever way. */
export interface Written {
  readonly id?: string;
  readonly description?: string;
  /** A shape of zod, plain `{type, description}` fields, or JSON Schema. */
  readonly args?: unknown;
  /** A zod object, or what `args` may be. */
  readonly parameters?: unknown;
  execute(args: unknown, context: unknown): unknown;
  formatValidationError?(error: unknown): string;
}

/** Marks what `Tool.define` and `definePlugin` return. */
const TOOL = Symbol('tool');
const PLUGIN = Symbol('plugin');

export interface Defined {
  readonly [TOOL]: true;
  readonly id?: string;
  init(context: { agent: string | { name: string } }): Written | Promise<Written>;
}

export interface DefinedPlugin {
  readonly [PLUGIN]: true;
  readonly name?: string;
  readonly tool?: Readonly<Record<string, unknown>>;
}

type Init = Written | Defined['init'];

/** `Tool.define('id', init)`, and `Tool.define({args, …})`. */
function define(idOrTool: string | Written, init?: Init): Defined {
  const given = typeof idOrTool === 'string' ? init : idOrTool;
  const id = typeof idOrTool === 'string' ? idOrTool : idOrTool.id;
  if (!given) throw new Error('Tool.define needs a tool.');
  return {
    [TOOL]: true,
    ...(id !== undefined && { id }),
    init: (context) => (typeof given === 'function' ? given(context) : given),
  };
}

const tool = Object.assign((written: Written) => written, { schema: z, define });

/** What `@opencode-ai/plugin` is in here. */
export const pluginModule = {
  __esModule: true,
  default: tool,
  tool,
  Tool: { define, schema: z },
  definePlugin: (plugin: object): DefinedPlugin => ({ ...plugin, [PLUGIN]: true }),
};

/** One form for all of them; `undefined` for what is no tool. */
export function definedOf(value: unknown): Defined | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (TOOL in value) return value as Defined;
  if (!('execute' in value) || typeof value.execute !== 'function') return undefined;
  return define(value as Written);
}

export function isPlugin(value: unknown): value is DefinedPlugin {
  return typeof value === 'object' && value !== null && PLUGIN in value;
}

/** The arguments of a tool: what a model is told of them, and their check. */
export interface Arguments {
  readonly schema: JsonObject;
  check(
    args: Json,
  ): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: z.ZodError };
}

export function argumentsOf({ args, parameters }: Written): Arguments {
  const given = parameters ?? args ?? {};
  if (given instanceof z.ZodType) {
    const { schema, ...rest } = checked(given);
    return { schema: ofObject(schema), ...rest };
  }
  if (typeof given !== 'object' || given === null) throw new Error('Its arguments are no object.');
  const fields = Object.entries(given);
  if (fields.length > 0 && fields.every(([, field]) => field instanceof z.ZodType))
    return checked(z.object(Object.fromEntries(fields)));
  const isSchema = 'type' in given && given.type === 'object' && 'properties' in given;
  const schema = ofObject(isSchema ? given : plainSchema(fields));
  return { schema, check: (value) => result(z.fromJSONSchema(schema).safeParse(value)) };
}

/** A provider refuses the whole request for one tool whose arguments are anything else. */
function ofObject(schema: object): JsonObject {
  const json = JSON.parse(JSON.stringify(schema)) as JsonObject;
  if ('type' in json && json['type'] !== 'object') throw new Error('Its arguments are no object.');
  return { type: 'object', ...json };
}

function checked(type: z.ZodType): Arguments {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return { schema: JSON.parse(JSON.stringify(schema)), check: (value) => result(type.safeParse(value)) };
}

function result(parsed: z.ZodSafeParseResult<unknown>): ReturnType<Arguments['check']> {
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: parsed.error };
}

/** `{name: {type, description}}`: all are required that do not say otherwise. */
function plainSchema(fields: readonly (readonly [string, unknown])[]) {
  const isOptional = (field: unknown) =>
    typeof field === 'object' &&
    field !== null &&
    ('default' in field ||
      ('optional' in field && field.optional === true) ||
      ('required' in field && field.required === false));
  const bare = (field: unknown) => {
    if (typeof field === 'string') return { type: field };
    if (field instanceof z.ZodType) return checked(field).schema;
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

/** For those who word what does not fit: older zod named the issues `errors`. */
export function wordable(error: z.ZodError): unknown {
  return Object.assign(error, { errors: error.issues });
}
