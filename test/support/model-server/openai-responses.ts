import { pieces, words } from '../../../src/models/script/chunks.ts';
import type { ScriptMessage } from '../../../src/models/script/plan.ts';
import { callID, event, field, list, textOf, tokens, type Frame, type Wire } from './wire.ts';

/** `POST /v1/responses`, streamed: what OpenAI itself speaks. */
export const openAIResponses: Wire = {
  path: /\/v1\/responses$/,

  spoken(body) {
    const spoken: ScriptMessage[] = [];
    let modelSpoke = false;
    for (const item of list(field(body, 'input'))) {
      const isModel = item.role === 'assistant' || item.type === 'function_call' || item.type === 'reasoning';
      if (isModel && !modelSpoke) spoken.push({ by: 'model' });
      if (item.role === 'user') spoken.push({ by: 'user', text: textOf(item.content) });
      modelSpoke = isModel;
    }
    return spoken;
  },

  frames(step, at, model) {
    let sequence = 0;
    const frame = (of: Frame['of'], type: string, rest: object): Frame => ({
      of,
      text: event({ type, sequence_number: sequence++, ...rest }, type),
    });
    const id = `${at.turn + 1}_${at.step + 1}`;
    const response = { id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, model };
    const frames: Frame[] = [
      frame('start', 'response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    ];
    let index = 0;
    if (step.reasoning) {
      const item = { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: 'sealed' };
      const at0 = { item_id: item.id, output_index: index, summary_index: 0 };
      frames.push(frame('reasoning', 'response.output_item.added', { output_index: index, item }));
      frames.push(
        frame('reasoning', 'response.reasoning_summary_part.added', {
          ...at0,
          part: { type: 'summary_text', text: '' },
        }),
      );
      for (const delta of words(step.reasoning))
        frames.push(frame('reasoning', 'response.reasoning_summary_text.delta', { ...at0, delta }));
      const summary = [{ type: 'summary_text', text: step.reasoning }];
      frames.push(
        frame('reasoning', 'response.output_item.done', {
          output_index: index++,
          item: { ...item, summary },
        }),
      );
    }
    if (step.text) {
      const item = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        status: 'in_progress',
        content: [],
      };
      const at0 = { item_id: item.id, output_index: index, content_index: 0 };
      frames.push(frame('start', 'response.output_item.added', { output_index: index, item }));
      for (const delta of words(step.text))
        frames.push(frame('text', 'response.output_text.delta', { ...at0, delta, logprobs: [] }));
      const content = [{ type: 'output_text', text: step.text, annotations: [] }];
      frames.push(
        frame('text', 'response.output_item.done', {
          output_index: index++,
          item: { ...item, status: 'completed', content },
        }),
      );
    }
    for (const [n, { tool, input }] of (step.tools ?? []).entries()) {
      const json = JSON.stringify(input);
      const item = {
        id: `fc_${id}_${n}`,
        type: 'function_call',
        call_id: callID(at, n),
        name: tool,
        arguments: '',
        status: 'in_progress',
      };
      frames.push(frame('call', 'response.output_item.added', { output_index: index, item }));
      for (const delta of pieces(json))
        frames.push(
          frame('arguments', 'response.function_call_arguments.delta', {
            item_id: item.id,
            output_index: index,
            delta,
          }),
        );
      frames.push(
        frame('call', 'response.function_call_arguments.done', {
          item_id: item.id,
          output_index: index,
          arguments: json,
        }),
      );
      frames.push(
        frame('call', 'response.output_item.done', {
          output_index: index++,
          item: { ...item, arguments: json, status: 'completed' },
        }),
      );
    }
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 10 },
      output_tokens: tokens(step),
      output_tokens_details: { reasoning_tokens: 0 },
    };
    return [
      ...frames,
      frame('end', 'response.completed', {
        response: { ...response, status: 'completed', output: [], usage },
      }),
    ];
  },

  error: (status, message) => ({
    error: { message, type: 'server_error', code: String(status), param: null },
  }),
  errorFrame: (message) =>
    event(
      {
        type: 'error',
        sequence_number: 0,
        error: { type: 'server_error', code: 'server_error', message, param: null },
      },
      'error',
    ),
};
