import * as z from 'zod';
import { outcomeSchema, taskStateSchema, turnStatusSchema } from '../session/events.ts';
import { modeSchema } from '../permissions/modes.ts';
import { actionSchema, ruleSourceSchema } from '../permissions/types.ts';

/**
 * What a step of a lesson looks at: things that really happened, by the session's events and the workspace's files, and
 * answers that the learner types. Texts are wildcard patterns, as in permission rules: `*` any run of characters, `?` one.
 */
const pattern = z.string().min(1).max(300);
/** Stands in for the sentence that is made from the check. */
const label = { label: z.string().min(1).max(200).optional() };
const times = z.int().min(1).max(50).optional();

const replyKindSchema = z.enum(['once', 'session', 'always', 'everywhere', 'reject', 'feedback']);

/** By the key that says what kind of check it is. */
const schemas = {
  /** The learner sent a message. */
  prompt: z.strictObject({ prompt: pattern, ...label }),
  /** A call of this tool ended; `with`: its arguments as JSON, `output`: what the model was told. */
  call: z.strictObject({
    call: pattern,
    outcome: outcomeSchema.optional(),
    with: pattern.optional(),
    output: pattern.optional(),
    times,
    ...label,
  }),
  /** The learner answered an ask; `feedback` is a denial with a message. */
  permission: z.strictObject({
    permission: pattern,
    reply: z.union([replyKindSchema, z.array(replyKindSchema).min(1)]).optional(),
    ...label,
  }),
  /** Rules decided, with nobody asked. */
  decided: z.strictObject({
    decided: pattern,
    action: actionSchema.exclude(['ask']),
    source: ruleSourceSchema.optional(),
    ...label,
  }),
  question: z.strictObject({ question: z.enum(['answered', 'dismissed']), ...label }),
  turn: z.strictObject({ turn: turnStatusSchema, ...label }),
  /** So many requests to the model since this step of the lesson began. */
  steps: z.strictObject({ steps: z.int().min(1).max(200), ...label }),
  /** The model wrote this. */
  says: z.strictObject({ says: pattern, ...label }),
  mode: z.strictObject({ mode: modeSchema, ...label }),
  /** The work of a sub-agent ended so. */
  task: z.strictObject({ task: taskStateSchema, agent: pattern.optional(), ...label }),
  compacted: z.strictObject({ compacted: z.literal(true), ...label }),
  /** Of the workspace, now. */
  file: z.strictObject({
    file: z.string().min(1).max(300),
    matches: pattern.optional(),
    gone: z.literal(true).optional(),
    ...label,
  }),
  /** The learner answers in words; capitals and blanks around it do not count. */
  ask: z.strictObject({
    ask: z.string().min(1).max(400),
    accept: z.array(pattern).min(1).max(20),
    choices: z.array(z.string().min(1).max(200)).min(2).max(8).optional(),
    ...label,
  }),
} as const;

export type CheckKind = keyof typeof schemas;
type Of<K extends CheckKind> = { readonly kind: K } & z.infer<(typeof schemas)[K]>;
export type Check = { [K in CheckKind]: Of<K> }[CheckKind];
export type CheckOf<K extends CheckKind> = Extract<Check, { kind: K }>;

export const checkKinds = Object.keys(schemas);

export type ParsedCheck = { readonly check: Check } | { readonly problem: string };

/** One check as an author writes it: a JSON object. */
export function parseCheck(text: string): ParsedCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `the check is not JSON on one line: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'a check is an object, as {"call": "read"}' };
  const kind = checkKinds.find((name): name is CheckKind => Object.hasOwn(value, name));
  if (!kind) return { problem: `a check has one of: ${checkKinds.join(', ')}` };
  const parsed = schemas[kind].safeParse(value);
  if (parsed.success) return { check: { kind, ...parsed.data } as Check };
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return { problem: `the check "${kind}" is not valid: ${where}${issue?.message ?? 'unknown problem'}` };
}
