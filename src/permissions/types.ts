import * as z from 'zod/mini';
import { jsonObjectSchema, jsonSchema } from '../base/json.ts';

export const actionSchema = z.enum(['allow', 'ask', 'deny']);
export type Action = z.infer<typeof actionSchema>;

/**
 * `permission` is the name of a permission (`bash`, `edit`, `read`, …), `pattern` the text it covers. In both, `*` is
 * any run of characters including slashes, and `?` is one character; a pattern ending in ` *` also matches without
 * arguments.
 */
export const ruleSchema = z.object({ permission: z.string(), pattern: z.string(), action: actionSchema });
export type Rule = z.infer<typeof ruleSchema>;
export type Ruleset = readonly Rule[];

/** A rule that was allowed for a session; `strict` if it answers an ask that other saved rules do not answer. */
export const grantedRuleSchema = z.extend(ruleSchema, { strict: z.optional(z.literal(true)) });
export type GrantedRule = z.infer<typeof grantedRuleSchema>;

/** The origin of a rule, as the person sees it in reasons. */
export const ruleSourceSchema = z.enum([
  'default',
  'settings',
  'agent',
  'session',
  'workspace',
  'parent',
  'everywhere',
  'mode',
  'own-config',
  'config',
]);
export type RuleSource = z.infer<typeof ruleSourceSchema>;

/** A rule that matched. `aside` means that it could not count, because its pattern does not tell what would happen. */
export const consideredRuleSchema = z.extend(ruleSchema, {
  source: ruleSourceSchema,
  aside: z.optional(z.literal(true)),
});
export type ConsideredRule = z.infer<typeof consideredRuleSchema>;

/** The decision about one pattern, and the rule that decided. If no rule matched, it asks. */
export const decisionSchema = z.object({
  pattern: z.string(),
  action: actionSchema,
  rule: z.optional(ruleSchema),
  source: z.optional(ruleSourceSchema),
  /** Whether saved rules do not answer this ask; see {@link GrantedRule}. */
  strict: z.optional(z.literal(true)),
  /** Every rule that matched, in order, including the one that decided; absent if this was not determined. */
  considered: z.optional(z.array(consideredRuleSchema)),
  /** How many more rules matched at the beginning of the list and are left out. */
  unlisted: z.optional(z.int()),
});
export type Decision = z.infer<typeof decisionSchema>;

/** The kinds of dangers on the fixed list. */
export const dangerKindSchema = z.enum([
  'remove',
  'fork-bomb',
  'network-to-shell',
  'hidden-code',
  'disk',
  'permissions',
  'git-history',
  'git-discard',
  'git-files',
  'system',
]);
export type DangerKind = z.infer<typeof dangerKindSchema>;

/** A danger, and the command or text that contains it. */
export const dangerSchema = z.object({ kind: dangerKindSchema, text: z.string() });
export type Danger = z.infer<typeof dangerSchema>;

/** Calls that look like a loop: which calls, how often, and the error if they failed. */
const repetitionSchema = z.object({
  kind: z.literal('repetition'),
  seen: z.enum(['same-call', 'cycle', 'same-failure']),
  times: z.int(),
  calls: z.array(z.object({ tool: z.string(), input: jsonSchema })),
  failure: z.optional(z.string()),
});
export type Repetition = z.infer<typeof repetitionSchema>;

/** The details that the person sees; never cut. A `diff` is a unified patch. */
export const subjectSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    workdir: z.optional(z.string()),
    /** Why the script is asked for as a whole, and not by its commands. */
    whole: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('diff'), path: z.string(), diff: z.string() }),
  z.object({ kind: z.literal('path'), path: z.string() }),
  z.object({ kind: z.literal('input'), input: jsonObjectSchema }),
  repetitionSchema,
]);
export type Subject = z.infer<typeof subjectSchema>;

