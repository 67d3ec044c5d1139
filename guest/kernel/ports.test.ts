import { expect, it } from 'vitest';
import { exchange, NetFailed } from '../net.ts';
import type { FromServer, NetRequest } from '../protocol.ts';
import { isHere, PortTable } from './ports.ts';

const request = (url: string): NetRequest => ({ url, method: 'GET', headers: [], body: null });
const say = (channel: MessagePort, ...messages: FromServer[]) => {
  for (const message of messages) channel.postMessage(message);
};

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of body) text += new TextDecoder().decode(piece as Uint8Array<ArrayBuffer>);
  return text;
}

it('hands a request to the process that listens on its port, and its answer back in pieces', async () => {
  const table = new PortTable();
  const [server, client] = [{}, {}];
  const port = table.listen(server, 0, ({ url }, channel) =>
    say(
      channel,
      { kind: 'response', status: 200, statusText: 'OK', headers: [['a', '1']] },
      { kind: 'body', bytes: new TextEncoder().encode('at ') },
      { kind: 'body', bytes: new TextEncoder().encode(new URL(url).pathname) },
      { kind: 'end' },
    ),
  );
  const asked = request(`http://localhost:${port}/x`);
  const answer = await exchange((channel) => table.fetch(client, asked, channel));
  expect(answer).toMatchObject({ status: 200, headers: [['a', '1']] });
  expect(await textOf(answer.body)).toBe('at /x');
});

it('refuses a port that is taken, and one where nobody listens', async () => {
  const table = new PortTable();
  const owner = {};
  expect(table.listen(owner, 3000, () => {})).toBe(3000);
  expect(table.listen({}, 3000, () => {})).toBeUndefined();
  table.close({}, 3000);
  expect(table.listen({}, 3000, () => {})).toBeUndefined();
  table.close(owner, 3000);
  const refused = exchange((channel) => table.fetch({}, request('http://127.0.0.1:3000/'), channel));
  await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('ends what a process was answering when that process ends', async () => {
  const table = new PortTable();
  const server = {};
  table.listen(server, 80, () => table.drop(server));
  const lost = exchange((channel) => table.fetch({}, request('http://localhost/'), channel));
  await expect(lost).rejects.toThrow(NetFailed);
  await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('tells a server when nobody waits any more', async () => {
  const table = new PortTable();
  const abort = new AbortController();
  const gone = new Promise<unknown>((resolve) => {
    table.listen({}, 80, (_request, channel) => {
      channel.onmessage = ({ data }) => resolve(data);
      setTimeout(() => abort.abort(new Error('enough')), 0);
    });
  });
  const left = exchange((channel) => table.fetch({}, request('http://localhost/'), channel), abort.signal);
  await expect(left).rejects.toThrow('enough');
  expect(await gone).toEqual({ kind: 'gone' });
});

it('lets nothing out by itself, and hands what is outside to the app', async () => {
  const refused = exchange((channel) => new PortTable().fetch({}, request('https://example.com/'), channel));
  await expect(refused).rejects.toMatchObject({ code: 'EACCES' });
  const asked: string[] = [];
  const table = new PortTable(({ url }, channel) => {
    asked.push(url);
    say(channel, { kind: 'failed', code: 'EACCES', message: 'not allowed' });
  });
  const outside = exchange((channel) => table.fetch({}, request('https://example.com/'), channel));
  await expect(outside).rejects.toThrow('not allowed');
  expect(asked).toEqual(['https://example.com/']);
});

it('asks the app for a server of this machine where none of its own listens, and says refused for its no', async () => {
  const asked: string[] = [];
  const table = new PortTable(({ url }, channel) => {
    asked.push(url);
    if (url.includes(':11434')) say(channel, { kind: 'response', status: 204, statusText: '', headers: [] });
    say(
      channel,
      url.includes(':11434') ? { kind: 'end' } : { kind: 'failed', code: 'EACCES', message: 'no' },
    );
  });
  table.listen({}, 3000, (_request, channel) =>
    say(channel, { kind: 'failed', code: 'EACCES', message: 'own' }),
  );
  const get = (url: string) => exchange((channel) => table.fetch({}, request(url), channel));
  await expect(get('http://localhost:4999/')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message: 'nothing listens on port 4999 of this workspace',
  });
  expect(await get('http://localhost:11434/')).toMatchObject({ status: 204 });
  await expect(get('http://localhost:3000/')).rejects.toThrow('own');
  expect(asked).toEqual(['http://localhost:4999/', 'http://localhost:11434/']);
});

it('gives up what is asked outside when the process that asks ends', async () => {
  const client = {};
  const told = new Promise<unknown>((resolve) => {
    const table = new PortTable((_request, channel) => {
      channel.onmessage = ({ data }) => resolve(data);
      table.drop(client);
    });
    table.fetch(client, request('https://example.com/'), new MessageChannel().port2);
  });
  expect(await told).toEqual({ kind: 'gone' });
});

it('knows the names of the workspace itself', () => {
  for (const name of [
    'localhost',
    'app.localhost',
    'localhost.',
    'app.localhost.',
    '127.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
  ])
    expect(isHere(name)).toBe(true);
  for (const name of [
    'example.com',
    'localhost.evil.com',
    'notlocalhost',
    'localhost..',
    '10.0.0.1',
    '128.0.0.1',
  ])
    expect(isHere(name)).toBe(false);
});
