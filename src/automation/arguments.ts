import * as z from 'zod';

export const automationSettingsSchema = z.strictObject({
  provider: z.string(),
  /** Optional for `provider: "you"`. */
  model: z.string().optional(),
  baseURL: z.string().optional(),
  apiKey: z.string().optional(),
  /** A script for `provider: "scripted"`. */
  script: z.unknown().optional(),
  /** The same shape as `permission` in opencode.json. */
  permission: z.unknown().optional(),
});
export type AutomationSettings = z.infer<typeof automationSettingsSchema>;

export const promptOptionsSchema = z.strictObject({
  sessionID: z.string().optional(),
  agent: z.string().optional(),
  model: z.string().optional(),
});
export type PromptOptions = z.infer<typeof promptOptionsSchema>;

export const execOptionsSchema = z.strictObject({
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  stdin: z.string().optional(),
  timeoutMs: z.number().positive().optional(),
});
export type ExecOptions = z.infer<typeof execOptionsSchema>;

export const toolOptionsSchema = z.strictObject({
  agent: z.string().optional(),
  model: z.string().optional(),
});
export type ToolOptions = z.infer<typeof toolOptionsSchema>;

export const createOptionsSchema = z.strictObject({ files: z.record(z.string(), z.string()).optional() });
export type CreateOptions = z.infer<typeof createOptionsSchema>;

export const forkOptionsSchema = z.strictObject({ at: z.int().positive().optional() });
export type ForkOptions = z.infer<typeof forkOptionsSchema>;

export const restoreOptionsSchema = z.strictObject({
  /** The id of the person's message to go back to right before, or `redo`. */
  to: z.string(),
  what: z.enum(['both', 'conversation', 'files']).optional(),
  /** Whether files are replaced that this conversation was not the last to change. */
  overwrite: z.boolean().optional(),
});
export type RestoreOptions = z.infer<typeof restoreOptionsSchema>;

export const changesOptionsSchema = z.strictObject({ since: z.enum(['turn', 'session']).optional() });
export type ChangesOptions = z.infer<typeof changesOptionsSchema>;

export const textSchema = z.string();
export const pathSchema = z.string().min(1);

/** Checks an argument that a script passes. Throws an error that names `what` and says what does not fit. */
export function checked<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${what}: ${z.prettifyError(parsed.error)}`);
}
