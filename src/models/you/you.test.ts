import { expect, test } from 'vitest';
import type { ModelRequest } from '../../session/model.ts';
import type { StreamPart } from '../../session/parts.ts';
import { YouDesk } from './desk.ts';
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

const asked = (desk: YouDesk) => new Promise<void>((resolve) => desk.onChange(resolve));

test('the person sees what a model sees, and the answer comes as a model’s', async () => {
  const desk = new YouDesk();
  const waits = asked(desk);
  const parts = collect(youModel(REF, desk).stream(request()));
  await waits;
  const [seen] = desk.waiting();
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
  desk.answer(seen!.id, {
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
  expect(desk.waiting()).toEqual([]);
});

test('text alone ends the turn', async () => {
  const desk = new YouDesk();
  const waits = asked(desk);
  const parts = collect(youModel(REF, desk).stream(request({ tools: [] })));
  await waits;
  desk.answer(desk.waiting()[0]!.id, { text: 'Done.', calls: [] });
  expect((await parts).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
});

test('a stopped turn withdraws the request, and an answer that comes late is ignored', async () => {
  const desk = new YouDesk();
  const stop = new AbortController();
  const waits = asked(desk);
  const parts = collect(youModel(REF, desk).stream(request({ signal: stop.signal })));
  await waits;
  const { id } = desk.waiting()[0]!;
  stop.abort();
  expect((await parts).filter(({ type }) => type === 'finish' || type === 'error')).toEqual([]);
  expect(desk.waiting()).toEqual([]);
  desk.answer(id, { text: 'Late.', calls: [] });
});

test('requests of several sessions wait side by side', async () => {
  const desk = new YouDesk();
  const model = youModel(REF, desk);
  const first = collect(model.stream(request({ cacheKey: 'a' })));
  const second = collect(model.stream(request({ cacheKey: 'b' })));
  while (desk.waiting().length < 2) await asked(desk);
  const b = desk.waiting().find(({ sessionID }) => sessionID === 'b')!;
  desk.answer(b.id, { text: 'B', calls: [] });
  expect((await second).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  expect(desk.waiting().map(({ sessionID }) => sessionID)).toEqual(['a']);
  desk.answer(desk.waiting()[0]!.id, { text: 'A', calls: [] });
  await first;
});
