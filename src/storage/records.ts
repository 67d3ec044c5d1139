import * as z from 'zod/mini';
import { FaultError, faultSchema } from '../base/fault.ts';
import { jsonObjectSchema, jsonSchema } from '../base/json.ts';
import { modeSchema } from '../permissions/modes.ts';
import { grantedRuleSchema, ruleSchema, type SavedRule } from '../permissions/types.ts';
import {
  attachmentSchema,
  compactionReasonSchema,
  forkedFromSchema,
  fullOutputSchema,
  modelRefSchema,
  originSchema,
  outcomeSchema,
  parentSchema,
  parseEvent,
  requestRefSchema,
  restoreKindSchema,
  spentSchema,
  taskStateSchema,
  turnStatusSchema,
  type Event,
} from '../session/log/events.ts';
import { effortSchema } from '../session/log/effort.ts';
import { finishReasonSchema, usageSchema } from '../session/log/parts.ts';
import type { Message, Part, Task } from '../session/log/state.ts';
import type { MessageRecord, StoredOutput } from '../session/log/store.ts';
import type { WorkspaceRecord } from '../workspace/registry.ts';
import { storageFault } from './faults.ts';
import type { EventBatch, SessionRow } from './schema.ts';

const optional = z.exactOptional;

const messageSchema: z.ZodMiniType<Message> = z.object({
  id: z.string(),
  sessionID: z.string(),
  seq: z.int(),
  role: z.enum(['user', 'assistant']),
  parentID: z.nullable(z.string()),
  agent: z.string(),
  model: optional(modelRefSchema),
  created: z.number(),
  ended: optional(z.number()),
  partKeys: z.array(z.string()),
  origin: optional(originSchema),
  files: optional(z.object({ before: z.string(), after: optional(z.string()) })),
  step: optional(z.int()),
  request: optional(requestRefSchema),
  bodyHash: optional(z.string()),
  finish: optional(finishReasonSchema),
  usage: optional(usageSchema),
  cost: optional(z.number()),
  fault: optional(faultSchema),
  purpose: optional(z.literal('compaction')),
  compaction: optional(
    z.object({
      tail: z.nullable(z.string()),
      reason: compactionReasonSchema,
      before: z.number(),
      after: z.number(),
    }),
  ),
});

const partBase = {
  key: z.string(),
  messageID: z.string(),
  created: z.number(),
  ended: optional(z.number()),
  providerMetadata: optional(jsonObjectSchema),
};

const partSchema: z.ZodMiniType<Part> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), ...partBase, text: z.string() }),
  z.object({ type: z.literal('reasoning'), ...partBase, text: z.string() }),
  z.object({ type: z.literal('file'), ...partBase, file: attachmentSchema }),
  z.object({
    type: z.literal('tool'),
    ...partBase,
    callID: z.string(),
    parent: optional(z.string()),
    tool: z.string(),
    status: z.enum(['pending', 'running', 'completed', 'error']),
    raw: z.string(),
    input: optional(jsonSchema),
    invalid: optional(z.object({ reason: z.string(), message: z.string() })),
    waiting: optional(z.string()),
    title: optional(z.string()),
    metadata: jsonObjectSchema,
    live: z.string(),
    started: optional(z.number()),
    held: optional(z.number()),
    outcome: optional(outcomeSchema),
    output: optional(z.string()),
    attachments: optional(z.array(attachmentSchema)),
    fullOutput: optional(fullOutputSchema),
    fullOutputDropped: optional(z.boolean()),
  }),
]);

export const messageRecordSchema: z.ZodMiniType<MessageRecord> = z.object({
  sessionID: z.string(),
  seq: z.int(),
  message: messageSchema,
  parts: z.array(partSchema),
});

const taskSchema: z.ZodMiniType<Task> = z.object({
  childID: z.string(),
  messageID: z.string(),
  callID: z.string(),
  agent: z.string(),
  title: z.string(),
  background: z.boolean(),
  state: z.enum(['running', ...taskStateSchema.options]),
  spent: optional(spentSchema),
});

const momentSchema = z.object({ head: z.nullable(z.string()), files: optional(z.string()) });

