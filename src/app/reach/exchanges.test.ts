import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { exchange } from '../../../guest/shared/net.ts';
import { timeoutTimer } from '../../base/timer.ts';
import { EXCHANGE_WINDOW, type NetRequest } from '../../protocol/exchange.ts';
import type { Policed } from '../../base/policed.ts';
import { Exchanges, type ExchangesDeps } from './exchanges.ts';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open: Omit<Policed, 'close'> = {
  fetch: (...request) => fetch(...request),
  reachable: async () => false,
  stopped: () => false,
};

/** Exchanges over Node's own fetch, which has no policy: a refusal here comes before any request. */
function exchangesTo(
  hosts: string[] | (() => string[]),
  {
    limits = {},
    own = 'https://vitrine.example/',
    ask: asking,
    ...policed
  }: Partial<Policed> & {
    ask?: NonNullable<ExchangesDeps['ask']>;
    limits?: Partial<NonNullable<ExchangesDeps['limits']>>;
    own?: string;
  } = {},
) {
  const made: string[] = [];
  const asked: string[] = [];
  const exchanges = new Exchanges({
    hosts: async () => (typeof hosts === 'function' ? hosts() : hosts),
    own: new URL(own),
    ...(asking && { ask: asking }),
    timer: timeoutTimer,
    limits: { exchanges: 4, exchangeBytes: 1000, bodiesBytes: 1500, silentMs: 5000, ...limits },
    policed: async (sources) => {
      made.push(sources);
      const close = () => void made.push('closed');
      const each: Policed = { ...open, close, ...policed };
      return {
        ...each,
        fetch: (input, init) => (asked.push((input as Request).url), each.fetch(input, init)),
      };
    },
  });
  const over = new AbortController();
  const ask = (url: string, more: Partial<NetRequest> = {}, signal?: AbortSignal) =>
    exchange((channel) => {
      const request = { url, method: 'GET', headers: [], body: null, ...more };
      void exchanges.run(request, channel, over.signal);
    }, signal);
  return { ask, asked, made, over };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of body) text += new TextDecoder().decode(piece as Uint8Array<ArrayBuffer>);
  return text;
}

test('a request goes out with its method, headers and body, and its answer comes back', async () => {
  const host = await serve((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const { method, url, headers } = request;
      const { cookie, referer, origin } = headers;
      response.writeHead(201, { 'x-own': 'yes', 'content-type': 'application/json' });
      response.end(JSON.stringify({ method, url, key: headers['x-key'], body, cookie, referer, origin }));
    });
  });
  const { ask } = exchangesTo([host]);
  const answer = await ask(`http://${host}/a?b`, {
    method: 'POST',
    headers: [
      ['X-Key', 'k'],
      ['Host', 'evil.example'],
      ['Cookie', 'a=1'],
      ['Origin', 'https://evil.example'],
      ['Referer', 'https://evil.example'],
      ['Connection', 'keep-alive'],
      ['Content-Length', '4'],
    ],
    body: new TextEncoder().encode('body'),
  });
  expect(answer).toMatchObject({ status: 201 });
  expect(answer.headers).toContainEqual(['x-own', 'yes']);
  expect(JSON.parse(await textOf(answer.body))).toEqual({
    method: 'POST',
    url: '/a?b',
    key: 'k',
    body: 'body',
  });
});

test('requests of npm are sent without the headers that a registry would have to allow first', async () => {
  const host = await serve((request, response) => response.end(JSON.stringify(request.headers)));
  const headersWith = async (headers: NetRequest['headers'], method = 'GET') => {
    const { body } = await exchangesTo([host]).ask(`http://${host}/ms`, { headers, method });
    return Object.keys(JSON.parse(await textOf(body)) as object);
  };
  const cached = [['If-None-Match', '"1"']] as const;
  const sent = await headersWith([
    ['accept', 'application/vnd.npm.install-v1+json'],
    ['npm-command', 'install'],
    ['pacote-version', '21.0.0'],
    ...cached,
  ]);
  expect(sent).toContain('accept');
  expect(sent.filter((name) => /^(npm|pacote|if)-/.test(name))).toEqual([]);
  expect(await headersWith(cached)).toContain('if-none-match');
  expect(await headersWith([['npm-command', 'audit']], 'POST')).toContain('npm-command');
});

