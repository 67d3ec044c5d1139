import * as z from 'zod/mini';
import { messageOf } from '../../src/base/message-of.ts';
import '../../src/base/zod-config.ts';
import { record, text } from '../facts/members.ts';

/** A text. An object or a list stands for the text of its JSON. */
const jsonText = z.union([z.string(), z.record(z.string(), z.json()), z.array(z.json())]);
const callSchema = z.strictObject({ name: z.string(), arguments: jsonText, id: z.optional(z.string()) });

const matchSchema = z.strictObject({
  userMessage: z.optional(z.string()),
  systemMessage: z.optional(z.union([z.string(), z.array(z.string())])),
  toolName: z.optional(z.string()),
  toolCallId: z.optional(z.string()),
  toolResultContains: z.optional(z.string()),
  model: z.optional(z.string()),
  responseFormat: z.optional(z.string()),
  context: z.optional(z.string()),
  sequenceIndex: z.optional(z.int()),
  turnIndex: z.optional(z.int()),
  hasToolResult: z.optional(z.boolean()),
  endpoint: z.optional(z.string()),
});

const blockSchema = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('toolCall'), ...callSchema.shape }),
]);

const usageSchema = z.looseObject({
  prompt_tokens: z.optional(z.number()),
  completion_tokens: z.optional(z.number()),
});

const errorSchema = z.strictObject({
  error: z.looseObject({
    message: z.string(),
    type: z.optional(z.string()),
    code: z.optional(z.union([z.string(), z.number()])),
  }),
  status: z._default(z.int().check(z.minimum(400), z.maximum(599)), 500),
  retryAfter: z.optional(z.number()),
  /** This is about other models of OpenRouter, which are not asked here. */
  fallthrough: z.optional(z.unknown()),
});

const answerSchema = z.strictObject({
  content: z.optional(jsonText),
  reasoning: z.optional(z.string()),
  toolCalls: z.optional(z.array(callSchema)),
  blocks: z.optional(z.array(blockSchema)),
  finishReason: z.optional(z.string()),
  usage: z.optional(usageSchema),
  /** These members describe the answer that was recorded, or belong to other protocols, and are ignored. */
  ...Object.fromEntries(
    [
      ...['id', 'created', 'model', 'role', 'systemFingerprint', 'provider', 'nativeFinishReason'],
      ...['reasoningSignature', 'redactedThinking', 'webSearches'],
    ].map((name) => [name, z.optional(z.unknown())]),
  ),
});

const fixtureSchema = z.strictObject({
  match: matchSchema,
  response: z.union([errorSchema, answerSchema]),
  /** These members describe how fast an answer comes, or where it is from. Here it comes at once. */
  ...Object.fromEntries(
    ['latency', 'chunkSize', 'streamingProfile', 'recordedTimings', 'replaySpeed', 'metadata'].map((name) => [
      name,
      z.optional(z.unknown()),
    ]),
  ),
});

const fileSchema = z.object({ fixtures: z.array(z.unknown()) });

export type AimockMatch = z.infer<typeof matchSchema>;
export type AimockError = z.infer<typeof errorSchema>;
export type AimockAnswer = Pick<
  z.infer<typeof answerSchema>,
  'content' | 'reasoning' | 'toolCalls' | 'blocks' | 'finishReason' | 'usage'
>;
export interface AimockFixture {
  readonly match: AimockMatch;
  readonly response: AimockError | AimockAnswer;
}

/** The advice for members that mean something here, but cannot be played. */
const ADVICE: Readonly<Record<string, string>> = {
  predicate: 'it is code, which no file holds; match by texts, or write the test with model.script()',
  chaos: 'it fails at random; remove it, or use "chance" with a "seed" in model.script()',
  truncateAfterChunks: 'use a step with "cut" in model.script()',
  disconnectAfterMs: 'use a step with "cut" in model.script()',
};

/**
 * Reads a fixture file of aimock (https://github.com/CopilotKit/aimock). Fixtures for other requests than those for chat
 * are left out, as are comments (members that begin with `_`). Throws an error that names the file, the fixture and each member
 * that is not understood: a fixture that is read in part would answer what it should not.
 */
export function readAimock(json: string, file: string): readonly AimockFixture[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${messageOf(error)}`);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${file} is no fixture file of aimock: it has no list "fixtures".`);
  return parsed.data.fixtures.flatMap((fixture, at) =>
    isForChat(fixture) ? [readFixture(withoutComments(fixture), `Fixture ${at + 1} of ${file}`)] : [],
  );
}

/** Members of answers to other requests than those for chat. */
const OTHER_ANSWERS = ['embedding', 'image', 'images', 'audio', 'transcription', 'video', 'json'];

function isForChat(fixture: unknown): boolean {
  const { match, response } = record(fixture);
  const { endpoint, inputText } = record(match);
  if (endpoint !== undefined) return text(endpoint) === 'chat';
  return inputText === undefined && !OTHER_ANSWERS.some((name) => name in record(response));
}

function withoutComments(fixture: unknown): unknown {
  const strip = (value: unknown) =>
    Object.fromEntries(Object.entries(record(value)).filter(([name]) => !name.startsWith('_')));
  const { match, response, ...rest } = record(fixture);
  return { ...strip(rest), match: strip(match), response: strip(response) };
}

function readFixture(fixture: unknown, name: string): AimockFixture {
  const { response } = record(fixture);
  // One schema is chosen here, because a union would not say which member is wrong.
  const answers = 'error' in record(response) ? errorSchema : answerSchema;
  const read = z.extend(fixtureSchema, { response: answers }).safeParse(fixture);
  if (read.success) return read.data;
  const advice = Object.entries(ADVICE)
    .filter(([member]) => z.prettifyError(read.error).includes(`"${member}"`))
    .map(([member, what]) => `"${member}": ${what}.`);
  const next = advice.length > 0 ? advice : ['Remove what is named, or write the test with model.script().'];
  throw new Error([`${name} cannot be used here:`, z.prettifyError(read.error), ...next].join('\n'));
}