export const sessionRowSchema: z.ZodMiniType<SessionRow> = z.object({
  id: z.string(),
  state: z.object({
    sessionID: z.string(),
    workspaceID: z.string(),
    title: z.string(),
    keep: z.boolean(),
    parent: optional(parentSchema),
    forkedFrom: optional(forkedFromSchema),
    agent: optional(z.nullable(z.string())),
    created: z.number(),
    updated: z.number(),
    nextSeq: z.int(),
    head: z.nullable(z.string()),
    todos: z._default(
      z.array(
        z.object({
          id: z.string(),
          content: z.string(),
          status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
          priority: z.enum(['high', 'medium', 'low']),
        }),
      ),
      [],
    ),
    granted: z.array(grantedRuleSchema),
    mode: optional(modeSchema),
    effort: optional(effortSchema),
    limits: optional(z.array(ruleSchema)),
    tasks: optional(z.array(taskSchema)),
    startSnapshot: z.nullable(z.string()),
    snapshots: optional(
      z.object({
        newest: z.string(),
        turn: z.string(),
        left: optional(z.string()),
        missed: optional(z.literal(true)),
      }),
    ),
    branched: optional(z.literal(true)),
    restoring: optional(
      z.object({
        kind: restoreKindSchema,
        from: momentSchema,
        to: z.object({ head: optional(z.nullable(z.string())), files: optional(z.string()) }),
      }),
    ),
    undone: optional(z.array(momentSchema)),
    leaves: optional(z.record(z.string(), z.string())),
    turn: z.nullable(z.object({ promptID: z.string(), started: z.number() })),
    retry: optional(z.object({ messageID: z.string(), attempt: z.int(), at: z.number() })),
    lastTurn: z.nullable(z.object({ status: turnStatusSchema, fault: optional(faultSchema) })),
    usage: usageSchema,
    cost: optional(z.number()),
    unpriced: optional(z.boolean()),
    prunedBefore: optional(z.int()),
    prunedTokens: optional(z.number()),
    retold: optional(z.array(z.object({ messageID: z.string(), model: modelRefSchema, told: z.string() }))),
    retoldSystems: optional(
      z.array(z.object({ agent: z.string(), messageID: z.string(), told: z.string() })),
    ),
  }),
  foldedTo: z.int(),
  deleted: z.nullable(z.number()),
  marks: optional(
    z.object({
      pinned: optional(z.boolean()),
      archived: optional(z.boolean()),
      unseen: optional(z.boolean()),
    }),
  ),
  nextSeq: z.int(),
});

const batchSchema = z.object({ sessionID: z.string(), firstSeq: z.int(), events: z.array(z.unknown()) });

export const savedRuleSchema: z.ZodMiniType<SavedRule> = z.extend(ruleSchema, {
  id: z.string(),
  workspaceID: z.string(),
  time: z.number(),
});

export const workspaceSchema: z.ZodMiniType<WorkspaceRecord> = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['embedded', 'webcontainer']),
  created: z.number(),
  updated: z.number(),
  deleted: z.nullable(z.number()),
  touched: z.boolean(),
});

export const storedOutputSchema: z.ZodMiniType<StoredOutput> = z.object({
  sessionID: z.string(),
  messageID: z.string(),
  callID: z.string(),
  blob: z.string(),
  time: z.number(),
});

/**
 * Returns a stored record unchanged if it has the right shape; fields that this version does not know stay on it.
 * Else throws the fault `record-damaged`, which names store, key and field.
 */
export function checked<T>(schema: z.ZodMiniType<T>, value: unknown, store: string, key: IDBValidKey): T {
  try {
    assertShape(schema, value);
    return value;
  } catch (error) {
    throw damaged(error, store, key);
  }
}

/** Returns the events of one batch. The fault `record-damaged` names the batch, the event and the field. */
export function checkedEvents(batch: EventBatch): readonly Event[] {
  const key: IDBValidKey = [batch.sessionID, batch.firstSeq];
  const { events } = checked(batchSchema, batch, 'events', key);
  return events.map((value, index) => {
    const seq = batch.firstSeq + index;
    try {
      const event = parseEvent(value);
      if (event.seq !== seq || event.sessionID !== batch.sessionID)
        throw new Error(`says that it is ${event.sessionID} ${event.seq}`);
      return event;
    } catch (error) {
      throw damaged(error, 'events', key, `events[${index}]`);
    }
  });
}

function assertShape<T>(schema: z.ZodMiniType<T>, value: unknown): asserts value is T {
  schema.parse(value);
}

function damaged(error: unknown, store: string, key: IDBValidKey, prefix = ''): FaultError {
  const where = `${store} ${JSON.stringify(key)}`;
  if (!(error instanceof z.core.$ZodError))
    return new FaultError(
      storageFault(
        'record-damaged',
        `A stored record is damaged: ${String(error)}`,
        [where, prefix].join(' ').trim(),
      ),
    );
  const issue = error.issues[0];
  const field = [prefix, ...(issue?.path ?? []).map(String)].filter(Boolean).join('.');
  return new FaultError(
    storageFault(
      'record-damaged',
      `A stored record is damaged: ${issue?.message ?? ''}`,
      `${where} ${field}`.trim(),
    ),
    { cause: error },
  );
}
