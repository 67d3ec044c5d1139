import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { readPage } from './markdown.ts';
import { webfetchTool } from './tool.ts';
import type { Web } from './web.ts';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page = (type: string, body: string | Uint8Array, headers = {}) =>
  serve((_request, response) => void response.writeHead(200, { 'content-type': type, ...headers }).end(body));

const real: Web = {
  fetch: (...given) => fetch(...given),
  reachable: async () => false,
  proxy: () => undefined,
  policed: () => Promise.reject(new Error('no frames')),
};
const get = (call: TestCall, input: object, web: Partial<Web> = {}) =>
  call.run(webfetchTool({ ...real, ...web }), { ...input });
/** A web with one answer that records the requests. */
const noting = (asked: string[], answer: () => Response = () => new Response('ok')): Partial<Web> => ({
  fetch: async (input) => {
    asked.push(String(input));
    return answer();
  },
});

const HTML = `<!doctype html><html><head><title>Ti &amp; tle</title><style>p{}</style><script>alert("<p>no")</script>
<body><nav><a href="/home">Home</a></nav><h1>Head</h1><p>One <b>two</b>
three <a href="b(1).html">link</a> <img alt="pic" src="/i.png"><script>x</script></p>
<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol><li>x<li>y</ol>
<blockquote><p>quote</p></blockquote><pre><code>let  a = "\`";
  b()</code></pre><p>use <code>x</code><br>next</p>
<table><tr><th>k</th><td>v</td></tr></table><a href="javascript:alert(1)">bad</a></body></html>`;

test('a page becomes Markdown', () => {
  expect(readPage(HTML, 'https://e.org/d/', 'markdown')).toEqual({
    title: 'Ti & tle',
    text: [
      '[Home](https://e.org/home)',
      '',
      '# Head',
      '',
      'One **two** three [link](https://e.org/d/b%281%29.html) ![pic](https://e.org/i.png)',
      '',
      '- a',
      '  - b',
      '- c',
      '',
      '1. x',
      '2. y',
      '',
      '> quote',
      '',
      '```',
      'let  a = "`";',
      '  b()',
      '```',
      '',
      'use `x`',
      'next',
      '',
      '| k | v |',
      '',
      'bad',
    ].join('\n'),
  });
});

test('a page becomes plain text, and broken HTML is handled', () => {
  expect(readPage('<p>a <b>b</b> <a href="/x">c</a><p>d', 'https://e.org', 'text').text).toBe('a b c\n\nd');
  expect(
    readPage('<ul><li><blockquote><pre>x</li></ol></table><td', 'https://e.org', 'markdown').text,
  ).toContain('x');
});

test('permission is asked for the address, and the result has its type', async () => {
  const url = await page('text/html; charset=utf-8', HTML);
  const call = new TestCall();
  const result = await get(call, { url: `${url}/a#part` });
  expect(result.title).toBe(`${url}/a (text/html)`);
  expect(result.output).toMatch(/^Ti & tle\n\n\[Home\]/);
  expect(call.asks).toEqual([
    {
      permission: 'webfetch',
      patterns: [`${url}/a`],
      always: [`${url}/*`],
      subject: { kind: 'input', input: { url: `${url}/a` } },
    },
  ]);
  expect((await get(call, { url, format: 'html' })).output).toBe(HTML);
  expect((await get(call, { url, format: 'text' })).output).not.toContain('**');
});

test('http becomes https except on this machine; other addresses are refused', async () => {
  const asked: string[] = [];
  const call = new TestCall();
  for (const url of [
    'http://e.org/x',
    'http://localhost:1/',
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://127.0.0.1.e.org/',
  ])
    await get(call, { url }, noting(asked));
  expect(asked).toEqual([
    'https://e.org/x',
    'http://localhost:1/',
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'https://127.0.0.1.e.org/',
  ]);
  for (const url of ['file:///etc/passwd', 'javascript:1', 'data:text/html,x', 'e.org'])
    await expect(get(call, { url }, noting(asked))).rejects.toThrow('is not an address');
  await expect(get(call, { url: 'https://u:p@e.org' }, noting(asked))).rejects.toThrow(
    'user name or password',
  );
  expect(asked).toHaveLength(5);
});

test('a proxy is used only where one is set, and not for this machine', async () => {
  const asked: string[] = [];
  const web = { ...noting(asked), proxy: () => 'https://proxy.org/?to={url}' };
  const call = new TestCall();
  await get(call, { url: 'https://e.org/?a=1&b' }, web);
  await get(call, { url: 'http://localhost:1/' }, web);
  expect(asked).toEqual(['https://proxy.org/?to=https%3A%2F%2Fe.org%2F%3Fa%3D1%26b', 'http://localhost:1/']);
  expect(call.asks[0]?.patterns).toEqual(['https://e.org/?a=1&b']);
});

const allowAll = rulesOf({ webfetch: 'allow' }, 'settings');

test('where every address is allowed, a redirect is followed', async () => {
  const other = await page('text/plain', 'elsewhere');
  const url = await serve(
    (_request, response) => void response.writeHead(302, { location: `${other}/x` }).end(),
  );
  const call = new TestCall();
  call.rules.push(...allowAll);
  expect((await get(call, { url })).output).toBe('elsewhere');
});

