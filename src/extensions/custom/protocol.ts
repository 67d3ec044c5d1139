import * as z from 'zod';
import { HOOK_NAMES } from '../../base/host-lines.ts';
import { jsonObjectSchema, jsonSchema, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolContext } from '../../tools/tool.ts';

/** One module of a custom tool or plugin: CommonJS, or the text of a JSON file. */
export interface ModuleText {
  /** Absolute. */
  readonly path: string;
  readonly kind: 'code' | 'json';
  readonly text: string;
  /** By what it asks for: the module that this is; `null`: one that the host gives. */
  readonly requires: Readonly<Record<string, string | null>>;
}

/** A module whose exports count. */
export interface Entry {
  readonly path: string;
  readonly role: 'tool' | 'plugin';
  /** What its tools are named after. */
  readonly name: string;
  /** Of a plugin, where the configuration gives it any. */
  readonly options?: JsonObject;
}

/** The call in which a tool runs, as it sees it. */
export type RunContext = Pick<
  ToolContext,
  'sessionID' | 'messageID' | 'callID' | 'agent' | 'model' | 'directory' | 'worktree' | 'extra'
>;

/** From the app to the host, which runs in the workspace's frame: each one line of JSON. */
export type ToHost =
  | {
      readonly kind: 'load';
      readonly id: number;
      /** Each after those that it needs, as far as they go in no circle. */
      readonly modules: readonly ModuleText[];
      readonly entries: readonly Entry[];
      readonly directory: string;
      readonly worktree: string;
      /** Names of secrets: code sees a placeholder in their place. */
      readonly secrets: readonly string[];
    }
  /** What a tool is for this agent. */
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
  /** To what the host asked for. */
  | { readonly kind: 'given'; readonly id: number; readonly value: Json }
  | { readonly kind: 'refused'; readonly id: number; readonly name: string; readonly message: string };

export type HookName = (typeof HOOK_NAMES)[number];

const id = z.int().nonnegative();
const text = z.string();

/** What code may ask for while a tool of it runs; each is asked for as the app's own tools do. */
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

/** From the host to the app. What runs in there is not trusted: each is parsed. */
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
    /** It words by itself what does not fit. */
    words: z.boolean(),
  }),
  z.object({ kind: z.literal('done'), id, value: jsonSchema }),
  z.object({ kind: z.literal('failed'), id, name: text, message: text }),
  z.object({ kind: z.literal('service'), id, run: id, service: serviceSchema }),
  z.object({ kind: z.literal('metadata'), run: id, update: jsonObjectSchema }),
  /** What code prints; `run`: where one is under way. */
  z.object({ kind: z.literal('log'), run: id.nullable(), text }),
]);
export type FromHost = z.output<typeof fromHostSchema>;
