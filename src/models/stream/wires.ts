import { isObject } from '../../base/json.ts';
import type { Protocol } from '../providers/ids.ts';
import {
  unchanged,
  byField,
  flag,
  list,
  required,
  number,
  object,
  oneOf,
  withDefault,
  nullAsAbsent,
  text,
  unused,
  type Repair,
} from './repair.ts';

/** Gemini's signatures, as they come over this protocol. */
const GOOGLE_EXTRA = object({ google: object({ thought_signature: text }) });

/**
 * The event fields of each protocol that the SDK reads besides the answer's content: it rejects the whole answer over one
 * of them that has an unexpected form. Other fields stay as they are, so that a broken piece of the content itself still
 * fails the answer.
 */
export const EVENTS: Record<Protocol, Repair> = {
  anthropic: anthropic(),
  openai: responses(),
  google: google(),
  'openai-compatible': chat(),
};

/** https://platform.claude.com/docs/en/build-with-claude/streaming tells clients to expect new kinds of events. */
function anthropic(): Repair {
  const usage = {
    service_tier: text,
    output_tokens_details: object({ thinking_tokens: number }),
    cache_creation_input_tokens: number,
    cache_read_input_tokens: number,
    iterations: unused,
  };
  const message = object({
    id: text,
    model: text,
    role: text,
    stop_reason: text,
    service_tier: text,
    usage: withDefault(object({ ...usage, input_tokens: withDefault(number, 0) }), { input_tokens: 0 }),
    content: list(byField('type', { tool_use: unchanged })),
    input_transformations: unused,
    container: unused,
  });
  const block = byField('type', {
    text: object({ text: withDefault(text, '') }),
    thinking: object({ thinking: withDefault(text, '') }),
    redacted_thinking: unchanged,
    // The SDK does not accept `null` for a record.
    tool_use: object({ input: nullAsAbsent(object({})), caller: unused, toolset_name: text }),
  });
  const delta = byField('type', {
    text_delta: unchanged,
    thinking_delta: unchanged,
    signature_delta: unchanged,
    input_json_delta: unchanged,
  });
  const end = object({
    stop_reason: text,
    stop_sequence: text,
    stop_details: unused,
    safeguard_results: unused,
    container: unused,
  });
  return byField('type', {
    message_start: object({ message: required(message) }),
    content_block_start: object({ content_block: required(block) }),
    content_block_delta: object({ delta: required(delta) }),
    content_block_stop: unchanged,
    message_delta: object({
      delta: withDefault(end, {}),
      usage: withDefault(object({ ...usage, input_tokens: number, output_tokens: withDefault(number, 0) }), {
        output_tokens: 0,
      }),
      input_transformations: unused,
      context_management: unused,
    }),
    message_stop: unchanged,
    error: unchanged,
  });
}

/** Nothing is read from events of other kinds than these. */
function responses(): Repair {
  const usage = object({
    input_tokens: withDefault(number, 0),
    output_tokens: withDefault(number, 0),
    total_tokens: nullAsAbsent(number),
    input_tokens_details: object({ cached_tokens: number, cache_write_tokens: number }),
    output_tokens_details: object({ reasoning_tokens: number }),
  });
  const response = object({
    id: text,
    incomplete_details: object({ reason: required(text) }),
    usage,
    service_tier: text,
    reasoning: unused,
    prompt_cache_diagnostics: unused,
  });
  const call = { async: flag, namespace: text, caller: unused };
  const item = (status: Readonly<Record<string, Repair>>) =>
    byField('type', {
      message: object({ phase: oneOf('commentary', 'final_answer') }),
      reasoning: object({ encrypted_content: text }),
      function_call: object({ ...call, ...status }),
    });
  const begun = object({
    response: required(object({ created_at: withDefault(number, 0), service_tier: text })),
  });
  const ended = object({ response: withDefault(response, {}) });
  const known: Readonly<Record<string, Repair>> = {
    'response.created': begun,
    'response.in_progress': begun,
    'response.completed': ended,
    'response.incomplete': ended,
    'response.failed': object({
      response: withDefault(response, {}),
      sequence_number: withDefault(number, 0),
    }),
    'response.output_text.delta': object({ logprobs: unused }),
    'response.output_item.added': object({ item: required(item({})) }),
    'response.output_item.done': object({
      item: required(
        item({ status: withDefault(oneOf('in_progress', 'completed', 'incomplete'), 'completed') }),
      ),
    }),
    'response.output_text.annotation.added': unused,
  };
  const typed = byField('type', known);
  return (value, note) => {
    const type = isObject(value) ? value.type : undefined;
    return typeof type === 'string' && Object.hasOwn(known, type) ? typed(value, note) : value;
  };
}

function chat(): Repair {
  const delta = object({
    role: oneOf('assistant', ''),
    reasoning_content: text,
    reasoning: text,
    tool_calls: list(
      object({ index: number, id: text, function: withDefault(unchanged, {}), extra_content: GOOGLE_EXTRA }),
    ),
  });
  const chunk = object({
    // Some servers always send this field, with `null` where there is no error.
    error: nullAsAbsent(unchanged),
    id: text,
    created: number,
    model: text,
    choices: withDefault(list(object({ delta, finish_reason: text })), []),
    usage: object({
      prompt_tokens: number,
      completion_tokens: number,
      total_tokens: number,
      prompt_tokens_details: object({ cached_tokens: number }),
      completion_tokens_details: object({
        reasoning_tokens: number,
        accepted_prediction_tokens: number,
        rejected_prediction_tokens: number,
      }),
    }),
  });
  return (value, note) => (isObject(value) && isObject(value.error) ? value : chunk(value, note));
}

function google(): Repair {
  const ratings = list(
    object({
      category: text,
      probability: text,
      probabilityScore: number,
      severity: text,
      severityScore: number,
      blocked: flag,
    }),
  );
  return object({
    responseId: text,
    candidates: list(
      object({
        content: object({
          parts: list(
            object({
              thought: flag,
              thoughtSignature: text,
              executableCode: unused,
              codeExecutionResult: unused,
            }),
          ),
        }),
        finishReason: text,
        finishMessage: text,
        continuationToken: text,
        safetyRatings: ratings,
        groundingMetadata: unused,
        urlContextMetadata: unused,
      }),
    ),
    usageMetadata: object({
      cachedContentTokenCount: number,
      thoughtsTokenCount: number,
      promptTokenCount: number,
      candidatesTokenCount: number,
      toolUsePromptTokenCount: number,
      totalTokenCount: number,
      trafficType: text,
      serviceTier: text,
      promptTokensDetails: unused,
      cacheTokensDetails: unused,
      candidatesTokensDetails: unused,
      toolUsePromptTokensDetails: unused,
    }),
    promptFeedback: object({ blockReason: text, safetyRatings: ratings }),
  });
}
