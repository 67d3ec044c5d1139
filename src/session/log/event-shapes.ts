import * as z from 'zod/mini';
import { jsonObjectSchema, jsonSchema } from '../../base/json.ts';
import { JOB_END_CAUSES } from '../../protocol/jobs.ts';
import { usageSchema } from './parts.ts';

export const modelRefSchema = z.object({ provider: z.string(), model: z.string() });
export type ModelRef = z.infer<typeof modelRefSchema>;

export const turnStatusSchema = z.enum(['idle', 'error', 'aborted', 'rejected', 'interrupted']);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

export const outcomeSchema = z.enum(['ok', 'failed', 'denied', 'cancelled', 'interrupted', 'invalid']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** The content is in the blob store under its hash, never inline. */
export const attachmentSchema = z.object({
  mediaType: z.string(),
  blob: z.string(),
  filename: z.optional(z.string()),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** A full output that was shortened for the model; it can be read at `path` until it is dropped. */
export const fullOutputSchema = z.object({
  path: z.string(),
  blob: z.string(),
  bytes: z.int(),
  lines: z.int(),
});
export type FullOutput = z.infer<typeof fullOutputSchema>;

/** The estimated size of each part of a request, in tokens. */
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
 * A pack of model messages as one JSON array: inline as `text` if it is short, else in the blob with this
 * hash. A bare hash names a blob with a single message; logs from before packs have these.
 */
export const messagePackSchema = z.union([
  z.string(),
  z.object({ hash: z.string(), messages: z.int().check(z.positive()), text: z.optional(z.string()) }),
]);

/** A step's request by reference: its messages are those of the step `base`, followed by `append`. */
export const requestRefSchema = z.object({
  base: z.nullable(z.string()),
  append: z.array(messagePackSchema),
  system: z.string(),
  tools: z.string(),
  settings: jsonObjectSchema,
  sizes: z.optional(contextSizesSchema),
  /** How many tokens the model accepts, if that is known. */
  limit: z.optional(z.number()),
});
export type MessagePack = z.infer<typeof messagePackSchema>;
export type RequestRef = z.infer<typeof requestRefSchema>;

/** A request was refused as too long, would have been too long, or the person asked for a summary. */
export const compactionReasonSchema = z.enum(['overflow', 'limit', 'person']);
export type CompactionReason = z.infer<typeof compactionReasonSchema>;

export const callIDs = { messageID: z.string(), callID: z.string() };

/** The call in another session that gave this session its work. */
export const parentSchema = z.object({ sessionID: z.string(), ...callIDs });
export type Parent = z.infer<typeof parentSchema>;

export const taskStateSchema = z.enum(['completed', 'error', 'cancelled', 'interrupted']);
/** How the work of a sub-agent ended. */
export type TaskState = z.infer<typeof taskStateSchema>;

/** Why a job ended: by itself, by a command, by the person, because too many ran, or with what it ran in. */
export const jobEndCauseSchema = z.enum(JOB_END_CAUSES);

export const spentSchema = z.object({
  usage: usageSchema,
  /** US dollars for the calls that had a price. */
  cost: z.exactOptional(z.number()),
  /** Some of the calls had no known price. */
  unpriced: z.exactOptional(z.boolean()),
});
/** The usage and cost of model calls. */
export type Spent = z.infer<typeof spentSchema>;

export const jobEndShape = { by: jobEndCauseSchema, exitCode: z.int() };
export const endedJobSchema = z.object({ id: z.int(), command: z.string(), ...jobEndShape });

/** The reason for a user message that is no prompt of the person. */
export const originSchema = z.discriminatedUnion('kind', [
  /** Another agent's `task` call made the prompt. */
  z.object({ kind: z.literal('task') }),
  /** Work in the background ended. `childID` is the sub-agent's session. */
  z.object({ kind: z.literal('task-ended'), childID: z.string(), title: z.string(), state: taskStateSchema }),
  /** Jobs that the session's commands had left in the background have ended. It starts no turn. */
  z.object({ kind: z.literal('jobs-ended'), jobs: z.array(endedJobSchema) }),
  /** The person let another agent continue. */
  z.object({ kind: z.literal('agent-switched'), agent: z.string() }),
  /** The person ran a command, or a test called the tool `tool`: it is a call of this message. It starts no turn. */
  z.object({ kind: z.literal('command'), tool: z.exactOptional(z.string()) }),
]);
export type Origin = z.infer<typeof originSchema>;

export const pauseEndSchema = z.enum(['step', 'continue', 'run-to-end', 'stopped']);
export type PauseEnd = z.infer<typeof pauseEndSchema>;

/**
 * The person's change of a call, with the value before it. `answer` means that the person gave the result and
 * the tool did not run.
 */
export const callEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('input'), from: jsonSchema, to: jsonSchema }),
  z.object({ kind: z.literal('output'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('answer') }),
]);
export type CallEdit = z.infer<typeof callEditSchema>;

/** Where a session comes from that goes on from a moment of another one, or of a recording. */
export const forkedFromSchema = z.object({
  /** Absent for a recording. */
  sessionID: z.exactOptional(z.string()),
  title: z.string(),
  /** How many events had happened. */
  events: z.int().check(z.positive()),
});
export type ForkedFrom = z.infer<typeof forkedFromSchema>;

export const snapshotReasonSchema = z.enum([
  'session-start',
  'call-end',
  'turn-end',
  'turn-start',
  'restore',
]);

export const restoreKindSchema = z.enum(['undo', 'redo', 'branch']);
export type RestoreKind = z.infer<typeof restoreKindSchema>;
