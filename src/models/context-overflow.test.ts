import { expect, test } from 'vitest';
import { browserNetwork } from './browser-network.ts';
import { isContextOverflow } from './context-overflow.ts';
import { createModels } from './models.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** Answers from documentation and from bug reports. */
const BODIES: readonly [RemoteProvider, string, number, unknown][] = [
  // https://platform.openai.com/docs/guides/error-codes
  [
    'openai',
    'OpenAI, Responses',
    400,
    {
      error: {
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  ],
  // https://platform.openai.com/docs/guides/error-codes#api-errors
  [
    'openai-compatible',
    'OpenAI, Chat Completions; vLLM; DeepSeek',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  ],
  // https://platform.claude.com/docs/en/api/errors and https://platform.claude.com/docs/en/build-with-claude/context-windows
  [
    'anthropic',
    'Anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
    },
  ],
  [
    'anthropic',
    'Anthropic, with the answer',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
  ],
  [
    'anthropic',
    'Anthropic, by bytes',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
  ],
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  [
    'google',
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  // https://openrouter.ai/docs/features/message-transforms
  [
    'openrouter',
    'OpenRouter',
    400,
    {
      error: {
        message:
          'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens (139000 of text input, 1000 of tool input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
        code: 400,
      },
    },
  ],
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  [
    'openai-compatible',
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      },
    },
  ],
  [
    'openai-compatible',
    'llama.cpp, while it answers',
    500,
    { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
  ],
  // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues
  [
    'openai-compatible',
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  ],
  // https://docs.mistral.ai/api/
  [
    'openai-compatible',
    'Mistral',
    400,
    {
      error: {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
    },
  ],
  // https://docs.x.ai/docs/key-information/debugging
  [
    'openai-compatible',
    'xAI',
    400,
    {
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  // https://console.groq.com/docs/errors
  [
    'openai-compatible',
    'Groq',
    400,
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
  ],
];

test.each(BODIES)('%s: %s, as an answer with status %i', async (provider, _, status, body) => {
  const models = createModels({
    baseURL: () => (provider === 'openai-compatible' ? 'http://localhost:8000/v1' : undefined),
    script: () => undefined,
    keys: { get: () => 'key', redact: (text) => text },
    network: browserNetwork(),
    fetch: async () =>
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
  });
  const model = await models.model({ provider, model: 'm' });
  const codes: string[] = [];
  for await (const part of model.stream({
    system: '',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
  }))
    if (part.type === 'error') codes.push(part.fault.code);
  expect(codes).toEqual(['context-overflow']);
});

test.each([
  // https://console.groq.com/docs/rate-limits
  [400, 'Limit 6000, Requested 8000 tokens per minute (TPM): too many tokens'],
  // https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
  [400, 'Too many tokens, please wait before trying again.'],
  [400, 'max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens'],
  [429, 'Too many tokens'],
  [500, 'Internal server error'],
  [401, 'context_length_exceeded'],
])('%i %j is something else', (status, said) => {
  expect(isContextOverflow(status, said)).toBe(false);
});
