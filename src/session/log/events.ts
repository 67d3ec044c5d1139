import * as z from 'zod/mini';
import { FaultError, faultSchema } from '../../base/fault.ts';
import { jsonObjectSchema, jsonSchema } from '../../base/json.ts';
import { modeSchema } from '../../permissions/modes.ts';
import {
  answeredBySchema,
  dangerSchema,
  decisionSchema,
  replySchema,
  grantedRuleSchema,
  ruleSchema,
  subjectSchema,
} from '../../permissions/types.ts';
import { answersSchema, questionSchema } from '../../tools/question/schema.ts';
import { effortSchema } from './effort.ts';
import { pageEntrySchema } from './page-entry.ts';
import { pausePointSchema } from '../stepping/points.ts';
import { finishReasonSchema, streamPartSchema, usageSchema } from './parts.ts';
import {
  modelRefSchema,
  turnStatusSchema,
  outcomeSchema,
  attachmentSchema,
  fullOutputSchema,
  requestRefSchema,
  compactionReasonSchema,
  parentSchema,
  taskStateSchema,
  spentSchema,
  originSchema,
  pauseEndSchema,
  callEditSchema,
  forkedFromSchema,
  restoreKindSchema,
  callIDs,
  jobEndShape,
  snapshotReasonSchema,
} from './event-shapes.ts';

export * from './event-shapes.ts';

/**
 * Everything that happens in a session, in order. The log is the only truth: state, screen, recovery and
 * replay are folded from it, and nothing rewrites it. The order is that of `seq`, which counts from 0 without
 * gaps, never that of time or id. A change of shape raises `v` and adds an upcaster.
 */
export const EVENT_VERSION = 1;

const envelope = {
  v: z.literal(EVENT_VERSION),
  sessionID: z.string(),
  seq: z.int().check(z.nonnegative()),
  /** Milliseconds since the epoch. */
  time: z.number(),
};

