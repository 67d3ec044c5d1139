import { pieces, words } from '../../../src/models/script/chunks.ts';
import type { ScriptMessage } from '../../../src/models/script/plan.ts';
import { callID, event, field, list, tokens, type Frame, type Wire } from './wire.ts';

/** `POST /v1/messages`, streamed: what Anthropic speaks. */
export const anthropic: Wire = {
  path: /\/v1\/messages$/,

  // Prompts and results that follow each other come as one message; each text in it is a prompt.
  spoken: (body) =>
    list(field(body, 'messages')).flatMap((message): ScriptMessage[] => {
      if (message.role === 'assistant') return [{ by: 'model' }];
      if (typeof message.content === 'string') return [{ by: 'user', text: message.content }];
      return list(message.content).flatMap((block): ScriptMessage[] =>
        block.type === 'text' && typeof block.text === 'string' ? [{ by: 'user', text: block.text }] : [],
      );
    }),

  frames(step, at, model) {
    const frame = (of: Frame['of'], type: string, rest: object): Frame => ({
      of,
      text: event({ type, ...rest }, type),
    });
    const usage = {
      input_tokens: 100,
      output_tokens: 1,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 5,
    };
    const message = {
      id: `msg_${at.turn + 1}_${at.step + 1}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const frames: Frame[] = [frame('start', 'message_start', { message }), frame('start', 'ping', {})];
    let index = 0;
    const block = (of: Frame['of'], content_block: object, deltas: readonly object[]) => {
      frames.push(
        frame(of === 'arguments' ? 'call' : 'start', 'content_block_start', { index, content_block }),
      );
      for (const delta of deltas) frames.push(frame(of, 'content_block_delta', { index, delta }));
      frames.push(frame(of === 'arguments' ? 'call' : of, 'content_block_stop', { index: index++ }));
    };
    if (step.reasoning)
      block('reasoning', { type: 'thinking', thinking: '', signature: '' }, [
        ...words(step.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: 'signed' },
      ]);
    if (step.text)
      block(
        'text',
        { type: 'text', text: '' },
        words(step.text).map((text) => ({ type: 'text_delta', text })),
      );
    for (const [n, { tool, input }] of (step.tools ?? []).entries())
      block(
        'arguments',
        { type: 'tool_use', id: callID(at, n), name: tool, input: {} },
        pieces(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      );
    const stop_reason = step.tools?.length ? 'tool_use' : 'end_turn';
    return [
      ...frames,
      frame('end', 'message_delta', {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: tokens(step) },
      }),
      frame('end', 'message_stop', {}),
    ];
  },

  error: (status, message) => ({ type: 'error', error: { type: TYPES[status] ?? 'api_error', message } }),
  errorFrame: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }, 'error'),
};

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
