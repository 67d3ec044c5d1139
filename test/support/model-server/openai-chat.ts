import { pieces, words } from '../../../src/models/script/chunks.ts';
import type { ScriptMessage } from '../../../src/models/script/plan.ts';
import { callID, event, field, list, textOf, tokens, type Frame, type Wire } from './wire.ts';

/** `POST /v1/chat/completions`, streamed: what Ollama, LM Studio, vLLM and OpenRouter speak. */
export const openAIChat: Wire = {
  path: /\/v1\/chat\/completions$/,

  spoken: (body) =>
    list(field(body, 'messages')).flatMap((message): ScriptMessage[] => {
      if (message.role === 'assistant') return [{ by: 'model' }];
      return message.role === 'user' ? [{ by: 'user', text: textOf(message.content) }] : [];
    }),

  frames(step, at, model) {
    const chunk = (of: Frame['of'], delta: object, finish: string | null = null): Frame => ({
      of,
      text: event({
        id: `chatcmpl-${at.turn + 1}-${at.step + 1}`,
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      }),
    });
    const usage = { prompt_tokens: 100, completion_tokens: tokens(step), total_tokens: 100 + tokens(step) };
    const calls = step.tools ?? [];
    return [
      chunk('start', { role: 'assistant', content: '' }),
      ...words(step.reasoning ?? '').map((text) => chunk('reasoning', { reasoning_content: text })),
      ...words(step.text ?? '').map((text) => chunk('text', { content: text })),
      ...calls.flatMap(({ tool, input }, index) => [
        chunk('call', {
          tool_calls: [
            { index, id: callID(at, index), type: 'function', function: { name: tool, arguments: '' } },
          ],
        }),
        ...pieces(JSON.stringify(input)).map((text) =>
          chunk('arguments', { tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ]),
      chunk('end', {}, calls.length > 0 ? 'tool_calls' : 'stop'),
      { of: 'end', text: event({ id: 'usage', object: 'chat.completion.chunk', model, choices: [], usage }) },
      { of: 'end', text: 'data: [DONE]\n\n' },
    ];
  },

  error: (status, message) => ({ error: { message, type: 'server_error', code: String(status) } }),
  errorFrame: (message) => event({ error: { message, type: 'server_error', code: 'overloaded' } }),
};
