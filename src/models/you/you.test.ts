import { expect, test } from 'vitest';
import type { ModelRequest } from '../../session/request/model.ts';
import type { StreamPart } from '../../session/log/parts.ts';
import { YouQueue } from './queue.ts';
import { youModel } from './you.ts';

const REF = { provider: 'you', model: 'you' };
const READ = {
  name: 'read',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
};

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'Be exact.',
    messages: [
      { role: 'user', content: 'What does note.txt say?' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { filePath: 'a' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read',
            output: { type: 'text', value: 'no a' },
          },
        ],
      },
    ],
    tools: [READ],
    settings: {},
    signal: new AbortController().signal,
    cacheKey: 'ses_1',
    onBody: () => expect.fail('nothing is sent'),
    ...more,
  };
}

async function collect(stream: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const asked = (queue: YouQueue) => new Promise<void>((resolve) => queue.onChange(resolve));

test('the person sees what a model sees, and answers as a model does', async () => {
  const queue = new YouQueue();
  const waits = asked(queue);
  const parts = collect(youModel(REF, queue).stream(request()));
  await waits;
  const [seen] = queue.waiting();
  expect(seen).toMatchObject({
    sessionID: 'ses_1',
    tools: [READ],
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be exact.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'What does note.txt say?' }] },
      { role: 'assistant', parts: [{ kind: 'call', tool: 'read', args: '{\n  "filePath": "a"\n}' }] },
      { role: 'tool', parts: [{ kind: 'result', tool: 'read', text: 'no a', failed: false }] },
    ],
  });
  expect(JSON.parse(seen!.raw())).toMatchObject({
    prompt: [{ role: 'system' }, {}, {}, {}],
    tools: [{ name: 'read' }],
  });
  queue.answer(seen!.id, {
    text: 'I look.',
    calls: [
      { tool: 'read', args: '{"filePath":"note.txt"}' },
      { tool: 'read', args: '{"filePath":' },
      { tool: 'fly', args: '{}' },
    ],
  });
  expect((await parts).filter(({ type }) => !type.endsWith('delta'))).toMatchObject([
    { type: 'start' },
    { type: 'response', id: 'you_2', modelID: 'you' },
    { type: 'text-start' },
    { type: 'text-end' },
    { type: 'tool-input-start', callID: 'call_2_1', tool: 'read' },
    { type: 'tool-input-end' },
    { type: 'tool-call', callID: 'call_2_1', tool: 'read', input: { filePath: 'note.txt' } },
    { type: 'tool-input-start', callID: 'call_2_2' },
    { type: 'tool-input-end' },
    { type: 'tool-call', callID: 'call_2_2', invalid: { reason: 'bad-json' } },
    { type: 'tool-input-start', callID: 'call_2_3' },
    { type: 'tool-input-end' },
    { type: 'tool-call', callID: 'call_2_3', tool: 'fly', invalid: { reason: 'unknown-tool' } },
    { type: 'finish', reason: 'tool-calls', usage: {} },
  ]);
  expect(queue.waiting()).toEqual([]);
});

test('text alone ends the turn', async () => {
  const queue = new YouQueue();
  const waits = asked(queue);
  const parts = collect(youModel(REF, queue).stream(request({ tools: [] })));
  await waits;
  queue.answer(queue.waiting()[0]!.id, { text: 'Done.', calls: [] });
  expect((await parts).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
});

test('a stopped turn withdraws the request, and a late answer is ignored', async () => {
  const queue = new YouQueue();
  const stop = new AbortController();
  const waits = asked(queue);
  const parts = collect(youModel(REF, queue).stream(request({ signal: stop.signal })));
  await waits;
  const { id } = queue.waiting()[0]!;
  stop.abort();
  expect((await parts).filter(({ type }) => type === 'finish' || type === 'error')).toEqual([]);
  expect(queue.waiting()).toEqual([]);
  queue.answer(id, { text: 'Late.', calls: [] });
});

test('requests of several sessions wait at the same time', async () => {
  const queue = new YouQueue();
  const model = youModel(REF, queue);
  const first = collect(model.stream(request({ cacheKey: 'a' })));
  const second = collect(model.stream(request({ cacheKey: 'b' })));
  while (queue.waiting().length < 2) await asked(queue);
  const b = queue.waiting().find(({ sessionID }) => sessionID === 'b')!;
  queue.answer(b.id, { text: 'B', calls: [] });
  expect((await second).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  expect(queue.waiting().map(({ sessionID }) => sessionID)).toEqual(['a']);
  queue.answer(queue.waiting()[0]!.id, { text: 'A', calls: [] });
  await first;
});
