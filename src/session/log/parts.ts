import * as z from 'zod/mini';
import { faultSchema } from '../../base/fault.ts';
import { jsonObjectSchema, jsonSchema } from '../../base/json.ts';

/**
 * Normalised parts of a model's stream: the only delta events of a session. Everything that a message shows
 * (text, reasoning, arguments as they are typed) is folded from these, and a recording plays them back. They
 * are JSON-safe; ids are unique within one step. A call's id is unique within its message: the boundary to
 * the model renames repeats.
 */
export const usageSchema = z.object({
  inputTokens: z.optional(z.number()),
  outputTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
});
export type Usage = z.infer<typeof usageSchema>;

export const finishReasonSchema = z.enum([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'error',
  'other',
]);
export type FinishReason = z.infer<typeof finishReasonSchema>;

const withMetadata = { providerMetadata: z.optional(jsonObjectSchema) };

export const streamPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), warnings: z.array(jsonSchema) }),
  z.object({ type: z.literal('response'), id: z.optional(z.string()), modelID: z.optional(z.string()) }),
  z.object({ type: z.literal('text-start'), id: z.string(), ...withMetadata }),
  z.object({ type: z.literal('text-delta'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('text-end'), id: z.string(), ...withMetadata }),
  z.object({ type: z.literal('reasoning-start'), id: z.string(), ...withMetadata }),
  z.object({ type: z.literal('reasoning-delta'), id: z.string(), text: z.string(), ...withMetadata }),
  z.object({ type: z.literal('reasoning-end'), id: z.string(), ...withMetadata }),
  z.object({ type: z.literal('tool-input-start'), callID: z.string(), tool: z.string() }),
  z.object({ type: z.literal('tool-input-delta'), callID: z.string(), delta: z.string() }),
  z.object({ type: z.literal('tool-input-end'), callID: z.string() }),
  z.object({
    type: z.literal('tool-call'),
    callID: z.string(),
    tool: z.string(),
    input: jsonSchema,
    /** The reason why the call cannot run as it stands. It still gets a result, with our own text. */
    invalid: z.optional(
      z.object({
        reason: z.enum(['unknown-tool', 'bad-json', 'bad-input', 'too-deep']),
        message: z.string(),
      }),
    ),
    ...withMetadata,
  }),
  z.object({ type: z.literal('file'), mediaType: z.string(), blob: z.string() }),
  z.object({ type: z.literal('error'), fault: faultSchema }),
  z.object({
    type: z.literal('finish'),
    reason: finishReasonSchema,
    rawReason: z.optional(z.string()),
    usage: usageSchema,
    ...withMetadata,
  }),
  /** Any other part that the SDK streams, kept for the inspector. */
  z.object({ type: z.literal('other'), name: z.string(), value: jsonSchema }),
]);
export type StreamPart = z.infer<typeof streamPartSchema>;
