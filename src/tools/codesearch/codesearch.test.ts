import { afterEach, expect, test } from 'vitest';
import { searchingAt, searchServer, type Answer } from '../../../test/support/search-server.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { ToolRegistry } from '../registry.ts';
import { literalOf } from './github.ts';
import { codesearchTool } from './tool.ts';

const TOKEN = 'ghp_secret-token';
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serving(answer: Answer) {
  const server = await searchServer(() => answer);
  closing.push(server.close);
  return server;
}

const item = (path: string, ...fragments: string[]) => ({
  name: path,
  path,
  html_url: `https://github.com/o/r/blob/x/${path}`,
  repository: { id: 1, full_name: 'o/r' },
  text_matches: fragments.map((fragment) => ({ object_type: 'FileContent', fragment })),
});
const found = {
  total_count: 2,
  incomplete_results: false,
  items: [item('a.ts', 'use(1)', 'use(2)'), item('b.ts')],
};

test.each([
  [{}, 0],
  [{ exa: 'k' }, 1],
  [{ github: 'k' }, 1],
])('with the keys %j it is offered %i times', async (keys, times) => {
  const registry = new ToolRegistry([codesearchTool(searchingAt('http://127.0.0.1:1', keys))]);
  expect(await registry.tools({ provider: 'p', model: 'm' }, 'build')).toHaveLength(times);
});

test('GitHub is asked first, and its answer is formatted', async () => {
  const server = await serving({ body: found });
  const call = new TestCall();
  const result = await call.run(codesearchTool(searchingAt(server.address, { github: TOKEN, exa: 'k' })), {
    query: 'say "hi"',
    language: ['TypeScript', 'Visual Basic'],
    repo: 'o/r',
    path: 'src lib',
  });
  const [asked] = server.asked;
  expect(asked?.url.pathname).toBe('/search/code');
  expect(asked?.url.searchParams.get('q')).toBe(
    '"say  hi " language:TypeScript language:"Visual Basic" repo:o/r path:"src lib"',
  );
  expect(asked?.headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/vnd.github.text-match+json',
  });
  expect(result).toMatchObject({
    output:
      '1. o/r: a.ts\nhttps://github.com/o/r/blob/x/a.ts\nuse(1)\n…\nuse(2)\n\n2. o/r: b.ts\nhttps://github.com/o/r/blob/x/b.ts',
    metadata: {
      provider: 'github',
      found: 2,
      results: [
        { title: 'a.ts', url: 'https://github.com/o/r/blob/x/a.ts', place: 'o/r' },
        { title: 'b.ts' },
      ],
    },
  });
  expect(call.asks).toMatchObject([{ permission: 'codesearch', patterns: ['say "hi"'], always: ['*'] }]);
});

test('a language may be one word; values cannot smuggle in another qualifier', async () => {
  const server = await serving({ body: { items: [] } });
  const tool = codesearchTool(searchingAt(server.address, { github: TOKEN }));
  const result = await new TestCall().run(tool, { query: 'x', language: 'Go', path: 'a" repo:other/one "b' });
  expect(server.asked[0]?.url.searchParams.get('q')).toBe('"x" language:Go path:"a repo:other/one b"');
  expect(result.output).toMatch(/^Nothing was found/);
  await expect(new TestCall().run(tool, { query: 'x', repo: 'not one' })).rejects.toThrow(/owner\/name/);
});

test('an expression is searched by its literal text, then applied to the excerpts', async () => {
  const server = await serving({
    body: { items: [item('a.ts', 'useState(0)', 'useStateless'), item('b.ts', 'no')] },
  });
  const tool = codesearchTool(searchingAt(server.address, { github: TOKEN }));
  const result = await new TestCall().run(tool, { query: 'useState\\(\\d+\\)', useRegexp: true });
  expect(server.asked[0]?.url.searchParams.get('q')).toBe('"useState("');
  expect(result.output).toBe('1. o/r: a.ts\nhttps://github.com/o/r/blob/x/a.ts\nuseState(0)');
  await expect(new TestCall().run(tool, { query: '(', useRegexp: true })).rejects.toThrow(/not a regular/);
  await expect(new TestCall().run(tool, { query: 'a.*b|ccc', useRegexp: true })).rejects.toThrow(
    /three char/,
  );
});

test.each([
  ['foo_bar', 'foo_bar'],
  ['new\\s+Worker\\(', 'Worker('],
  ['colou?rful', 'colo'],
  ['(abc)?defg', 'defg'],
  ['[a-z]+Handler$', 'Handler'],
])('the literal text of /%s/ is %j', (source, text) => expect(literalOf(source)).toBe(text));

test('without a token Exa is asked', async () => {
  const server = await serving({ body: { response: 'Some code', resultsCount: 3 } });
  const result = await new TestCall().run(codesearchTool(searchingAt(server.address, { exa: 'k' })), {
    query: 'fetch',
    language: ['Go'],
    tokensNum: 1_000,
  });
  expect(server.asked).toMatchObject([
    {
      url: { pathname: '/context' },
      headers: { 'x-api-key': 'k' },
      body: { query: 'fetch Go', tokensNum: 1_000 },
    },
  ]);
  expect(result).toMatchObject({ output: 'Some code', metadata: { provider: 'exa' } });
});

test('excerpts are cut to the requested number of tokens', async () => {
  const server = await serving({ body: { items: [item('a', 'x'.repeat(9_000)), item('b', 'x')] } });
  const tool = codesearchTool(searchingAt(server.address, { github: TOKEN }));
  const result = await new TestCall().run(tool, { query: 'x', tokensNum: 1_000 });
  expect(result.output.match(/x{10,}/g)?.map((run) => run.length)).toEqual([4_000]);
  expect(result.output).toContain('2. o/r: b');
});

test.each<[string, Answer, string]>([
  ['a wrong token', { status: 401 }, 'key-refused'],
  ['a token without rights', { status: 403 }, 'key-refused'],
  ['too many requests', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, 'rate-limit'],
  ['a query that GitHub refuses', { status: 422 }, 'http-422'],
])('reports: %s', async (_, answer, code) => {
  const server = await serving(answer);
  const failed = new TestCall().run(codesearchTool(searchingAt(server.address, { github: TOKEN })), {
    query: 'x',
  });
  await expect(failed).rejects.toMatchObject({ fault: { code } });
  await failed.catch((error: Error) =>
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(TOKEN),
  );
});