const bodies = [
  z.object({
    type: z.literal('session.created'),
    workspaceID: z.string(),
    title: z.string(),
    /** Set for the session of a sub-agent. */
    parent: z.optional(parentSchema),
    agent: z.optional(z.string()),
    forkedFrom: z.optional(forkedFromSchema),
  }),
  z.object({ type: z.literal('session.titled'), title: z.string() }),
  z.object({ type: z.literal('session.kept'), keep: z.boolean() }),
  /**
   * `manifest` is the hash of a blob with the snapshot's entries as JSON, or with the changes since another
   * one (`KeptList`).
   */
  z.object({
    type: z.literal('snapshot.taken'),
    manifest: z.string(),
    /**
     * It was taken before the first call, after a call or turn that changed files, before a prompt because files
     * had changed since the last one was, or before and after files were restored.
     */
    reason: snapshotReasonSchema,
    /** The prompt before or after which it was taken, if a newer one came while it was. */
    messageID: z.exactOptional(z.string()),
  }),
  /** A snapshot of changed files was due and not taken: there are too many files, or it failed. */
  z.object({
    type: z.literal('snapshot.missed'),
    /** Absent in older logs: it was due before the running turn, or after the last one. */
    reason: z.exactOptional(snapshotReasonSchema),
    messageID: z.exactOptional(z.string()),
  }),
  /**
   * The person goes back or forth: the conversation, the files, or both. It is done with `restore.ended`. A log
   * that ends in between belongs to a tab that died meanwhile, and the next one finishes the work.
   */
  z.object({
    type: z.literal('restore.began'),
    /** `undo` can be taken back with `redo`; `branch` goes to another version of the conversation. */
    kind: restoreKindSchema,
    /** The message after which the conversation goes on; `null` for its beginning. Absent if it stays. */
    head: z.optional(z.nullable(z.string())),
    /** Hash of a blob with the list of files as they are to be. Absent if the files stay. */
    files: z.optional(z.string()),
  }),
  /** With a fault, the conversation stays as it was. */
  z.object({ type: z.literal('restore.ended'), fault: z.optional(faultSchema) }),
  /** Sets how much the session asks from here on. */
  z.object({ type: z.literal('mode.set'), mode: modeSchema }),
  /** The person chose "Allow for this session". */
  z.object({ type: z.literal('rules.granted'), rules: z.array(grantedRuleSchema) }),

  /** Sets the limits of a sub-agent beyond its own rules, from here on. They replace earlier limits. */
  z.object({ type: z.literal('rules.limited'), rules: z.array(ruleSchema) }),
  /** Sets the agent that receives the next prompts. */
  z.object({ type: z.literal('agent.chosen'), agent: z.string() }),
  /** Sets how much models think from the next step on; `null` leaves it to the model. */
  z.object({ type: z.literal('effort.chosen'), effort: z.nullable(effortSchema) }),
  /** A call gave work to a sub-agent. `childID` is the session in which the work is done. */
  z.object({
    type: z.literal('task.started'),
    ...callIDs,
    childID: z.string(),
    agent: z.string(),
    title: z.string(),
    background: z.boolean(),
  }),
  /** `spent` is the usage of that session so far, including its own sub-agents. */
  z.object({
    type: z.literal('task.ended'),
    childID: z.string(),
    state: taskStateSchema,
    spent: z.optional(spentSchema),
  }),

  /** A command of the session goes on in the background, after its call. `jobID` is the number of its process. */
  z.object({
    type: z.literal('job.started'),
    jobID: z.int(),
    command: z.string(),
    /** It was started in the session that this one is a copy of, and never ran here. */
    copied: z.exactOptional(z.literal(true)),
  }),
  z.object({ type: z.literal('job.ended'), jobID: z.int(), ...jobEndShape }),

  /**
   * Tells what happened in the preview of the workspace since the last of these events. `leftOut` counts what had
   * no room in the log.
   */
  z.object({
    type: z.literal('preview.noted'),
    entries: z.array(pageEntrySchema),
    leftOut: z.exactOptional(z.int().check(z.positive())),
  }),

  /** A user message was accepted: it is on disk before anything is done about it. */
  z.object({
    type: z.literal('prompt.accepted'),
    messageID: z.string(),
    parentID: z.nullable(z.string()),
    text: z.string(),
    agent: z.string(),
    /** Absent in a message that is sent to no model, such as a command of the person, where none is set up. */
    model: z.optional(modelRefSchema),
    origin: z.optional(originSchema),
  }),
  /** The loop starts to work on a prompt. Prompts that are accepted meanwhile join the turn. */
  z.object({
    type: z.literal('turn.started'),
    promptID: z.string(),
    /** The turn only summarizes, as the person asked. */
    purpose: z.optional(z.literal('compaction')),
  }),
  z.object({ type: z.literal('turn.ended'), status: turnStatusSchema, fault: z.optional(faultSchema) }),

  /** One model call starts, which makes one assistant message. `step` counts from 0 within the turn. */
  z.object({
    type: z.literal('step.started'),
    messageID: z.string(),
    parentID: z.string(),
    step: z.int(),
    agent: z.string(),
    model: modelRefSchema,
    request: requestRefSchema,
    /** The step writes a summary of the conversation; models see it only after `context.compacted`. */
    purpose: z.optional(z.literal('compaction')),
  }),
  /** SHA-256 of the request's body as it was sent, if the provider reports it. */
  z.object({ type: z.literal('step.sent'), messageID: z.string(), bodyHash: z.string() }),
  z.object({ type: z.literal('step.part'), messageID: z.string(), part: streamPartSchema }),
  /** This comes after the last part, and after the last of the step's calls has ended. */
  z.object({
    type: z.literal('step.ended'),
    messageID: z.string(),
    reason: finishReasonSchema,
    usage: usageSchema,
    /** US dollars, by the prices of that moment; absent if they are unknown. */
    cost: z.optional(z.number()),
    fault: z.optional(faultSchema),
  }),

  /** The person pauses the session: nothing continues before `pause.ended` or the end of the turn. */
  z.object({
    type: z.literal('pause.began'),
    messageID: z.string(),
    /** Id of the call, if a call is paused. */
    call: z.optional(z.string()),
    pauseID: z.string(),
    point: pausePointSchema,
  }),
  z.object({
    type: z.literal('pause.ended'),
    messageID: z.string(),
    /** Id of the call, if a call is paused. */
    call: z.optional(z.string()),
    pauseID: z.string(),
    by: pauseEndSchema,
  }),
  /** This request is sent instead of the one in `step.started`, once; the conversation stays unchanged. */
  z.object({ type: z.literal('request.edited'), messageID: z.string(), request: requestRefSchema }),
  /**
   * From here on models see a replacement for this message. `told` is a blob with messages as a JSON array,
   * made for this model; `null` restores the message itself.
   */
  z.object({
    type: z.literal('message.retold'),
    messageID: z.string(),
    model: modelRefSchema,
    told: z.nullable(z.string()),
  }),
  /**
   * From here on this agent gets another system prompt in this session. `told` is a blob with the text;
   * `null` restores the agent's own. `messageID` is the step at whose pause it was written.
   */
  z.object({
    type: z.literal('system.retold'),
    messageID: z.string(),
    agent: z.string(),
    told: z.nullable(z.string()),
  }),
  z.object({ type: z.literal('call.edited'), ...callIDs, edit: callEditSchema }),

  /**
   * A step failed and is retried after `delay` milliseconds, or when the person asks for it. `attempt` counts
   * retries from 1.
   */
  z.object({
    type: z.literal('step.waiting'),
    messageID: z.string(),
    attempt: z.int(),
    delay: z.number(),
  }),

  /**
   * From here on models see this message, a summary, in place of everything before the message `tail`, or of
   * everything if `tail` is `null`. The tokens before and after are estimates.
   */
  z.object({
    type: z.literal('context.compacted'),
    messageID: z.string(),
    tail: z.nullable(z.string()),
    reason: compactionReasonSchema,
    before: z.number(),
    after: z.number(),
  }),
  /**
   * Models no longer see the outputs of calls in messages with a smaller `seq` than `before`, except those of
   * skills.
   */
  z.object({
    type: z.literal('outputs.pruned'),
    before: z.int(),
    calls: z.int(),
    tokens: z.number(),
  }),
  /** A model was asked something outside the conversation. */
  z.object({
    type: z.literal('aside.ended'),
    purpose: z.enum(['title', 'summary']),
    model: modelRefSchema,
    usage: usageSchema,
    cost: z.optional(z.number()),
    bodyHash: z.optional(z.string()),
    fault: z.optional(faultSchema),
  }),

  /**
   * Records a decision, with the rules that were considered. A call that asked waits until
   * `permission.answered`.
   */
  z.object({
    type: z.literal('permission.decided'),
    ...callIDs,
    permission: z.string(),
    action: z.enum(['allow', 'deny']),
    decisions: z.array(decisionSchema),
    /** Set if the rules did not decide, because the same request was refused before in this turn. */
    because: z.optional(z.literal('refused-before')),
  }),
  z.object({
    type: z.literal('permission.asked'),
    ...callIDs,
    requestID: z.string(),
    tool: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
    always: z.array(z.string()),
    subject: subjectSchema,
    decisions: z.array(decisionSchema),
    /** Dangers on the fixed list, which no rule can answer. */
    dangers: z.optional(z.array(dangerSchema)),
  }),
  z.object({
    type: z.literal('permission.answered'),
    ...callIDs,
    requestID: z.string(),
    reply: replySchema,
    by: answeredBySchema,
  }),

  z.object({
    type: z.literal('question.asked'),
    ...callIDs,
    requestID: z.string(),
    tool: z.string(),
    questions: z.array(questionSchema),
  }),
  /** `answers` is `null` if the question was dismissed or withdrawn; `by` tells which. */
  z.object({
    type: z.literal('question.answered'),
    ...callIDs,
    requestID: z.string(),
    answers: z.nullable(answersSchema),
    by: answeredBySchema,
  }),

  /**
   * A call that no model streamed. Either another call makes it and gets its result, or a prompt mentions
   * something that is to be read.
   */
  z.object({
    type: z.literal('call.added'),
    ...callIDs,
    /** The call that makes it; absent if a prompt does. */
    parent: z.optional(z.string()),
    tool: z.string(),
    input: jsonSchema,
    /** The tool declares that it changes nothing. */
    readOnly: z.optional(z.literal(true)),
  }),
  /** The tool itself starts, or continues after an answer: its arguments are parsed and it is allowed. */
  z.object({ type: z.literal('call.running'), ...callIDs, tool: z.string(), input: jsonSchema }),
  z.object({
    type: z.literal('call.progress'),
    ...callIDs,
    title: z.optional(z.string()),
    metadata: z.optional(jsonObjectSchema),
  }),
  /** Live output: up to 64 kB is inline, more is a blob. */
  z.object({
    type: z.literal('call.output'),
    ...callIDs,
    text: z.optional(z.string()),
    blob: z.optional(z.string()),
  }),
  /** The one result of a call. `output` is what the model sees, for errors too. */
  z.object({
    type: z.literal('call.ended'),
    ...callIDs,
    outcome: outcomeSchema,
    output: z.string(),
    title: z.string(),
    metadata: jsonObjectSchema,
    attachments: z.array(attachmentSchema),
    fullOutput: z.optional(fullOutputSchema),
    /** The kind of fault of a failed call, such as `timeout`. */
    faultCode: z.exactOptional(z.string()),
  }),
  /** The full output is past its time; the preview stays. */
  z.object({ type: z.literal('output.dropped'), ...callIDs }),
] as const;

/** An event before it is appended: the log adds the envelope. */
export const eventBodySchema = z.discriminatedUnion('type', [...bodies]);
export type EventBody = z.infer<typeof eventBodySchema>;

export const eventEnvelopeSchema = z.object(envelope);
export type Event = EventBody & z.infer<typeof eventEnvelopeSchema>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** Parses a stored or imported event; throws a zod error that names the field. */
export function parseEvent(value: unknown): Event {
  return { ...eventBodySchema.parse(value), ...eventEnvelopeSchema.parse(value) };
}

/**
 * Throws a fault if readers of the log would reject this event: a single one of them would make the whole session
 * unreadable.
 */
export function assertStorable(body: EventBody): void {
  const issue = eventBodySchema.safeParse(body).error?.issues[0];
  if (!issue) return;
  throw new FaultError({
    code: 'event-invalid',
    what: `This event cannot be stored, because it could not be read again: ${body.type}: ${issue.path.join('.')}: ${issue.message}`,
    next: 'Undo what you changed last and try again. If it happens again, please report it.',
  });
}