test('an answer whose pieces are larger than the window arrives whole', async () => {
  const bytes = 3 * EXCHANGE_WINDOW;
  const piece = new Uint8Array(bytes / 2);
  const big = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(piece.slice());
          controller.enqueue(piece.slice());
          controller.close();
        },
      }),
    );
  const limits = { exchangeBytes: bytes };
  const { ask } = exchangesTo(['example.com'], { limits, fetch: async () => big() });
  const { body } = await ask('https://example.com/');
  expect(await textOf(body)).toHaveLength(bytes);
});

test('the person may be asked for a host, and the request waits for the answer', async () => {
  const host = await serve((_request, response) => response.end('served'));
  const hosts: string[] = [];
  const questions: ((allowed: boolean) => void)[] = [];
  const asking = () => new Promise<boolean>((resolve) => questions.push(resolve));
  const { ask } = exchangesTo(() => hosts, { ask: asking });
  const answer = async (allowed: boolean) => {
    await vi.waitUntil(() => questions.length > 0);
    questions.shift()?.(allowed);
  };
  const refused = expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'EACCES' });
  await answer(false);
  await refused;
  const left = new AbortController();
  const given = expect(ask(`http://${host}/`, {}, left.signal)).rejects.toThrow('stopped');
  await vi.waitUntil(() => questions.length > 0);
  left.abort(new Error('stopped'));
  await given;
  await answer(false);
  const waits = ask(`http://${host}/`);
  await vi.waitUntil(() => questions.length > 0);
  hosts.push(host);
  await answer(true);
  expect(await textOf((await waits).body)).toBe('served');
});

test('an answer arrives in chunks before it is complete', async () => {
  let finish = () => {};
  const host = await serve((_request, response) => {
    response.write('first');
    finish = () => response.end('last');
  });
  const { body } = await exchangesTo([host]).ask(`http://${host}/`);
  const pieces = body[Symbol.asyncIterator]();
  expect(new TextDecoder().decode((await pieces.next()).value)).toBe('first');
  finish();
  expect(new TextDecoder().decode((await pieces.next()).value)).toBe('last');
  expect(await pieces.next()).toMatchObject({ done: true });
});

test.each([
  ['https://other.example/', 'EACCES', 'other.example is not among the hosts that programs may reach'],
  ['https://other.example/', 'EACCES', 'under Settings, Tools and servers'],
  ['https://named.example:8443/', 'EACCES', 'named.example:8443 is not among'],
  ['https://vitrine.example/', 'EACCES', 'not among'],
  ['https://vitrine.example./', 'EACCES', 'not among'],
  ['http://[::1]:3000/', 'EACCES', 'only hosts that have a name'],
  ['http://192.168.0.1/', 'EACCES', 'not among'],
  ['http://169.254.169.254/latest/meta-data', 'EACCES', 'not among'],
  ['file:///etc/passwd', 'EACCES', 'not among'],
  ['data:text/plain,x', 'EACCES', 'not among'],
  ['blob:https://named.example/1', 'EACCES', 'not among'],
  ['no address', 'ERR_INVALID_URL', 'Invalid URL'],
  ['https://user:pass@named.example/', 'EINVAL', 'user name or password'],
  ['http://named.example/', 'ERR_MIXED_CONTENT', 'use https'],
])('%s is not requested: %s, %s', async (url, code, message) => {
  const { ask, asked } = exchangesTo(['named.example', '*.vitrine.example', 'vitrine.example', '*']);
  const refused = ask(url);
  await expect(refused).rejects.toMatchObject({ code });
  await expect(refused).rejects.toThrow(message);
  expect(asked).toEqual([]);
});

