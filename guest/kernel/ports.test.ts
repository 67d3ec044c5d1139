import { expect, it } from 'vitest';
import { exchange, NetFailed } from '../shared/net.ts';
import type { FromServer, NetRequest } from '../shared/protocol.ts';
import { isOwnHost, PortTable, type Serve } from './ports.ts';

const serving = (serve: Serve = () => {}) => ({ serve, accept: () => {} });

const request = (url: string): NetRequest => ({ url, method: 'GET', headers: [], body: null });
const say = (channel: MessagePort, ...messages: FromServer[]) => {
  for (const message of messages) channel.postMessage(message);
};

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of body) text += new TextDecoder().decode(piece as Uint8Array<ArrayBuffer>);
  return text;
}

it('passes a request to the process that listens on the port, and its answer back in pieces', async () => {
  const table = new PortTable();
  const [server, client] = [{}, {}];
  const port = table.listen(
    server,
    0,
    serving(({ url }, channel) =>
      say(
        channel,
        { kind: 'response', status: 200, statusText: 'OK', headers: [['a', '1']] },
        { kind: 'body', bytes: new TextEncoder().encode('at ') },
        { kind: 'body', bytes: new TextEncoder().encode(new URL(url).pathname) },
        { kind: 'end' },
      ),
    ),
  );
  const asked = request(`http://localhost:${port}/x`);
  const answer = await exchange((channel) => table.fetch(client, asked, channel));
  expect(answer).toMatchObject({ status: 200, headers: [['a', '1']] });
  expect(await textOf(answer.body)).toBe('at /x');
});

it('refuses to listen on a port that is taken, and a request to one where nobody listens', async () => {
  const table = new PortTable();
  const owner = {};
  expect(table.listen(owner, 3000, serving())).toBe(3000);
  expect(table.listen({}, 3000, serving())).toBeUndefined();
  table.close({}, 3000);
  expect(table.listen({}, 3000, serving())).toBeUndefined();
  table.close(owner, 3000);
  const refused = exchange((channel) => table.fetch({}, request('http://127.0.0.1:3000/'), channel));
  await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('ends the exchanges of a server when its process ends', async () => {
  const table = new PortTable();
  const server = {};
  table.listen(
    server,
    80,
    serving(() => table.drop(server)),
  );
  const lost = exchange((channel) => table.fetch({}, request('http://localhost/'), channel));
  await expect(lost).rejects.toThrow(NetFailed);
  await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('tells a server when its client is gone', async () => {
  const table = new PortTable();
  const abort = new AbortController();
  const gone = new Promise<unknown>((resolve) => {
    table.listen(
      {},
      80,
      serving((_request, channel) => {
        channel.onmessage = ({ data }) => resolve(data);
        setTimeout(() => abort.abort(new Error('enough')), 0);
      }),
    );
  });
  const left = exchange((channel) => table.fetch({}, request('http://localhost/'), channel), abort.signal);
  await expect(left).rejects.toThrow('enough');
  expect(await gone).toEqual({ kind: 'gone' });
});

it('sends no request outside by itself, but passes it to the app', async () => {
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

it('asks the app for a server on this computer where the workspace has none, and reports its no as refused', async () => {
  const asked: string[] = [];
  const table = new PortTable(({ url }, channel) => {
    asked.push(url);
    if (url.includes(':11434')) say(channel, { kind: 'response', status: 204, statusText: '', headers: [] });
    say(
      channel,
      url.includes(':11434') ? { kind: 'end' } : { kind: 'failed', code: 'EACCES', message: 'no' },
    );
  });
  table.listen(
    {},
    3000,
    serving((_request, channel) => say(channel, { kind: 'failed', code: 'EACCES', message: 'own' })),
  );
  const get = (url: string) => exchange((channel) => table.fetch({}, request(url), channel));
  await expect(get('http://localhost:4999/')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message:
      'nothing in this workspace listens on port 4999, and localhost:4999 is not among the hosts that programs may reach. The user can add it under Settings, Tools and servers',
  });
  expect(await get('http://localhost:11434/')).toMatchObject({ status: 204 });
  await expect(get('http://localhost:3000/')).rejects.toThrow('own');
  expect(asked).toEqual(['http://localhost:4999/', 'http://localhost:11434/']);
});

it('ends a request outside when its process ends', async () => {
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

it('recognizes the host names of the workspace itself', () => {
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
    expect(isOwnHost(name)).toBe(true);
  for (const name of [
    'example.com',
    'localhost.evil.com',
    'notlocalhost',
    'localhost..',
    '10.0.0.1',
    '128.0.0.1',
  ])
    expect(isOwnHost(name)).toBe(false);
});

it('connects a client to a listener, and ends the connection when one of their processes ends', async () => {
  const table = new PortTable();
  const [server, client] = [{}, {}];
  const accepted = new Promise<{ host: string; channel: MessagePort }>((resolve) => {
    table.listen(server, 4000, {
      serve: () => {},
      accept: (host, _port, channel) => resolve({ host, channel }),
    });
  });
  const { port1, port2 } = new MessageChannel();
  const told: unknown[] = [];
  const next = () => new Promise<void>((resolve) => (wake = resolve));
  let wake = () => {};
  port1.onmessage = ({ data }) => (told.push(data), wake());
  table.connect(client, 4000, 'localhost', port2);
  const { host, channel } = await accepted;
  expect(host).toBe('localhost');
  while (told.length < 1) await next();
  channel.postMessage({ kind: 'data', bytes: new Uint8Array([1]) });
  while (told.length < 2) await next();
  port1.postMessage({ kind: 'used', bytes: 1 });
  table.drop(server);
  while (told.length < 3) await next();
  expect(told).toMatchObject([{ kind: 'open' }, { kind: 'data' }, { kind: 'end' }]);
  port1.postMessage({ kind: 'data', bytes: new Uint8Array([1]) });
  while (told.length < 4) await next();
  expect(told[3]).toEqual({ kind: 'reset', code: 'ECONNRESET' });
  for (const port of [port1, channel]) port.close();
});

it('refuses a connection where nobody listens, and invalid messages', async () => {
  const table = new PortTable();
  const ask = (address: number | string) => {
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise<unknown>((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    table.connect({}, address, 'localhost', port2);
    return { port1, answered };
  };
  for (const address of [4001, '/tmp/socket']) {
    const { port1, answered } = ask(address);
    expect(await answered).toEqual({ kind: 'reset', code: 'ECONNREFUSED' });
    port1.close();
  }
  const wrong = new Promise<unknown>((resolve) => {
    table.listen({}, 4001, {
      serve: () => {},
      accept: (_host, _port, channel) => (channel.onmessage = ({ data }) => (resolve(data), channel.close())),
    });
  });
  const { port1, answered } = ask(4001);
  expect(await answered).toMatchObject({ kind: 'open' });
  port1.postMessage({ kind: 'data', bytes: 'text' });
  expect(await wrong).toEqual({ kind: 'reset', code: 'EPROTO' });
  port1.close();
});
