import { afterEach, expect, test } from 'vitest';
import { searchingAt, searchServer, type Answer } from '../../../test/support/search-server.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { ToolRegistry } from '../registry.ts';
import { websearchTool } from './tool.ts';

const KEY = 'exa-secret-key';
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serving(answer: Answer) {
  const server = await searchServer(() => answer);
  closing.push(server.close);
  return server;
}

const results = [
  {
    title: 'One',
    url: 'https://one.example/a',
    publishedDate: '2026-01-31T00:00:00.000Z',
    text: 'First text',
  },
  { title: '', url: 'https://two.example/', author: 'Ann', text: null },
];

test('it is offered only while there is a key', async () => {
  const offered = async (keys: { exa?: string }) =>
    new ToolRegistry([websearchTool(searchingAt('http://127.0.0.1:1', keys))]).tools(
      { provider: 'p', model: 'm' },
      'build',
    );
  expect(await offered({})).toEqual([]);
  expect(await offered({ exa: KEY })).toHaveLength(1);
});

test('Exa is asked, and its answer is formatted', async () => {
  const server = await serving({ body: { requestId: 'r', results } });
  const call = new TestCall();
  const result = await call.run(websearchTool(searchingAt(server.address, { exa: KEY })), {
    query: ' new things ',
    numResults: '5',
    type: 'fast',
  });
  expect(server.asked).toMatchObject([
    {
      method: 'POST',
      url: { pathname: '/search' },
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: {
        query: 'new things',
        numResults: 5,
        type: 'fast',
        contents: { text: { maxCharacters: 2_000 } },
      },
    },
  ]);
  expect(result).toMatchObject({
    title: 'new things',
    output:
      '1. One\nhttps://one.example/a\n2026-01-31\nFirst text\n\n2. https://two.example/\nhttps://two.example/\nAnn',
    metadata: {
      provider: 'exa',
      results: [
        { title: 'One', url: 'https://one.example/a' },
        { title: 'https://two.example/', url: 'https://two.example/' },
      ],
    },
  });
  expect(call.asks).toMatchObject([{ permission: 'websearch', patterns: ['new things'], always: ['*'] }]);
});

test.each(['auto', 'fast', 'deep'])('a search may be %s; the default is auto', async (type) => {
  const server = await serving({ body: { requestId: 'r', results: [] } });
  const tool = websearchTool(searchingAt(server.address, { exa: KEY }));
  const call = new TestCall();
  await call.run(tool, { query: 'x', type });
  await call.run(tool, { query: 'x' });
  expect(server.asked.map(({ body }) => body)).toMatchObject([{ type }, { type: 'auto' }]);
  await expect(call.run(tool, { query: 'x', type: 'slow' })).rejects.toThrow();
});

test('too many or too long results are cut', async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    url: `https://x.example/${n}`,
    text: 'y'.repeat(9_000),
  }));
  const server = await serving({ body: { results: many } });
  const result = await new TestCall().run(websearchTool(searchingAt(server.address, { exa: KEY })), {
    query: 'a',
    contextMaxCharacters: 1_000,
  });
  expect(result.metadata).toMatchObject({ found: 8 });
  expect(result.output.match(/y+/g)?.[0]?.length).toBe(200);
});

test('a search without results says so', async () => {
  const server = await serving({ body: { results: [] } });
  const result = await new TestCall().run(websearchTool(searchingAt(server.address, { exa: KEY })), {
    query: 'a',
  });
  expect(result.output).toBe('Nothing was found. Try other words.');
});

test.each<[string, Answer, string, RegExp]>([
  ['a wrong key', { status: 401, body: `bad key ${KEY}` }, 'key-refused', /refused the key/],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '7' } },
    'rate-limit',
    /takes no more requests/,
  ],
  ['a bad query', { status: 400 }, 'http-400', /answered with 400/],
  ['a broken server', { status: 500 }, 'http-500', /answered with 500/],
  ['nonsense', { body: '<html>' }, 'bad-answer', /cannot be read/],
  ['another shape', { body: { results: [{ title: 1 }] } }, 'bad-answer', /cannot be read/],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }, 'unreachable', /./],
])('reports: %s', async (_, answer, code, what) => {
  const server = await serving(answer);
  const failed = new TestCall().run(websearchTool(searchingAt(server.address, { exa: KEY })), { query: 'a' });
  await expect(failed).rejects.toMatchObject({ fault: { code, what: expect.stringMatching(what) } });
  await failed.catch((error: Error) =>
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(KEY),
  );
});

test.each<[boolean | undefined, string]>([
  [true, 'cors'],
  [false, 'unreachable'],
  [undefined, 'unreachable'],
])('an answer that the browser withholds (reachable: %s) is reported as %s', async (reachable, code) => {
  const access = searchingAt('http://127.0.0.1:1', { exa: KEY }, reachable);
  const failed = new TestCall().run(websearchTool(access), { query: 'a' });
  await expect(failed).rejects.toMatchObject({ fault: { code } });
});

test('a stopped call sends no further request', async () => {
  const server = await searchServer(() => 'nothing');
  closing.push(server.close);
  const call = new TestCall();
  const running = call.run(websearchTool(searchingAt(server.address, { exa: KEY })), { query: 'a' });
  await expect.poll(() => server.asked.length).toBe(1);
  call.abort.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
});