test('a name is requested without its final dot, which a policy does not know', async () => {
  const { ask, asked } = exchangesTo(['named.example'], { fetch: async () => new Response('there') });
  await ask('https://named.example./x');
  expect(asked).toEqual(['https://named.example/x']);
});

test('a request that browsers cannot make is reported', async () => {
  const { ask, asked } = exchangesTo(['named.example']);
  const body = new TextEncoder().encode('x');
  await expect(ask('https://named.example/', { body })).rejects.toMatchObject({ code: 'EINVAL' });
  await expect(ask('https://named.example/', { method: 'CONNECT' })).rejects.toMatchObject({
    code: 'EINVAL',
  });
  await expect(ask('https://named.example/', { headers: [['a b', 'x']] })).rejects.toThrow('cannot ask');
  expect(asked).toEqual([]);
});

test.each([
  [true, false, 'ERR_CORS', 'named.example answers, but does not allow web pages to read it (CORS)'],
  [undefined, false, 'EHOSTUNREACH', 'it is down, or does not allow'],
  [false, false, 'ENOTFOUND', 'nothing answers at named.example'],
  [true, true, 'ERR_REDIRECT', 'redirects to a host that is not among'],
])(
  'no answer, where a probe says %s and the policy stopped it: %s, is told as %s',
  async (reachable, stopped, code, message) => {
    const { ask } = exchangesTo(['named.example'], {
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      reachable: async () => reachable,
      stopped: () => stopped,
    });
    const lost = ask('https://named.example/');
    await expect(lost).rejects.toMatchObject({ code });
    await expect(lost).rejects.toThrow(message);
  },
);

test('too large a request is not sent, and too large an answer is cut off', async () => {
  let stopped: Promise<unknown> | undefined;
  const host = await serve((_request, response) => {
    stopped = new Promise((resolve) => response.on('close', () => resolve('closed')));
    const more = () => response.write('x'.repeat(600), () => response.destroyed || setImmediate(more));
    more();
  });
  const { ask, asked } = exchangesTo([host]);
  const body = new Uint8Array(1001);
  await expect(ask(`http://${host}/`, { method: 'POST', body })).rejects.toMatchObject({ code: 'EMSGSIZE' });
  expect(asked).toEqual([]);
  const answer = await ask(`http://${host}/`);
  await expect(textOf(answer.body)).rejects.toMatchObject({ code: 'EMSGSIZE' });
  expect(await stopped).toBe('closed');
});

test('the bodies of all requests share one limit, and a finished request frees its part', async () => {
  const waiting: (() => void)[] = [];
  const host = await serve((_request, response) => void waiting.push(() => response.end('ok')));
  const { ask } = exchangesTo([host]);
  const post = () => ask(`http://${host}/`, { method: 'POST', body: new Uint8Array(900) });
  const first = post();
  await expect(post()).rejects.toMatchObject({ code: 'ENOBUFS' });
  await expect.poll(() => waiting.length).toBe(1);
  waiting.pop()?.();
  expect(await textOf((await first).body)).toBe('ok');
  const next = post();
  await expect.poll(() => waiting.length).toBe(1);
  waiting.pop()?.();
  expect(await next).toMatchObject({ status: 200 });
});

test('an unread answer is fetched only up to the window, and does not time out', async () => {
  let written = 0;
  const size = 8 * 1024 * 1024;
  const host = await serve((_request, response) => {
    const more = () => {
      if (written >= size) return void response.end();
      written += 64 * 1024;
      response.write(new Uint8Array(64 * 1024), more);
    };
    more();
  });
  const { ask } = exchangesTo([host], { limits: { exchangeBytes: 2 * size, silentMs: 150 } });
  const { body } = await ask(`http://${host}/`);
  const pieces = body[Symbol.asyncIterator]();
  let read = (await pieces.next()).value?.byteLength ?? 0;
  const quiet = async () => {
    const before = written;
    await new Promise((resolve) => setTimeout(resolve, 250));
    return written === before;
  };
  await expect.poll(quiet, { timeout: 5000 }).toBe(true);
  expect(written).toBeLessThan(size);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) read += next.value.byteLength;
  expect(read).toBe(size);
});

