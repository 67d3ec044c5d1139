import * as z from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import type { Manifest } from './manifest.ts';
import { normalizeAsk, normalizeProgress } from './normalize.ts';
import type {
  InitContext,
  ParsedInput,
  ReadyTool,
  RunResult,
  ToolContext,
  ToolDefinition,
  ToolInfo,
  ToolResult,
  ToolReturn,
} from './tool.ts';
import { truncate } from './truncate.ts';
import { validationText } from './validation.ts';

type Init<P extends z.ZodType> =
  | ToolDefinition<P>
  | ((context: InitContext) => ToolDefinition<P> | undefined | Promise<ToolDefinition<P> | undefined>);

/**
 * Makes a tool from its id and its definition, or from a function that makes the definition for the calling agent.
 * `execute` gets the parsed arguments; whatever it returns is normalized and cut to the limits.
 */
export function define<P extends z.ZodType>(
  id: string,
  init: Init<P>,
  options: Pick<ToolInfo, 'permission' | 'filter' | 'condition' | 'isOffered'> = {},
): ToolInfo {
  return { id, ...options, init: async (context) => (typeof init === 'function' ? init(context) : init) };
}

/** Makes one of the app's own tools, whose id and permission stand in its manifest. */
export function builtin<P extends z.ZodType>(
  { id, permission }: Manifest,
  init: Init<P>,
  options: Pick<ToolInfo, 'filter' | 'condition' | 'isOffered'> = {},
): ToolInfo {
  return define(id, init, { ...options, ...(permission && { permission: permission.id }) });
}

/** Prepares a tool for a session. Rejects where the tool offers nothing. */
export async function ready(info: ToolInfo, context: InitContext): Promise<ReadyTool> {
  const tool = await readyIfOffered(info, context);
  if (tool) return tool;
  throw new Error(`The tool ${info.id} is not offered.`);
}

/** Prepares a tool for a session; `undefined` where the tool offers nothing now. */
export async function readyIfOffered(info: ToolInfo, context: InitContext): Promise<ReadyTool | undefined> {
  const definition = await info.init(context);
  if (!definition) return undefined;
  return {
    id: info.id,
    description: definition.description,
    schema: definition.schema ?? schemaOf(definition.parameters),
    readOnly: definition.readOnly ?? false,
    asksFirst: definition.asksFirst ?? false,
    parse: (input) => parse(info.id, definition, input),
    run: async (input, call) => {
      const returned = await definition.execute(input, wrap(call));
      return finish(info.id, returned, call);
    },
  };
}

function parse(id: string, definition: ToolDefinition, input: Json): ParsedInput {
  const parsed = definition.parameters.safeParse(input);
  if (parsed.success) return { ok: true, input: parsed.data };
  // Models often write null for arguments that they leave out.
  const again = definition.parameters.safeParse(withoutNulls(input));
  if (again.success) return { ok: true, input: again.data };
  const message = definition.formatValidationError?.(parsed.error) ?? validationText(id, parsed.error, input);
  return { ok: false, message };
}

function withoutNulls(input: Json): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** The context as tools see it: it accepts every form of `ask` and `metadata` and passes on the normal one. */
function wrap(call: ToolContext): ToolContext {
  const { sessionID, messageID, callID, agent, model, directory, worktree, abort, extra } = call;
  return {
    ...{ sessionID, messageID, callID, agent, model, directory, worktree, abort, extra },
    workspace: call.workspace,
    outputs: call.outputs,
    reads: call.reads,
    previous: (tool) => call.previous(tool),
    visibility: () => call.visibility(),
    rules: (permission) => call.rules(permission),
    metadata: (update) => call.metadata(normalizeProgress(update)),
    output: (text) => call.output(text),
    lock: (path) => call.lock(path),
    ask: (ask) => call.ask(normalizeAsk(ask)),
    question: (questions) => call.question(questions),
    calls: (calls, options) => call.calls(calls, options),
    tasks: call.tasks,
    handOver: (agent, text) => call.handOver(agent, text),
  };
}

async function finish(id: string, returned: ToolReturn, call: ToolContext): Promise<RunResult> {
  const result = resultOf(returned);
  const whole = {
    title: result.title ?? '',
    output: result.output,
    metadata: result.metadata ?? {},
    attachments: result.attachments ?? [],
    ...(result.fullOutput && { fullOutput: result.fullOutput }),
  };
  if (whole.metadata['truncated'] !== undefined) return whole;
  const cut = await truncate(result.output, { tool: id, direction: 'head', outputs: call.outputs });
  return { ...whole, ...cut, metadata: { ...whole.metadata, ...cut.metadata } };
}

function resultOf(returned: ToolReturn): ToolResult {
  if (typeof returned === 'string') return { output: returned };
  if (isResult(returned)) return returned;
  return { output: JSON.stringify(returned, null, 2) ?? '' };
}

function isResult(returned: ToolReturn): returned is ToolResult {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    !Array.isArray(returned) &&
    'output' in returned &&
    typeof returned.output === 'string'
  );
}

/** Caches schemas: tools are prepared for every step, mostly from the same parameters. */
const schemas = new WeakMap<z.ZodType, JsonObject>();

function schemaOf(parameters: z.ZodType): JsonObject {
  const known = schemas.get(parameters);
  if (known) return known;
  const { $schema: _, ...rest } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  const schema: JsonObject = JSON.parse(JSON.stringify(rest));
  schemas.set(parameters, schema);
  return schema;
}

/** Parsed arguments as the person sees them, without those that are `undefined`. */
export function definedFields(input: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
