import { expect, test } from 'vitest';
import { eventSourceOver } from './events.ts';

type Heard = Pick<MessageEvent<string>, 'type' | 'data' | 'lastEventId'>;

/** An `EventSource` to a server that sends these pieces and then nothing more, and what is heard of the events `types`. */
function listening(pieces: readonly string[], types: readonly string[] = ['message']) {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => pieces.forEach((piece) => controller.enqueue(new TextEncoder().encode(piece))),
  });
  const Source = eventSourceOver({
    request: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
    resolve: String,
  });
  const source = new Source('http://localhost:3000/events');
  const heard: Heard[] = [];
  for (const type of types)
    source.addEventListener(type, (event) => {
      const { data, lastEventId } = event as MessageEvent<string>;
      heard.push({ type, data, lastEventId });
    });
  return { source, heard };
}

test('events have their type, their lines and the last id', async () => {
  const { source, heard } = listening(
    ['id: 7\nda', 'ta: one\ndata:two\n\n: a comment\nevent: tick\ndata\n\n', 'data: \u2028three\nid\n\n'],
    ['message', 'tick'],
  );
  await expect
    .poll(() => heard)
    .toEqual([
      { type: 'message', data: 'one\ntwo', lastEventId: '7' },
      { type: 'tick', data: '', lastEventId: '7' },
      { type: 'message', data: '\u2028three', lastEventId: '' },
    ]);
  source.close();
});

test('lines end in any way, also where a piece ends between the characters', async () => {
  const { source, heard } = listening([
    'data: one\r\n\r',
    '\ndata: two\n\r\ndata: three\r\rdata: four\r',
    '\n\r\n',
  ]);
  await expect.poll(() => heard.map(({ data }) => data)).toEqual(['one', 'two', 'three', 'four']);
  source.close();
});

test('nothing comes after it was closed', async () => {
  const { source, heard } = listening(['data: one\n\ndata: two\n\n', 'data: three\n\n']);
  source.onmessage = () => source.close();
  const ended = new Promise((resolve) => source.addEventListener('message', resolve));
  await ended;
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard.map(({ data }) => data)).toEqual(['one']);
});
