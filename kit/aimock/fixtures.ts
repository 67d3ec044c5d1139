import * as z from 'zod/mini';
import '../../src/base/zod-config.ts';

const argumentsSchema = z.union([z.string(), z.record(z.string(), z.json())]);
const callSchema = z.strictObject({
  name: z.string(),
  arguments: argumentsSchema,
  id: z.optional(z.string()),
});

const matchSchema = z.strictObject({
  userMessage: z.optional(z.string()),
  systemMessage: z.optional(z.union([z.string(), z.array(z.string())])),
  toolName: z.optional(z.string()),
  toolCallId: z.optional(z.string()),
  toolResultContains: z.optional(z.string()),
  model: z.optional(z.string()),
  sequenceIndex: z.optional(z.int()),
  turnIndex: z.optional(z.int()),
  hasToolResult: z.optional(z.boolean()),
  endpoint: z.optional(z.string()),
});

const blockSchema = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('toolCall'), ...callSchema.shape }),
]);

const responseSchema = z.union([
  z.strictObject({
    error: z.object({ message: z.string(), type: z.optional(z.string()), code: z.optional(z.string()) }),
    status: z._default(z.int().check(z.minimum(400), z.maximum(599)), 500),
  }),
  z.strictObject({
    /** An object is the text of its JSON. */
    content: z.optional(z.union([z.string(), z.record(z.string(), z.json())])),
    reasoning: z.optional(z.string()),
    toolCalls: z.optional(z.array(callSchema)),
    blocks: z.optional(z.array(blockSchema)),
    /** These members describe the answer that was recorded, and are ignored. */
    id: z.optional(z.unknown()),
    created: z.optional(z.unknown()),
    model: z.optional(z.unknown()),
    role: z.optional(z.unknown()),
    systemFingerprint: z.optional(z.unknown()),
  }),
]);

const fixtureSchema = z.strictObject({
  match: matchSchema,
  response: responseSchema,
  /** Answers arrive at once. */
  latency: z.optional(z.unknown()),
  chunkSize: z.optional(z.unknown()),
  streamingProfile: z.optional(z.unknown()),
});

const fileSchema = z.object({ fixtures: z.array(z.unknown()) });
const endpointSchema = z.object({ match: z.object({ endpoint: z.string() }) });

export type AimockFixture = z.infer<typeof fixtureSchema>;
export type AimockResponse = AimockFixture['response'];

/**
 * Reads a fixture file of aimock (https://github.com/CopilotKit/aimock). Fixtures of other endpoints than `chat` are left
 * out. Throws an error that names the file, and each member that is not supported: a fixture that is read in part would
 * answer what it should not.
 */
export function readAimock(text: string, file: string): readonly AimockFixture[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${file} is no fixture file of aimock: it has no list "fixtures".`);
  return parsed.data.fixtures.filter(isForChat).map((fixture, at) => {
    const read = fixtureSchema.safeParse(fixture);
    if (read.success) return read.data;
    throw new Error(`Fixture ${at + 1} of ${file} cannot be used here:\n${z.prettifyError(read.error)}`);
  });
}

function isForChat(fixture: unknown): boolean {
  const named = endpointSchema.safeParse(fixture);
  return !named.success || named.data.match.endpoint === 'chat';
}
