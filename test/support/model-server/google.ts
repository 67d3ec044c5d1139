import { words } from '../../../src/models/script/chunks.ts';
import type { ScriptMessage } from '../../../src/models/script/plan.ts';
import { event, field, list, textOf, tokens, type Frame, type Wire } from './wire.ts';

/** `POST /v1beta/models/ID:streamGenerateContent?alt=sse`: what Google speaks. Calls come whole. */
export const google: Wire = {
  path: /\/models\/[^/]+:streamGenerateContent$/,

  spoken: (body) =>
    list(field(body, 'contents')).flatMap((content): ScriptMessage[] => {
      if (content.role === 'model') return [{ by: 'model' }];
      if (list(content.parts).some((part) => 'functionResponse' in part)) return [];
      return [{ by: 'user', text: textOf(content.parts) }];
    }),

  frames(step, _at, model) {
    const chunk = (of: Frame['of'], parts: readonly object[], rest: object = {}): Frame => ({
      of,
      text: event({
        candidates: [{ index: 0, content: { role: 'model', parts }, ...rest }],
        modelVersion: model,
        responseId: 'response',
      }),
    });
    const output = tokens(step);
    const usageMetadata = {
      promptTokenCount: 100,
      candidatesTokenCount: output,
      totalTokenCount: 100 + output,
    };
    return [
      ...words(step.reasoning ?? '').map((text) => chunk('reasoning', [{ text, thought: true }])),
      ...words(step.text ?? '').map((text) => chunk('text', [{ text }])),
      ...(step.tools ?? []).map(({ tool, input }) =>
        chunk('arguments', [{ functionCall: { name: tool, args: input }, thoughtSignature: 'c2lnbmVk' }]),
      ),
      {
        of: 'end',
        text: event({
          candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
          usageMetadata,
          modelVersion: model,
          responseId: 'response',
        }),
      },
    ];
  },

  error: (status, message) => ({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } }),
  errorFrame: (message) => event({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
};

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
