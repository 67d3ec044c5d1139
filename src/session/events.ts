import * as z from 'zod';
import { faultSchema } from '../base/fault.ts';
import { jsonObjectSchema, jsonSchema } from '../base/json.ts';
import { modeSchema } from '../permissions/modes.ts';
import {
  answeredBySchema,
  dangerSchema,
  decisionSchema,
  replySchema,
  grantedRuleSchema,
  ruleSchema,
  subjectSchema,
} from '../permissions/types.ts';
import { answersSchema, questionSchema } from '../tools/question/schema.ts';
import { effortSchema } from './effort.ts';
import { pausePointSchema } from './stepping/points.ts';
import { finishReasonSchema, streamPartSchema, usageSchema } from './parts.ts';

/**
 * Everything that happens in a session, in order. The log is the only truth: state, screen, recovery and replay are
 * folded from it, and nothing rewrites it. Order is by `seq`, from 0 without gaps, never by time or id.
 * A change of shape raises `v` and adds an upcaster.
 */
export const EVENT_VERSION = 1;

const envelope = {
  v: z.literal(EVENT_VERSION),
  sessionID: z.string(),
  seq: z.int().nonnegative(),
  /** Milliseconds since the epoch. */
  time: z.number(),
};

export const modelRefSchema = z.object({ provider: z.string(), model: z.string() });
export type ModelRef = z.infer<typeof modelRefSchema>;

export const turnStatusSchema = z.enum(['idle', 'error', 'aborted', 'rejected', 'interrupted']);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

export const outcomeSchema = z.enum(['ok', 'failed', 'denied', 'cancelled', 'interrupted', 'invalid']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Content by hash in the blob store, never inline. */
export const attachmentSchema = z.object({
  mediaType: z.string(),
  blob: z.string(),
  filename: z.string().optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** A full output that was cut for the model: readable at `path` until it is dropped. */
export const fullOutputSchema = z.object({
  path: z.string(),
  blob: z.string(),
  bytes: z.int(),
  lines: z.int(),
});
export type FullOutput = z.infer<typeof fullOutputSchema>;

/** Of a request, about, in tokens. */
export const contextSizesSchema = z.object({
  system: z.number(),
  tools: z.number(),
  /** Prompts, answers and calls. */
  messages: z.number(),
  outputs: z.number(),
  files: z.number(),
});
export type ContextSizes = z.infer<typeof contextSizesSchema>;

/**
 * So many model messages as one JSON array: `text`, where it is short, else the blob of that hash. A bare hash: a blob
 * with one message by itself, in logs from before packs.
 */
const messagePackSchema = z.union([
  z.string(),
  z.object({ hash: z.string(), messages: z.int().positive(), text: z.string().optional() }),
]);

/** A step's request by reference: the messages of `base` and then those of `append`. */
export const requestRefSchema = z.object({
  base: z.string().nullable(),
  append: z.array(messagePackSchema),
  system: z.string(),
  tools: z.string(),
  settings: jsonObjectSchema,
  sizes: contextSizesSchema.optional(),
  /** Tokens that the model takes, where that is known. */
  limit: z.number().optional(),
});
export type MessagePack = z.infer<typeof messagePackSchema>;
export type RequestRef = z.infer<typeof requestRefSchema>;

/** A request was refused as too long, would have been, or the person asked. */
export const compactionReasonSchema = z.enum(['overflow', 'limit', 'person']);
export type CompactionReason = z.infer<typeof compactionReasonSchema>;

const call = { messageID: z.string(), callID: z.string() };

/** The call of another session that gave a session its work. */
export const parentSchema = z.object({ sessionID: z.string(), ...call });
export type Parent = z.infer<typeof parentSchema>;

export const taskStateSchema = z.enum(['completed', 'error', 'cancelled', 'interrupted']);
/** How the work of a sub-agent ended. */
export type TaskState = z.infer<typeof taskStateSchema>;

export const spentSchema = z.object({
  usage: usageSchema,
  /** US dollars, of what had a price. */
  cost: z.exactOptional(z.number()),
  /** Some of it had no known price. */
  unpriced: z.exactOptional(z.boolean()),
});
/** What model calls came to. */
export type Spent = z.infer<typeof spentSchema>;

/** Why there is a prompt that the person did not write. */
export const originSchema = z.discriminatedUnion('kind', [
  /** Another agent's `task` call. */
  z.object({ kind: z.literal('task') }),
  /** Work in the background ended. `childID`: the sub-agent's session. */
  z.object({ kind: z.literal('task-ended'), childID: z.string(), title: z.string(), state: taskStateSchema }),
  /** The person let another agent go on. */
  z.object({ kind: z.literal('agent-switched'), agent: z.string() }),
]);
export type Origin = z.infer<typeof originSchema>;

export const pauseEndSchema = z.enum(['step', 'continue', 'run-to-end', 'stopped']);
export type PauseEnd = z.infer<typeof pauseEndSchema>;

/** What the person changed of a call, with what stood there before; `answer`: its tool did not run. */
export const callEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('input'), from: jsonSchema, to: jsonSchema }),
  z.object({ kind: z.literal('output'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('answer') }),
]);
export type CallEdit = z.infer<typeof callEditSchema>;

