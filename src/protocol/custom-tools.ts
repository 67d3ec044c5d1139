import * as z from 'zod';
import { HOOK_NAMES } from '../base/host-lines.ts';
import { jsonObjectSchema, jsonSchema, type Json, type JsonObject } from '../base/json.ts';

/** One module of a custom tool or plugin: CommonJS, or the text of a JSON file. */
export interface ModuleText {
  /** Absolute. */
  readonly path: string;
  readonly kind: 'code' | 'json';
  readonly text: string;
  /** Maps each specifier that it requires to a module's path, or to null for one that the host provides. */
  readonly requires: Readonly<Record<string, string | null>>;
}

/** A module whose exports are tools or a plugin. */
export interface Entry {
  readonly path: string;
  readonly role: 'tool' | 'plugin';
  /** The name from which the names of its tools are made. */
  readonly name: string;
  /** The options of a plugin, if the configuration has some. */
  readonly options?: JsonObject;
}

/** The call in which a tool runs, as it sees it. */
export interface RunContext {
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  /** `providerID` and `modelID` are opencode's names for `provider` and `model`. */
  readonly model: {
    readonly provider: string;
    readonly model: string;
    readonly providerID: string;
    readonly modelID: string;
  };
  /** Absolute. Relative paths start there. */
  readonly directory: string;
  readonly worktree: string;
  readonly extra: JsonObject;
}

/** Messages from the app to the host, which runs in the workspace's frame. Each is one line of JSON. */
export type ToHost =
  | {
      readonly kind: 'load';
      readonly id: number;
      /** Each module comes after those that it requires, except in import cycles. */
      readonly modules: readonly ModuleText[];
      readonly entries: readonly Entry[];
      readonly directory: string;
      readonly worktree: string;
      /** Names of secrets: code sees a placeholder in their place. */
      readonly secrets: readonly string[];
    }
  /** Asks for the definition of a tool for this agent. */
  | { readonly kind: 'init'; readonly id: number; readonly tool: string; readonly agent: string }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly tool: string;
      readonly args: Json;
      readonly context: RunContext;
    }
  | { readonly kind: 'abort'; readonly run: number }
  | {
      readonly kind: 'hook';
      readonly id: number;
      readonly name: HookName;
      readonly call: JsonObject;
      readonly change: JsonObject;
    }
  /** The answer to a `service` message of the host. The other answer is `refused`. */
  | { readonly kind: 'given'; readonly id: number; readonly value: Json }
  | { readonly kind: 'refused'; readonly id: number; readonly name: string; readonly message: string };

export type HookName = (typeof HOOK_NAMES)[number];

const id = z.int().nonnegative();
const text = z.string();

/**
 * The services that code may request while its tool runs. They need the same permissions as the app's own
 * tools do.
 */
const serviceSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('ask'), ask: jsonObjectSchema }),
  z.object({
    op: z.literal('exec'),
    command: text,
    cwd: text.optional(),
    env: z.record(text, text).optional(),
    stdin: text.optional(),
  }),
  /** Contents as base64. */
  z.object({ op: z.literal('write'), path: text, content: text, append: z.boolean().optional() }),
  z.object({ op: z.literal('remove'), path: text, recursive: z.boolean() }),
  z.object({ op: z.literal('makeDirectory'), path: text }),
  z.object({ op: z.literal('rename'), from: text, to: text }),
  z.object({
    op: z.literal('fetch'),
    url: text,
    method: text,
    headers: z.array(z.tuple([text, text])),
    /** Base64. */
    body: text.optional(),
  }),
]);
export type Service = z.output<typeof serviceSchema>;

const problem = z.object({ path: text, message: text });
export type LoadProblem = z.output<typeof problem>;

/** Messages from the host to the app. Each is validated, because the code in the host is not trusted. */
export const fromHostSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('loaded'),
    id,
    tools: z.array(z.object({ id: text.min(1).max(128), path: text })).max(500),
    hooks: z.array(z.enum(HOOK_NAMES)),
    problems: z.array(problem),
  }),
  z.object({
    kind: z.literal('made'),
    id,
    description: text,
    /** JSON Schema of the arguments. */
    schema: jsonObjectSchema,
    /** Whether the tool itself words the errors about invalid arguments. */
    words: z.boolean(),
  }),
  z.object({ kind: z.literal('done'), id, value: jsonSchema }),
  z.object({ kind: z.literal('failed'), id, name: text, message: text }),
  z.object({ kind: z.literal('service'), id, run: id, service: serviceSchema }),
  z.object({ kind: z.literal('metadata'), run: id, update: jsonObjectSchema }),
  /** Text that code prints. `run` is null outside of a run. */
  z.object({ kind: z.literal('log'), run: id.nullable(), text }),
]);
export type FromHost = z.output<typeof fromHostSchema>;