test('where some address is denied, a redirect that might lead there is not followed', async () => {
  const asked: string[] = [];
  const redirecting = noting(asked, () => new Response(null, { status: 302, headers: { location: '/b' } }));
  const call = new TestCall();
  call.rules.push(...rulesOf({ webfetch: { '*': 'allow', '*/b': 'deny' } }, 'settings'));
  await expect(get(call, { url: 'https://e.org/a' }, redirecting)).rejects.toThrow(
    'e.org redirects, which was not followed: the rules deny some addresses',
  );
  expect(asked).toEqual(['https://e.org/a']);
});

test.each([
  'https://e.org./private',
  'https://E.org/%70rivate',
  'http://e.org/x/../private',
  'https://e.org:443/private#x',
])('a rule for an address applies however it is written: %s', async (url) => {
  const call = new TestCall();
  call.rules.push(...rulesOf({ webfetch: { '*': 'allow', 'https://e.org/private': 'deny' } }, 'settings'));
  await expect(get(call, { url }, noting([]))).rejects.toThrow('denied by the rules');
});

test('a redirected answer of a proxy is checked by its reported final address', async () => {
  const answer = (final?: string) =>
    noting([], () => new Response('text', { headers: final ? { 'x-final-url': final } : {} }));
  const from = (final?: string) => ({ ...answer(final), proxy: () => 'https://proxy.org/?to={url}' });
  const call = new TestCall();
  await get(call, { url: 'https://e.org/' }, from());
  await get(call, { url: 'https://e.org/' }, from('https://other.org/x'));
  expect(call.asks.map(({ patterns }) => patterns[0])).toEqual([
    'https://e.org/',
    'https://e.org/',
    'https://other.org/x',
  ]);
  call.rules.push(...rulesOf({ webfetch: { '*': 'allow', 'https://evil.org/*': 'deny' } }, 'settings'));
  await expect(get(call, { url: 'https://e.org/' }, from('https://evil.org/x'))).rejects.toThrow(
    'denied by the rules',
  );
  await expect(get(call, { url: 'https://e.org/' }, from())).rejects.toThrow(
    'the proxy does not say where its answer is from',
  );
});

test.each([
  [true, 'cors', 'does not allow pages of other origins'],
  [false, 'unreachable', 'nothing answers there'],
  [undefined, 'unreachable', 'The server is down, or does not allow'],
])('no answer, where a probe says %s, is reported as %s', async (reachable, code, what) => {
  const web = {
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    reachable: async () => reachable,
  };
  await expect(get(new TestCall(), { url: 'https://e.org' }, web)).rejects.toMatchObject({
    fault: { code, what: expect.stringContaining(what) },
  });
});

test('an unsuccessful status is an error', async () => {
  const url = await serve((_request, response) => void response.writeHead(404).end('<p>nothing'));
  await expect(get(new TestCall(), { url })).rejects.toThrow('answered with 404 Not Found');
});

test('more than 5 MB is refused, whether declared or sent', async () => {
  const size = 5 * 1024 * 1024;
  await expect(get(new TestCall(), { url: await page('text/plain', 'x'.repeat(size + 1)) })).rejects.toThrow(
    'sent more than',
  );
  let sent = 0;
  const endless = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = () => {
      for (sent++; response.write('x'.repeat(65536)) && sent < 1000; sent++);
      if (sent >= 1000) response.end();
    };
    response.on('drain', more);
    more();
  });
  await expect(get(new TestCall(), { url: endless })).rejects.toThrow('sent more than');
  expect(sent).toBeLessThan(1000);
});

test('it waits for the given timeout, and stops with the call', async () => {
  const url = await serve(() => undefined);
  await expect(get(new TestCall(), { url, timeout: '0.05' })).rejects.toThrow(
    'did not answer within 0.05 seconds',
  );
  await expect(get(new TestCall(), { url, timeout: 121 })).rejects.toThrow('- timeout:');
  const call = new TestCall();
  call.answer = () => call.abort.abort();
  await expect(get(call, { url })).rejects.toMatchObject({ name: 'AbortError' });
});

test('images are detected by content, not by the declared type', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  const url = await page('application/octet-stream', png);
  expect(await get(new TestCall(), { url: `${url}/shot.png` })).toMatchObject({
    attachments: [{ mediaType: 'image/png', bytes: png, filename: 'shot.png' }],
  });
  await expect(get(new TestCall(), { url: await page('image/png', 'no image') })).rejects.toThrow(
    'neither read nor shown',
  );
  await expect(
    get(new TestCall(), { url: await page('application/zip', new Uint8Array([80, 75, 0])) }),
  ).rejects.toThrow('neither');
});

test('text is decoded by its declared charset', async () => {
  const latin = new Uint8Array([0x63, 0x61, 0x66, 0xe9]);
  expect((await get(new TestCall(), { url: await page('text/plain; charset=latin1', latin) })).output).toBe(
    'café',
  );
  expect((await get(new TestCall(), { url: await page('text/plain; charset=none', 'é') })).output).toBe('é');
});
