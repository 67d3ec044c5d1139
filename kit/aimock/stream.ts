import type { AimockAnswer } from './fixtures.ts';

type Call = NonNullable<AimockAnswer['toolCalls']>[number];

/** An answer as the stream of OpenAI's chat protocol. Calls without an id get one that is the same in each run. */
export function chatStream(response: AimockAnswer, request: number): string {
  const { content, reasoning, toolCalls = [], blocks, usage } = response;
  let calls = 0;
  const callDelta = ({ id, name, arguments: given }: Call) => {
    const index = calls++;
    const called = { name, arguments: textOf(given) };
    return {
      tool_calls: [{ index, id: id ?? `call_${request}_${index}`, type: 'function', function: called }],
    };
  };
  const deltas: object[] = blocks
    ? blocks.map((block) => (block.type === 'text' ? { content: block.text } : callDelta(block)))
    : [...(content === undefined ? [] : [{ content: textOf(content) }]), ...toolCalls.map(callDelta)];
  if (reasoning !== undefined) deltas.unshift({ reasoning_content: reasoning });
  const reason = response.finishReason ?? (calls > 0 ? 'tool_calls' : 'stop');
  const choices = [
    ...[{ role: 'assistant' }, ...deltas].map((delta) => ({ index: 0, delta })),
    { index: 0, delta: {}, finish_reason: reason },
  ];
  const events = [
    ...choices.map((choice) => ({ choices: [choice] })),
    ...(usage ? [{ choices: [], usage: withTotal(usage) }] : []),
  ];
  return [
    ...events.map((event) => JSON.stringify({ id: 'aimock', object: 'chat.completion.chunk', ...event })),
    '[DONE]',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function withTotal(usage: NonNullable<AimockAnswer['usage']>): object {
  const { prompt_tokens = 0, completion_tokens = 0 } = usage;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...usage };
}

const textOf = (value: Call['arguments']) => (typeof value === 'string' ? value : JSON.stringify(value));
