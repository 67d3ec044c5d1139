import * as z from 'zod/mini';

export const automationSettingsSchema = z.strictObject({
  provider: z.string(),
  /** Optional for `provider: "you"`. */
  model: z.optional(z.string()),
  baseURL: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  /** A script for `provider: "scripted"`. */
  script: z.optional(z.unknown()),
  /** The same shape as `permission` in opencode.json. */
  permission: z.optional(z.unknown()),
  /** Hosts outside that programs may reach, in addition to those of the settings. */
  hosts: z.optional(
    z.array(
      z.string().check(z.refine((host) => host.trim() !== '', 'names no host, such as api.example.com')),
    ),
  ),
});
export type AutomationSettings = z.infer<typeof automationSettingsSchema>;

export const promptOptionsSchema = z.strictObject({
  sessionID: z.optional(z.string()),
  agent: z.optional(z.string()),
  model: z.optional(z.string()),
});
export type PromptOptions = z.infer<typeof promptOptionsSchema>;

export const execOptionsSchema = z.strictObject({
  cwd: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
  stdin: z.optional(z.string()),
  timeoutMs: z.optional(z.number().check(z.positive())),
});
export type ExecOptions = z.infer<typeof execOptionsSchema>;

export const toolOptionsSchema = z.strictObject({
  agent: z.optional(z.string()),
  model: z.optional(z.string()),
});
export type ToolOptions = z.infer<typeof toolOptionsSchema>;

export const registeredToolSchema = z.strictObject({
  name: z
    .string()
    .check(z.regex(/^[a-zA-Z][\w-]{0,63}$/, 'begins with a letter; letters, digits, _ and - follow')),
  description: z._default(z.string(), ''),
  /** JSON Schema of the arguments, an object. */
  schema: z._default(z.record(z.string(), z.json()), {}),
  execute: z.custom<ExecuteTool>((value) => typeof value === 'function', 'is no function'),
});
/** Returns a text, `{ output, title? }`, or any other JSON. What it throws is the error that the model reads. */
export type ExecuteTool = (
  input: unknown,
  call: { sessionID: string; messageID: string; callID: string; agent: string },
) => unknown;
export type RegisteredTool = z.infer<typeof registeredToolSchema>;
export type ToolToRegister = z.input<typeof registeredToolSchema>;

export const callOptionsSchema = z.strictObject({
  sessionID: z.optional(z.string()),
  agent: z.optional(z.string()),
});
export type CallOptions = z.infer<typeof callOptionsSchema>;
export const callInputSchema = z.json();

/** A file's content: text, or bytes in Base64. */
export const contentSchema = z.union([z.string(), z.strictObject({ base64: z.string() })]);
export type FileContent = z.infer<typeof contentSchema>;

export const createOptionsSchema = z.strictObject({ files: z.optional(z.record(z.string(), contentSchema)) });
export type CreateOptions = z.infer<typeof createOptionsSchema>;

export const forkOptionsSchema = z.strictObject({ at: z.optional(z.int().check(z.positive())) });
export type ForkOptions = z.infer<typeof forkOptionsSchema>;

export const restoreOptionsSchema = z.strictObject({
  /** The id of the person's message to go back to right before, or `redo`. */
  to: z.string(),
  what: z.optional(z.enum(['both', 'conversation', 'files'])),
  /** Whether files are replaced that this conversation was not the last to change. */
  overwrite: z.optional(z.boolean()),
});
export type RestoreOptions = z.infer<typeof restoreOptionsSchema>;

export const changesOptionsSchema = z.strictObject({
  /** `session`, `turn`, or the id of a message of the person. */
  since: z.optional(z.string()),
});
export type ChangesOptions = z.infer<typeof changesOptionsSchema>;

export const jobIdSchema = z.int();
export const textSchema = z.string();
export const pathSchema = z.string().check(z.minLength(1));

/** Checks an argument that a script passes. Throws an error that names `what` and says what does not fit. */
export function checked<T>(what: string, schema: z.ZodMiniType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${what}: ${z.prettifyError(parsed.error)}`);
}
