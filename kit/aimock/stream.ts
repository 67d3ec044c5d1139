import type { AimockResponse } from './fixtures.ts';

type Answered = Exclude<AimockResponse, { readonly error: unknown }>;
type Call = NonNullable<Answered['toolCalls']>[number];

/** An answer as the stream of OpenAI's chat protocol. Calls without an id get one that is the same in each run. */
export function chatStream(response: Answered, request: number): string {
  const { content, reasoning, toolCalls = [], blocks } = response;
  let calls = 0;
  const callDelta = ({ id, name, arguments: given }: Call) => {
    const index = calls++;
    const called = { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
    return {
      tool_calls: [{ index, id: id ?? `call_${request}_${index}`, type: 'function', function: called }],
    };
  };
  const said = typeof content === 'object' ? JSON.stringify(content) : content;
  const deltas: object[] = blocks
    ? blocks.map((block) => (block.type === 'text' ? { content: block.text } : callDelta(block)))
    : [...(said === undefined ? [] : [{ content: said }]), ...toolCalls.map(callDelta)];
  if (reasoning !== undefined) deltas.unshift({ reasoning_content: reasoning });
  const chunks = [
    ...[{ role: 'assistant' }, ...deltas].map((delta) => ({ index: 0, delta })),
    { index: 0, delta: {}, finish_reason: calls > 0 ? 'tool_calls' : 'stop' },
  ];
  const events = chunks.map((choice) => ({
    id: 'aimock',
    object: 'chat.completion.chunk',
    choices: [choice],
  }));
  return [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}