/** A tool's request for permission. */
export interface Ask {
  readonly permission: string;
  /** All patterns must be allowed. An empty list means that the tool could not tell; it is then asked for as `*`. */
  readonly patterns: readonly string[];
  /** The patterns that a lasting answer would save; the field itself grants nothing. */
  readonly always: readonly string[];
  readonly subject: Subject;
  /**
   * Equal for requests for the same thing in different spellings; if absent, the patterns and the subject are
   * compared.
   */
  readonly identity?: string;
  /**
   * Whether the patterns do not tell what would happen (a script that cannot be analysed), so that narrower rules
   * could be violated unnoticed.
   */
  readonly opaque?: boolean;
  /** Dangers from the fixed list: no rule answers these, only a person or the answerer. */
  readonly dangers?: readonly Danger[];
}

/** A request that waits for an answer. */
export interface PermissionRequest extends Ask {
  readonly id: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly decisions: readonly Decision[];
}

/** Whether no saved rule answers the request, because the agent's own rules ask. */
export function isStrict({ decisions }: Pick<PermissionRequest, 'decisions'>): boolean {
  return decisions.some(({ strict }) => strict === true);
}

export const replySchema = z.discriminatedUnion('reply', [
  z.object({ reply: z.literal('once') }),
  /** `patterns` are the patterns to save, as the person edited them in the dialog. */
  z.object({ reply: z.literal('session'), patterns: z.array(z.string()) }),
  /** Saved permanently for this workspace. */
  z.object({ reply: z.literal('always'), patterns: z.array(z.string()) }),
  /** Saved permanently for every workspace. */
  z.object({ reply: z.literal('everywhere'), patterns: z.array(z.string()) }),
  /** Without a message the turn ends; with one only this call fails, and the model reads the message. */
  z.object({ reply: z.literal('reject'), message: z.optional(z.string()) }),
]);
export type Reply = z.infer<typeof replySchema>;

/** The source of an answer. */
export const answeredBySchema = z.enum(['person', 'automation', 'policy', 'cancelled']);
export type AnsweredBy = z.infer<typeof answeredBySchema>;

/**
 * Answers a request instead of the person, or returns `undefined` to leave it to the person. Implementations:
 * automation's handler, a test's policy.
 */
export type Answerer = (request: PermissionRequest, signal: AbortSignal) => Promise<Reply | undefined>;

/** Replaces a workspace's id in rules that apply to all workspaces. */
export const EVERYWHERE = '*';

/** The saved rules of a workspace, or of all workspaces with {@link EVERYWHERE}. Implementations: IndexedDB, memory. */
export interface RuleStore {
  list(workspaceID: string): Promise<readonly SavedRule[]>;
  /** Resolves when the rules survive a crash of the machine (strict durability). */
  save(workspaceID: string, rules: readonly Rule[], time: number): Promise<void>;
  /** Like `save`, for rules of different workspaces: saves all of them or none. */
  saveAll(rules: readonly PlacedRule[], time: number): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface PlacedRule extends Rule {
  /** A workspace's id, or {@link EVERYWHERE}. */
  readonly workspaceID: string;
}

export interface SavedRule extends PlacedRule {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Thrown by `ctx.ask` when a rule denies: the call fails and the turn continues. */
export class PermissionDenied extends Error {
  readonly decisions: readonly Decision[];
  constructor(message: string, decisions: readonly Decision[]) {
    super(message);
    this.name = 'PermissionDenied';
    this.decisions = decisions;
  }
}

/** Thrown by `ctx.ask` when the person refuses. Without a message the turn ends. */
export class PermissionRejected extends Error {
  readonly feedback: string | undefined;
  constructor(message: string, feedback?: string) {
    super(message);
    this.name = 'PermissionRejected';
    this.feedback = feedback;
  }
}

/**
 * Thrown by `ctx.ask` when the request was withdrawn, because the turn was stopped or another of its calls was
 * refused.
 */
export class PermissionCancelled extends Error {
  constructor() {
    super('Cancelled before it was answered.');
    this.name = 'PermissionCancelled';
  }
}
