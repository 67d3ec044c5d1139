import { messageOf } from '../base/message-of.ts';
import * as z from 'zod/mini';
import {
  outcomeSchema,
  restoreKindSchema,
  taskStateSchema,
  turnStatusSchema,
} from '../session/log/events.ts';
import { modeSchema } from '../permissions/modes.ts';
import { ruleSourceSchema } from '../permissions/types.ts';

/**
 * The checks of a lesson's step. They look at what really happened, in the session's events and the workspace's
 * files, and at answers that the learner types. Texts are wildcard patterns, as in permission rules: `*` is any run
 * of characters, `?` is one.
 */
const textOf = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const pattern = textOf(300);
/** Replaces the sentence that the app makes from the check. */
const label = { label: z.optional(textOf(200)) };
const times = z.optional(z.int().check(z.minimum(1), z.maximum(50)));

const replyKindSchema = z.enum(['once', 'session', 'always', 'everywhere', 'reject', 'feedback']);

/** Keyed by the key that says what kind of check it is. */
const schemas = {
  /** The learner sent a message. */
  prompt: z.strictObject({ prompt: pattern, ...label }),
  /** A call of this tool ended. `with` matches its arguments as JSON, `output` the result that the model received. */
  call: z.strictObject({
    call: pattern,
    outcome: z.optional(outcomeSchema),
    with: z.optional(pattern),
    output: z.optional(pattern),
    times,
    ...label,
  }),
  /** The person was asked for this permission. */
  asked: z.strictObject({ asked: pattern, ...label }),
  /** The learner answered a permission request; `feedback` is a denial with a message. */
  permission: z.strictObject({
    permission: pattern,
    reply: z.optional(z.union([replyKindSchema, z.array(replyKindSchema).check(z.minLength(1))])),
    ...label,
  }),
  /** Rules decided without asking anybody. */
  decided: z.strictObject({
    decided: pattern,
    action: z.enum(['allow', 'deny']),
    source: z.optional(ruleSourceSchema),
    ...label,
  }),
  question: z.strictObject({ question: z.enum(['answered', 'dismissed']), ...label }),
  turn: z.strictObject({ turn: turnStatusSchema, ...label }),
  /** How many model requests were made since this step of the lesson began. */
  steps: z.strictObject({ steps: z.int().check(z.minimum(1), z.maximum(200)), ...label }),
  /** The model wrote this text. */
  says: z.strictObject({ says: pattern, ...label }),
  mode: z.strictObject({ mode: modeSchema, ...label }),
  /** The work of a sub-agent ended in this state. */
  task: z.strictObject({ task: taskStateSchema, agent: z.optional(pattern), ...label }),
  compacted: z.strictObject({ compacted: z.literal(true), ...label }),
  /** The learner went back to an earlier moment, forth again, or to another version of the conversation. */
  restored: z.strictObject({ restored: restoreKindSchema, ...label }),
  /** A file of the workspace is in this state now. */
  file: z.strictObject({
    file: textOf(300),
    matches: z.optional(pattern),
    gone: z.optional(z.literal(true)),
    ...label,
  }),
  /** The learner types an answer; case and surrounding spaces do not count. */
  ask: z.strictObject({
    ask: textOf(400),
    accept: z.array(pattern).check(z.minLength(1), z.maxLength(20)),
    choices: z.optional(z.array(textOf(200)).check(z.minLength(2), z.maxLength(8))),
    ...label,
  }),
} as const;

export type CheckKind = keyof typeof schemas;
type Variant<K extends CheckKind> = { readonly kind: K } & z.infer<(typeof schemas)[K]>;
export type Check = { [K in CheckKind]: Variant<K> }[CheckKind];
export type CheckOf<K extends CheckKind> = Extract<Check, { kind: K }>;

export const checkKinds = Object.keys(schemas);

export type ParsedCheck = { readonly check: Check } | { readonly problem: string };

/** Parses one check as an author writes it: a JSON object. */
export function parseCheck(text: string): ParsedCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `the check is not JSON on one line: ${messageOf(error)}`,
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'a check is an object such as {"call": "read"}' };
  const kind = checkKinds.find((name): name is CheckKind => Object.hasOwn(value, name));
  if (!kind) return { problem: `a check has one of these keys: ${checkKinds.join(', ')}` };
  const parsed = schemas[kind].safeParse(value);
  if (parsed.success) return { check: { kind, ...parsed.data } as Check };
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return { problem: `the check "${kind}" is not valid: ${where}${issue?.message ?? 'unknown problem'}` };
}
