import { messageOf } from '../../base/message-of.ts';
import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { jsonObjectSchema } from '../../base/json.ts';
import { isRegExp } from '../../base/regexp.ts';

const pattern = z
  .string()
  .refine(isRegExp, { error: (issue) => `is not a regular expression: ${JSON.stringify(issue.input)}` });

/** A minute at most, so that a script from a link cannot hold the page up for long. */
const milliseconds = z.number().nonnegative().max(60_000);

const toolSchema = z
  .strictObject({
    tool: z.string().min(1),
    input: z._default(jsonObjectSchema, {}),
    /** The arguments as text in place of `input`, which may be broken JSON. */
    raw: z.string().optional(),
  })
  .refine(({ input, raw }) => raw === undefined || Object.keys(input).length === 0, {
    error: 'has both input and raw',
  });

/** An answer of the model in one step, and how it arrives or fails. */
const answerSchema = z.strictObject({
  reasoning: z.string().optional(),
  text: z.string().optional(),
  tools: z.array(toolSchema).optional(),
  /** An HTTP status in place of an answer; `retryAfter` is in seconds. */
  error: z
    .strictObject({ status: z.int().min(400).max(599), retryAfter: z.number().nonnegative().optional() })
    .optional(),
  /** The pause before the answer begins or fails. */
  delayMs: milliseconds.optional(),
  /** The pause between two pieces of this answer. */
  chunkDelayMs: milliseconds.optional(),
  /** The stream breaks off after this many characters of reasoning, text and arguments. */
  cut: z.int().nonnegative().optional(),
});
export type ScriptAnswer = z.infer<typeof answerSchema>;

/** Conditions for the content of a request. All that are given must hold. */
const conditionSchema = z
  .strictObject({
    /** Matches the text of the newest prompt. */
    prompt: pattern.optional(),
    /** Matches one of the results that came back since the model last answered. */
    result: pattern.optional(),
    system: pattern.optional(),
    /** All of these tools are offered. */
    tools: z.array(z.string()).optional(),
  })
  .refine((condition) => Object.keys(condition).length > 0, { error: 'names nothing to look for' });
export type ScriptCondition = z.infer<typeof conditionSchema>;

/**
 * A script says what a scripted model answers, turn by turn. People write scripts by hand, so an unknown key is an error
 * rather than silently ignored.
 */
const stepSchema = answerSchema
  .extend({
    /** The first case that holds is the answer; one without `if` always holds. */
    cases: z
      .array(answerSchema.extend({ if: conditionSchema.optional() }))
      .min(1)
      .optional(),
    /** One of these is the answer, by their weights and the seed of the script. */
    chance: z
      .array(answerSchema.extend({ weight: z._default(z.number().positive(), 1) }))
      .min(1)
      .optional(),
  })
  .refine((step) => !(step.cases || step.chance) || Object.keys(step).length === 1, {
    error: 'has cases or chance beside something else',
  });
export type ScriptStep = z.infer<typeof stepSchema>;

const turnSchema = z.strictObject({
  /** A regular expression for the prompt's text. */
  when: pattern.optional(),
  steps: z.array(stepSchema).min(1),
});
export type ScriptTurn = z.infer<typeof turnSchema>;

export const scriptSchema = z.strictObject({
  version: z.literal(1),
  title: z.string().default(''),
  /** Maps paths, relative to the workspace's root, to texts. */
  files: z.record(z.string().refine(isInside, 'must be a path inside the workspace'), z.string()).optional(),
  /** The pause between two pieces of an answer, in milliseconds. */
  chunkDelayMs: milliseconds.default(0),
  /** Decides what `chance` takes: the same script with the same seed always takes the same. */
  seed: z.int().optional(),
  /** Where the turns begin: with the first prompt of a session, or with the first prompt that the script answers. */
  begins: z.enum(['session', 'next-prompt']).optional(),
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
    throw invalid(`it is not JSON: ${messageOf(error)}`, 'script');
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
