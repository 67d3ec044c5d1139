import * as z from 'zod';
import { jsonObjectSchema, jsonSchema } from '../base/json.ts';

export const actionSchema = z.enum(['allow', 'ask', 'deny']);
export type Action = z.infer<typeof actionSchema>;

/**
 * `permission` names what is asked for (`bash`, `edit`, `read`, …, wildcards allowed), `pattern` what it is for.
 * In both, `*` is any run of characters, slashes too, `?` one character; a pattern ending in ` *` also matches
 * without arguments.
 */
export const ruleSchema = z.object({ permission: z.string(), pattern: z.string(), action: actionSchema });
export type Rule = z.infer<typeof ruleSchema>;
export type Ruleset = readonly Rule[];

/** Allowed for a session; `strict`: said to an ask that is not answered by what was saved elsewhere. */
export const grantedRuleSchema = ruleSchema.extend({ strict: z.literal(true).optional() });
export type GrantedRule = z.infer<typeof grantedRuleSchema>;

/** Where a rule came from, for the reason shown to the person. */
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

/** A rule that matched; `aside`: it could not count, for the pattern does not tell what would happen. */
export const consideredRuleSchema = ruleSchema.extend({
  source: ruleSourceSchema,
  aside: z.literal(true).optional(),
});
export type ConsideredRule = z.infer<typeof consideredRuleSchema>;

/** What one pattern came to, and the rule that decided; without a rule nothing matched, which means ask. */
export const decisionSchema = z.object({
  pattern: z.string(),
  action: actionSchema,
  rule: ruleSchema.optional(),
  source: ruleSourceSchema.optional(),
  /** The ask is one that saved rules do not answer, see {@link GrantedRule}. */
  strict: z.literal(true).optional(),
  /** Every rule that matched, in order, with the one that decided; absent where that was not looked at. */
  considered: z.array(consideredRuleSchema).optional(),
  /** So many more matched that are left out of the list, being the first of them. */
  unlisted: z.int().optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** What the fixed list of dangerous things holds. */
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

/** What was found, and the command or text in which. */
export const dangerSchema = z.object({ kind: dangerKindSchema, text: z.string() });
export type Danger = z.infer<typeof dangerSchema>;

/** What was seen that looks like going round in circles: these calls, so many times, with this error if it was one. */
const repetitionSchema = z.object({
  kind: z.literal('repetition'),
  seen: z.enum(['same-call', 'cycle', 'same-failure']),
  times: z.int(),
  calls: z.array(z.object({ tool: z.string(), input: jsonSchema })),
  failure: z.string().optional(),
});
export type Repetition = z.infer<typeof repetitionSchema>;

/** What the person is shown; never cut. A `diff` is a unified patch. */
export const subjectSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    workdir: z.string().optional(),
    /** Why it is asked for as it stands, and not by the commands in it. */
    whole: z.string().optional(),
  }),
  z.object({ kind: z.literal('diff'), path: z.string(), diff: z.string() }),
  z.object({ kind: z.literal('path'), path: z.string() }),
  z.object({ kind: z.literal('input'), input: jsonObjectSchema }),
  repetitionSchema,
]);
export type Subject = z.infer<typeof subjectSchema>;

/** What a tool asks for. */
export interface Ask {
  readonly permission: string;
  /** All of them must be allowed. Empty means that the tool could not say: it is then asked for as `*`. */
  readonly patterns: readonly string[];
  /** What a lasting yes would save; the field itself grants nothing. */
  readonly always: readonly string[];
  readonly subject: Subject;
  /** The same for asks for the same thing, however it is written; left out: the patterns and the subject tell. */
  readonly identity?: string;
  /** The patterns do not tell what would happen (a script that cannot be analysed): narrower rules could hide in it. */
  readonly opaque?: boolean;
  /** On the fixed list: no rule answers this, only a person or who stands in for one. */
  readonly dangers?: readonly Danger[];
}

/** An ask that waits for an answer. */
export interface PermissionRequest extends Ask {
  readonly id: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly decisions: readonly Decision[];
}

/** Whether no saved rule answers it: the agent's own rules ask. */
export function isStrict({ decisions }: Pick<PermissionRequest, 'decisions'>): boolean {
  return decisions.some(({ strict }) => strict === true);
}

export const replySchema = z.discriminatedUnion('reply', [
  z.object({ reply: z.literal('once') }),
  /** `patterns`: what to save, as the person left it in the dialog. */
  z.object({ reply: z.literal('session'), patterns: z.array(z.string()) }),
  /** In this workspace, for good. */
  z.object({ reply: z.literal('always'), patterns: z.array(z.string()) }),
  /** In every workspace, for good. */
  z.object({ reply: z.literal('everywhere'), patterns: z.array(z.string()) }),
  /** Without a message the turn ends; with one only this call fails and the model reads the message. */
  z.object({ reply: z.literal('reject'), message: z.string().optional() }),
]);
export type Reply = z.infer<typeof replySchema>;

/** Who gave an answer. */
export const answeredBySchema = z.enum(['person', 'automation', 'policy', 'cancelled']);
export type AnsweredBy = z.infer<typeof answeredBySchema>;

/**
 * Answers a request in the person's place, or `undefined` to leave it to the person in the page.
 * Implementations: automation's handler, a test's policy.
 */
export type Answerer = (request: PermissionRequest, signal: AbortSignal) => Promise<Reply | undefined>;

/** In place of a workspace's id: rules that hold in all of them. */
export const EVERYWHERE = '*';

/** Saved rules of a workspace, or with {@link EVERYWHERE} of all. Implementations: IndexedDB, memory. */
export interface RuleStore {
  list(workspaceID: string): Promise<readonly SavedRule[]>;
  /** Resolves when the rule survives a crash of the machine (strict durability). */
  save(workspaceID: string, rules: readonly Rule[], time: number): Promise<void>;
  /** As `save`, for rules that each say where they hold: all of them or none. */
  saveAll(rules: readonly PlacedRule[], time: number): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface PlacedRule extends Rule {
  /** Or {@link EVERYWHERE}. */
  readonly workspaceID: string;
}

export interface SavedRule extends PlacedRule {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Thrown by `ctx.ask` when a rule denies: an error result, the turn goes on. */
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

/** Thrown by `ctx.ask` when the ask was withdrawn: the turn was stopped, or another of its calls was refused. */
export class PermissionCancelled extends Error {
  constructor() {
    super('Cancelled before it was answered.');
    this.name = 'PermissionCancelled';
  }
}
