import { expect, test } from 'vitest';
import { CONNECTION_WINDOW, type ConnectionMessage } from '../../protocol/connection.ts';
import { Connection } from '../../../guest/shared/connection.ts';
import { connectionOver } from './connection.ts';

/** Both ends of a connection through the kernel's own code: the app's as streams, the server's by messages. */
async function connected() {
  const { port1, port2 } = new MessageChannel();
  const heard: ConnectionMessage[] = [];
  let wake = () => {};
  const connection = new Connection([
    (message) => port2.postMessage(message),
    (message) => (heard.push(message), wake()),
  ]);
  port2.onmessage = ({ data }: MessageEvent<ConnectionMessage>) => connection.say(0, data);
  port2.postMessage({ kind: 'open', port: 40_000 });
  const end = await connectionOver(port1);
  if (!end) throw new Error('not open');
  return {
    end,
    heard,
    say: (message: ConnectionMessage) => connection.say(1, message),
    async until(done: () => boolean) {
      while (!done()) await new Promise<void>((resolve) => (wake = resolve));
    },
    close: () => port2.close(),
  };
}

const bytesIn = (heard: readonly ConnectionMessage[]) =>
  heard.reduce((sum, message) => sum + (message.kind === 'data' ? message.bytes.byteLength : 0), 0);

test('a writer waits for a server that does not read, and goes on when it does', async () => {
  const { end, heard, say, until, close } = await connected();
  const size = 4 * CONNECTION_WINDOW;
  const writer = end.writable.getWriter();
  const written = writer.write(new Uint8Array(size));
  await until(() => bytesIn(heard) >= CONNECTION_WINDOW);
  expect(bytesIn(heard)).toBe(CONNECTION_WINDOW);
  for (let used = 0; used < size;) {
    const all = bytesIn(heard);
    say({ kind: 'used', bytes: all - used });
    used = all;
    if (used < size) await until(() => bytesIn(heard) > used);
  }
  await written;
  expect(bytesIn(heard)).toBe(size);
  await writer.close();
  await until(() => heard.at(-1)?.kind === 'end');
  close();
});

test('what a server sends counts as read only when it is read', async () => {
  const { end, heard, say, until, close } = await connected();
  say({ kind: 'data', bytes: new Uint8Array([1, 2, 3]) });
  say({ kind: 'end' });
  const reader = end.readable.getReader();
  expect(heard).toEqual([]);
  expect((await reader.read()).value).toEqual(new Uint8Array([1, 2, 3]));
  await until(() => heard.length > 0);
  expect(heard).toEqual([{ kind: 'used', bytes: 3 }]);
  expect((await reader.read()).done).toBe(true);
  close();
});

test('a connection that is broken off fails on both sides', async () => {
  const { end, say, close } = await connected();
  say({ kind: 'reset', code: 'ECONNRESET' });
  await expect(end.readable.getReader().read()).rejects.toMatchObject({ code: 'EGONE' });
  await expect(end.writable.getWriter().closed).rejects.toThrow('ECONNRESET');
  close();
});

test('where nobody listens there is no connection', async () => {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage({ kind: 'reset', code: 'ECONNREFUSED' });
  expect(await connectionOver(port1)).toBeNull();
  port2.close();
});