test('a redirect that must not be followed is reported, and no other host is requested', async () => {
  const hits: string[] = [];
  const host = await serve((request, response) => {
    hits.push(request.url ?? '');
    response.writeHead(302, { Location: '/next' }).end();
  });
  const { ask } = exchangesTo([host]);
  const refused = ask(`http://${host}/`, { redirect: 'error' });
  await expect(refused).rejects.toMatchObject({ code: 'ERR_REDIRECT' });
  await expect(refused).rejects.toThrow('does not say where');
  expect(hits).toEqual(['/']);
});

test('a silent host times out, before and during its answer', async () => {
  const host = await serve((request, response) => {
    if (request.url === '/begin') response.write('some');
  });
  const { ask } = exchangesTo([host], { limits: { silentMs: 100 } });
  await expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const { body } = await ask(`http://${host}/begin`);
  await expect(textOf(body)).rejects.toThrow(`${host} sent nothing for 0.1 seconds`);
});

test('the number of simultaneous requests is limited; a finished one makes room', async () => {
  const waiting: (() => void)[] = [];
  const host = await serve((_request, response) => void waiting.push(() => response.end('ok')));
  const { ask } = exchangesTo([host]);
  const first = Array.from({ length: 4 }, () => ask(`http://${host}/`));
  await expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'EMFILE' });
  await expect.poll(() => waiting.length).toBe(4);
  for (const answer of waiting.splice(0)) answer();
  for (const each of first) expect(await textOf((await each).body)).toBe('ok');
  const next = ask(`http://${host}/`);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  expect(await next).toMatchObject({ status: 200 });
});

test('a request is cancelled when the program or the workspace has ended', async () => {
  const closed: (() => void)[] = [];
  const host = await serve((_request, response) => {
    response.on('close', () => closed.shift()?.());
    response.write('begun');
  });
  const { ask, over } = exchangesTo([host]);
  for (const leave of [(abort: AbortController) => abort.abort(new Error('left')), () => over.abort()]) {
    const gone = new Promise<void>((resolve) => closed.push(resolve));
    const abort = new AbortController();
    const { body } = await ask(`http://${host}/`, {}, abort.signal);
    leave(abort);
    await gone;
    await expect(textOf(body)).rejects.toThrow();
  }
});

test('a new list applies from the next request on, and each list has its own policy', async () => {
  const host = await serve((_request, response) => void response.end('ok'));
  let hosts = [host];
  const { ask, made } = exchangesTo(() => hosts);
  await ask(`http://${host}/`);
  await ask(`http://${host}/`);
  expect(made).toEqual([`https://${host} http://${host}`]);
  hosts = ['example.com'];
  await expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'EACCES' });
  hosts = [host, 'example.com'];
  await ask(`http://${host}/`);
  expect(made.slice(1)).toEqual([
    `https://${host} http://${host} https://example.com http://example.com`,
    'closed',
  ]);
});

test('without an enforced policy nothing is requested, and the next request tries again', async () => {
  let tries = 0;
  const exchanges = new Exchanges({
    hosts: async () => ['example.com'],
    own: new URL('https://vitrine.example/'),
    timer: timeoutTimer,
    policed: () => Promise.reject(new Error(`no frame ${++tries}`)),
  });
  for (const time of [1, 2]) {
    const asked = exchange(
      (channel) =>
        void exchanges.run(
          { url: 'https://example.com/', method: 'GET', headers: [], body: null },
          channel,
          new AbortController().signal,
        ),
    );
    await expect(asked).rejects.toThrow(`example.com cannot be reached: no frame ${time}`);
  }
});