const bodies = [
  z.object({
    type: z.literal('session.created'),
    workspaceID: z.string(),
    title: z.string(),
    /** Of a sub-agent's session. */
    parent: parentSchema.optional(),
    agent: z.string().optional(),
  }),
  z.object({ type: z.literal('session.titled'), title: z.string() }),
  z.object({ type: z.literal('session.kept'), keep: z.boolean() }),
  /** `manifest`: hash of a blob with the snapshot's entries as JSON. */
  z.object({
    type: z.literal('snapshot.taken'),
    manifest: z.string(),
    /** Before the first call; after a turn that changed files. */
    reason: z.enum(['session-start', 'turn-end']),
  }),
  /** How much the session asks from here on. */
  z.object({ type: z.literal('mode.set'), mode: modeSchema }),
  /** "Allow for this session". */
  z.object({ type: z.literal('rules.granted'), rules: z.array(grantedRuleSchema) }),

  /** What binds a sub-agent beyond its own rules, from here on: stands in for what was said before. */
  z.object({ type: z.literal('rules.limited'), rules: z.array(ruleSchema) }),
  /** Whom the next prompts go to. */
  z.object({ type: z.literal('agent.chosen'), agent: z.string() }),
  /** How much models think from the next step on; `null`: as much as they do unasked. */
  z.object({ type: z.literal('effort.chosen'), effort: effortSchema.nullable() }),
  /** A call gave work to a sub-agent; `childID` is the session in which it is done. */
  z.object({
    type: z.literal('task.started'),
    ...call,
    childID: z.string(),
    agent: z.string(),
    title: z.string(),
    background: z.boolean(),
  }),
  /** `spent`: what that session came to so far, with those that worked for it. */
  z.object({
    type: z.literal('task.ended'),
    childID: z.string(),
    state: taskStateSchema,
    spent: spentSchema.optional(),
  }),

  /** A user message, accepted (on disk) before anything is done about it. */
  z.object({
    type: z.literal('prompt.accepted'),
    messageID: z.string(),
    parentID: z.string().nullable(),
    text: z.string(),
    agent: z.string(),
    model: modelRefSchema,
    origin: originSchema.optional(),
  }),
  /** The loop starts to work on a prompt; prompts accepted meanwhile join the turn. */
  z.object({
    type: z.literal('turn.started'),
    promptID: z.string(),
    /** A turn that only sums up, as the person asked. */
    purpose: z.literal('compaction').optional(),
  }),
  z.object({ type: z.literal('turn.ended'), status: turnStatusSchema, fault: faultSchema.optional() }),

  /** One model call, which is one assistant message. `step` counts from 0 within the turn. */
  z.object({
    type: z.literal('step.started'),
    messageID: z.string(),
    parentID: z.string(),
    step: z.int(),
    agent: z.string(),
    model: modelRefSchema,
    request: requestRefSchema,
    /** A summary of the conversation is written; no model is told of it before `context.compacted`. */
    purpose: z.literal('compaction').optional(),
  }),
  /** The request's body as it went out, in SHA-256, where the provider tells it. */
  z.object({ type: z.literal('step.sent'), messageID: z.string(), bodyHash: z.string() }),
  z.object({ type: z.literal('step.part'), messageID: z.string(), part: streamPartSchema }),
  /** After the last part, and after the last of its calls has ended. */
  z.object({
    type: z.literal('step.ended'),
    messageID: z.string(),
    reason: finishReasonSchema,
    usage: usageSchema,
    /** US dollars, by the prices of that moment; absent where they are not known. */
    cost: z.number().optional(),
    fault: faultSchema.optional(),
  }),

  /** The person holds what happens next: nothing is wrong, and nothing goes on before `pause.ended`, or the end of the turn. */
  z.object({
    type: z.literal('pause.began'),
    messageID: z.string(),
    /** Id of the call, where it is one that is held. */
    call: z.string().optional(),
    pauseID: z.string(),
    point: pausePointSchema,
  }),
  z.object({
    type: z.literal('pause.ended'),
    messageID: z.string(),
    /** Id of the call, where it is one that is held. */
    call: z.string().optional(),
    pauseID: z.string(),
    by: pauseEndSchema,
  }),
  /** This goes out in place of what `step.started` says, in this one request; the conversation stays as it was. */
  z.object({ type: z.literal('request.edited'), messageID: z.string(), request: requestRefSchema }),
  /**
   * From here on models are told something else in place of this message: `told`, a blob with messages as a JSON array,
   * made for this model; `null`: the message itself again.
   */
  z.object({
    type: z.literal('message.retold'),
    messageID: z.string(),
    model: modelRefSchema,
    told: z.string().nullable(),
  }),
  /**
   * From here on this agent is told another system prompt in this session: `told`, a blob with the text; `null`: its
   * own again. `messageID`: the step at whose pause it was written.
   */
  z.object({
    type: z.literal('system.retold'),
    messageID: z.string(),
    agent: z.string(),
    told: z.string().nullable(),
  }),
  z.object({ type: z.literal('call.edited'), ...call, edit: callEditSchema }),

  /** A step failed and is tried again, `delay` milliseconds from now or when the person asks for it: retry `attempt`, from 1. */
  z.object({
    type: z.literal('step.waiting'),
    messageID: z.string(),
    attempt: z.int(),
    delay: z.number(),
  }),

  /**
   * From here on models are told the summary that is this message, in place of everything before the message `tail`
   * (of all, where it is `null`). Tokens before and after are estimates.
   */
  z.object({
    type: z.literal('context.compacted'),
    messageID: z.string(),
    tail: z.string().nullable(),
    reason: compactionReasonSchema,
    before: z.number(),
    after: z.number(),
  }),
  /** Outputs of calls in messages from before this `seq` are no longer sent to models, but for those of skills. */
  z.object({
    type: z.literal('outputs.pruned'),
    before: z.int(),
    calls: z.int(),
    tokens: z.number(),
  }),
  /** A model was asked something beside the conversation. */
  z.object({
    type: z.literal('aside.ended'),
    purpose: z.enum(['title', 'summary']),
    model: modelRefSchema,
    usage: usageSchema,
    cost: z.number().optional(),
    bodyHash: z.string().optional(),
    fault: faultSchema.optional(),
  }),

  /** Every decision with the rules considered. A call that asked waits until `permission.answered`. */
  z.object({
    type: z.literal('permission.decided'),
    ...call,
    permission: z.string(),
    action: z.enum(['allow', 'deny']),
    decisions: z.array(decisionSchema),
    /** Where it is not the rules that decided: the same was refused before in this turn. */
    because: z.literal('refused-before').optional(),
  }),
  z.object({
    type: z.literal('permission.asked'),
    ...call,
    requestID: z.string(),
    tool: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
    always: z.array(z.string()),
    subject: subjectSchema,
    decisions: z.array(decisionSchema),
    /** On the fixed list, so that no rule could answer it. */
    dangers: z.array(dangerSchema).optional(),
  }),
  z.object({
    type: z.literal('permission.answered'),
    ...call,
    requestID: z.string(),
    reply: replySchema,
    by: answeredBySchema,
  }),

  z.object({
    type: z.literal('question.asked'),
    ...call,
    requestID: z.string(),
    tool: z.string(),
    questions: z.array(questionSchema),
  }),
  /** `answers`: `null` where it was dismissed, or withdrawn (`by` says so). */
  z.object({
    type: z.literal('question.answered'),
    ...call,
    requestID: z.string(),
    answers: answersSchema.nullable(),
    by: answeredBySchema,
  }),

  /**
   * A call that no model streamed: another call makes it, is told what it comes to and tells the model; or a prompt
   * names what it is to read.
   */
  z.object({
    type: z.literal('call.added'),
    ...call,
    /** The call that makes it; absent where a prompt does. */
    parent: z.string().optional(),
    tool: z.string(),
    input: jsonSchema,
    /** The tool says of itself that it changes nothing. */
    readOnly: z.literal(true).optional(),
  }),
  /** The tool itself starts, or goes on after an answer: its arguments are parsed, what it asked for is allowed. */
  z.object({ type: z.literal('call.running'), ...call, tool: z.string(), input: jsonSchema }),
  z.object({
    type: z.literal('call.progress'),
    ...call,
    title: z.string().optional(),
    metadata: jsonObjectSchema.optional(),
  }),
  /** Live output: up to 64 kB inline, more as a blob. */
  z.object({
    type: z.literal('call.output'),
    ...call,
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
  /** The one result of a call. `output` is what the model sees, for errors too. */
  z.object({
    type: z.literal('call.ended'),
    ...call,
    outcome: outcomeSchema,
    output: z.string(),
    title: z.string(),
    metadata: jsonObjectSchema,
    attachments: z.array(attachmentSchema),
    fullOutput: fullOutputSchema.optional(),
  }),
  /** The full output is past its time; the preview stays. */
  z.object({ type: z.literal('output.dropped'), ...call }),
] as const;

/** An event before it is appended: the log adds the envelope. */
export const eventBodySchema = z.discriminatedUnion('type', [...bodies]);
export type EventBody = z.infer<typeof eventBodySchema>;

export const eventEnvelopeSchema = z.object(envelope);
export type Event = EventBody & z.infer<typeof eventEnvelopeSchema>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** A stored or imported event; throws a zod error that names the field. */
export function parseEvent(value: unknown): Event {
  return { ...eventBodySchema.parse(value), ...eventEnvelopeSchema.parse(value) };
}
