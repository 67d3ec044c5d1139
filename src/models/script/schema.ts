import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { jsonObjectSchema } from '../../base/json.ts';
import { isRegExp } from '../../base/regexp.ts';

/**
 * A script says what a scripted model answers, turn by turn. People write scripts by hand, so an unknown key is an error
 * rather than silently ignored.
 */
const stepSchema = z.strictObject({
  reasoning: z.string().optional(),
  text: z.string().optional(),
  tools: z
    .array(z.strictObject({ tool: z.string().min(1), input: z._default(jsonObjectSchema, {}) }))
    .optional(),
  /** An HTTP status in place of an answer; `retryAfter` is in seconds. */
  error: z
    .strictObject({ status: z.int().min(400).max(599), retryAfter: z.number().nonnegative().optional() })
    .optional(),
});
export type ScriptStep = z.infer<typeof stepSchema>;

const turnSchema = z.strictObject({
  /** A regular expression for the prompt's text. */
  when: z
    .string()
    .refine(isRegExp, { error: (issue) => `is not a regular expression: ${JSON.stringify(issue.input)}` })
    .optional(),
  steps: z.array(stepSchema).min(1),
});
export type ScriptTurn = z.infer<typeof turnSchema>;

export const scriptSchema = z.strictObject({
  version: z.literal(1),
  title: z.string().default(''),
  /** Maps paths, relative to the workspace's root, to texts. */
  files: z.record(z.string().refine(isInside, 'must be a path inside the workspace'), z.string()).optional(),
  /** The pause between two pieces of an answer, in milliseconds. */
  chunkDelayMs: z.number().nonnegative().max(60_000).default(0),
  turns: z.array(turnSchema).min(1),
});
export type Script = z.infer<typeof scriptSchema>;

/** Throws a fault that names each invalid field. Text is parsed as JSON. */
export function parseScript(source: unknown): Script {
  const result = scriptSchema.safeParse(typeof source === 'string' ? fromJson(source) : source);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${pathText(issue.path)}: ${problemIn(issue)}`);
  throw invalid(problems.join('; '), pathText(result.error.issues[0]?.path ?? []));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`, 'script');
  }
}

/** zod nests the problem of an invalid record key one level deeper. */
function problemIn(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

function invalid(problem: string, where: string): FaultError {
  return new FaultError({
    code: 'script-invalid',
    what: `The script is not valid: ${problem}`,
    where,
    next: 'Correct the script; docs/automation.md describes its format.',
  });
}

function pathText(path: readonly PropertyKey[]): string {
  return (
    path.reduce<string>(
      (text, key) =>
        typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
      '',
    ) || 'script'
  );
}

function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');
}
