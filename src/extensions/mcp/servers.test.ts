import { afterEach, expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { planTools } from '../../tools/plan/tools.ts';
import { taskTools } from '../../tools/task/tools.ts';
import { MAX_TOOLS, offeredTools } from './offered-tools.ts';
import { mcpServer, type McpFixtureOptions } from '../../../test/support/mcp-server/server.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { timeoutTimer } from '../../base/timer.ts';
import { ToolRegistry } from '../../tools/registry.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ServerConfig } from '../../config/servers.ts';
import { SignIn } from './sign-in.ts';
import { McpServers, type ServerState } from './servers.ts';

const WORKSPACE = new TestCall().workspace.id;
const MODEL = { provider: 'p', model: 'm' };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function fixture(options?: McpFixtureOptions) {
  const server = await mcpServer(options);
  closing.push(server.close);
  return server;
}

function made(request: typeof fetch = fetch) {
  const registry = new ToolRegistry();
  const kept = new Map<string, string>();
  const concealed = new Set<string>();
  let count = 0;
  const servers = new McpServers({
    fetch: (...given) => request(...given),
    store: {
      get: (server) => kept.get(server),
      set: async (server, text) => void kept.set(server, text),
      forget: async (server) => void kept.delete(server),
      conceal: (secret) => void concealed.add(secret),
    },
    redirectUrl: 'http://localhost:4173/signed-in.html',
    clientMetadataUrl: 'https://vitrine.example/client-metadata.json',
    random: () => `state-${++count}`,
    timer: timeoutTimer,
    spawn: () => Promise.reject(new Error('no programs here')),
    register: (tool) => registry.register(tool),
    headers: async (server) => server,
    hide: (text) => text.replaceAll('top-secret', '[hidden]'),
  });
  closing.push(() => servers.set([]));
  return { servers, registry, kept, concealed };
}

/** Resolves with the state of the first server once it has one of these states. */
function reaches(servers: McpServers, ...wanted: ServerState['state'][]): Promise<ServerState> {
  return new Promise((resolve) => {
    const look = () => {
      const state = servers.list()[0]?.state;
      if (!state || !wanted.includes(state.state)) return;
      stop();
      resolve(state);
    };
    const stop = servers.onChange(look);
    look();
  });
}

const remote = (url: string, more: Partial<Extract<ServerConfig, { type: 'remote' }>> = {}) => [
  { name: 'fix', config: { type: 'remote' as const, url, ...more }, workspaceIDs: [WORKSPACE] },
];

const call = (registry: ToolRegistry, id: string, input: JsonObject, test = new TestCall()) => {
  const tool = registry.get(id);
  if (!tool) throw new Error(`no ${id}`);
  return test.run(tool, input);
};

test('the tools of a server are offered, ask as server/tool, and are called', async () => {
  const { url } = await fixture();
  const { servers, registry } = made();
  servers.set(remote(url));
  await servers.settled();
  expect(servers.list()[0]?.state).toEqual({ state: 'connected', tools: ['add', 'fail', 'order', 'draw'] });
  const [add] = await registry.tools(MODEL, 'build');
  expect(add).toMatchObject({
    id: 'fix_add',
    description: 'Adds two numbers',
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  });
  const asked = new TestCall();
  expect(await call(registry, 'fix_add', { a: 2, b: 3 }, asked)).toMatchObject({ output: '5' });
  expect(asked.asks).toMatchObject([{ permission: 'fix/add', patterns: ['*'] }]);
  expect(add?.parse({ a: 'two' })).toMatchObject({ ok: false, message: expect.stringContaining('a') });
});

test('a rule that denies all of a server hides its tools', async () => {
  const { url } = await fixture();
  const { servers, registry } = made();
  servers.set(remote(url));
  await servers.settled();
  const rules = [{ permission: 'mcp_*', pattern: '*', action: 'deny' as const, source: 'settings' as const }];
  expect(await registry.tools(MODEL, 'build', { rules })).toEqual([]);
});

test('an error of the server fails the call with its message', async () => {
  const { url } = await fixture();
  const { servers, registry } = made();
  servers.set(remote(url));
  await servers.settled();
  await expect(call(registry, 'fix_fail', {})).rejects.toThrow('The flux is out of order.');
});

test('images are attached, and other content is reported as left out', async () => {
  const { url } = await fixture();
  const { servers, registry } = made();
  servers.set(remote(url));
  await servers.settled();
  const result = await call(registry, 'fix_draw', {});
  expect(result.output).toBe(
    'a point\n\n[content of type audio/wav is left out: only images and PDFs up to 10 MB are attached]',
  );
  expect(result.attachments).toMatchObject([{ mediaType: 'image/png' }]);
});

test('tools that are added or removed later are offered or withdrawn', async () => {
  const server = await fixture();
  const { servers, registry } = made();
  servers.set(remote(server.url));
  await servers.settled();
  const changed = new Promise<void>((resolve) => {
    const stop = servers.onChange(() => (registry.get('fix_late') ? (stop(), resolve()) : undefined));
  });
  server.addTool();
  await changed;
  expect(await call(registry, 'fix_late', {})).toMatchObject({ output: 'late' });
  servers.set([]);
  expect(registry.ids()).toEqual([]);
});

test('a server that registers clients offers its tools after the sign-in, and the tokens are redacted', async () => {
  const server = await fixture({ protectedBy: 'registration' });
  const { servers, registry, kept, concealed } = made();
  servers.set(remote(server.url, { oauth: { scope: 'tools' } }));
  const state = await reaches(servers, 'sign-in', 'failed', 'no-client');
  if (state.state !== 'sign-in') throw new Error(JSON.stringify(state));
  const address = new URL(state.address);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'tools',
    redirect_uri: 'http://localhost:4173/signed-in.html',
    resource: server.url,
  });
  const back = await agree(address);
  expect(await servers.signedIn(new URLSearchParams({ code: 'x', state: 'somebody-else' }))).toBe(false);
  expect(await servers.signedIn(back)).toBe(true);
  await reaches(servers, 'connected');
  expect(await call(registry, 'fix_add', { a: 1, b: 1 })).toMatchObject({ output: '2' });
  const tokens = JSON.parse(kept.get('fix') ?? '{}').tokens;
  expect(concealed).toContain(tokens.access_token);
  expect(concealed).toContain(tokens.refresh_token);
  // The answer was used, so the same one is not expected again.
  expect(await servers.signedIn(back)).toBe(false);

  server.expire();
  expect(await call(registry, 'fix_add', { a: 4, b: 1 })).toMatchObject({ output: '5' });
  expect(JSON.parse(kept.get('fix') ?? '{}').tokens.access_token).not.toBe(tokens.access_token);
});

test('a server without client registration needs a client id', async () => {
  const server = await fixture({ protectedBy: 'known-client' });
  const { servers } = made();
  servers.set(remote(server.url));
  expect(await reaches(servers, 'sign-in', 'no-client', 'failed')).toMatchObject({
    state: 'no-client',
    fault: { next: 'Register a client there and enter its client id.' },
  });
  servers.set(remote(server.url, { oauth: { clientId: server.knownClient } }));
  const state = await reaches(servers, 'sign-in', 'failed');
  expect(state).toMatchObject({ state: 'sign-in', address: expect.stringContaining(server.knownClient) });
});

test('a configured client secret is sent with its scope, and redacted', async () => {
  const concealed: string[] = [];
  const signIn = new SignIn({
    server: 'fix',
    url: 'https://example.com/mcp',
    config: { clientId: 'me', clientSecret: 'of-the-client', scope: 'tools' },
    store: {
      get: () => undefined,
      set: async () => {},
      forget: async () => {},
      conceal: (secret) => void concealed.push(secret),
    },
    redirectUrl: 'http://localhost:4173/signed-in.html',
    random: () => 'state',
  });
  expect(signIn.clientMetadata).toMatchObject({
    scope: 'tools',
    token_endpoint_auth_method: 'client_secret_post',
  });
  expect(await signIn.clientInformation()).toEqual({ client_id: 'me', client_secret: 'of-the-client' });
  expect(concealed).toContain('of-the-client');
});

test('credentials for another address are not sent', async () => {
  const first = await fixture({ protectedBy: 'registration' });
  const { servers, kept } = made();
  servers.set(remote(first.url));
  const state = await reaches(servers, 'sign-in');
  if (state.state === 'sign-in') await servers.signedIn(await agree(new URL(state.address)));
  await reaches(servers, 'connected');
  const { access_token: token } = JSON.parse(kept.get('fix') ?? '{}').tokens;
  const other = await fixture({ protectedBy: 'registration' });
  servers.set(remote(other.url));
  await reaches(servers, 'sign-in');
  expect(JSON.stringify(other.requests)).not.toContain(token);
});

test('a refused sign-in says so', async () => {
  const server = await fixture({ protectedBy: 'registration' });
  const { servers } = made();
  servers.set(remote(server.url));
  await reaches(servers, 'sign-in');
  await servers.signedIn(
    new URLSearchParams({ error: 'access_denied', error_description: 'No thanks.', state: 'state-1' }),
  );
  expect(servers.list()[0]?.state).toMatchObject({
    state: 'failed',
    // The page has a button of this name beside it.
    fault: {
      what: 'The sign-in at fix was refused: No thanks.',
      next: 'Connect again to be asked once more.',
    },
  });
});

test('a session that the server does not know any more begins anew, and the call is repeated', async () => {
  const server = await fixture();
  const { servers, registry } = made();
  servers.set(remote(server.url));
  await servers.settled();
  server.forget();
  expect(await call(registry, 'fix_add', { a: 2, b: 3 })).toMatchObject({ output: '5' });
  server.forget();
  const both = [call(registry, 'fix_add', { a: 1, b: 1 }), call(registry, 'fix_add', { a: 2, b: 2 })];
  expect(await Promise.all(both)).toMatchObject([{ output: '2' }, { output: '4' }]);
  expect(servers.list()[0]?.state).toMatchObject({ state: 'connected' });
});

test('a server that went away says so at once, and comes back with the next step', async () => {
  const server = await fixture();
  const { servers, registry } = made();
  servers.set(remote(server.url));
  await servers.settled();
  server.close();
  expect(await reaches(servers, 'failed')).toMatchObject({ fault: { what: expect.stringContaining('fix') } });
  await servers.settled();
  expect(servers.list()[0]?.state).toMatchObject({ state: 'failed', fault: { code: 'unreachable' } });
  await expect(call(registry, 'fix_add', { a: 2, b: 3 })).rejects.toThrow('fix cannot be reached any more.');
  await fixture({ port: server.port });
  await servers.settled();
  expect(servers.list()[0]?.state).toMatchObject({ state: 'connected' });
  expect(await call(registry, 'fix_add', { a: 2, b: 3 })).toMatchObject({ output: '5' });
});

test('a call of a server that is away says which it is and what to do, and the next call reaches it again', async () => {
  let isAway = false;
  const told = answering({
    list: () => ({ tools: [listed('add')] }),
    call: () => ({ content: [{ type: 'text', text: '5' }] }),
  });
  const { servers, registry } = made((...given) =>
    isAway ? Promise.reject(new TypeError('Failed to fetch')) : told(...given),
  );
  servers.set(remote('https://fix.example/mcp'));
  await servers.settled();
  const add = registry.get('fix_add')!;
  isAway = true;
  const away = { what: 'fix cannot be reached any more.', next: expect.stringContaining('Connect again') };
  await expect(new TestCall().run(add, {})).rejects.toMatchObject({ fault: away });
  expect(servers.list()[0]?.state).toMatchObject({ state: 'failed', fault: away });
  await expect(new TestCall().run(add, {})).rejects.toMatchObject({ fault: away });
  isAway = false;
  expect(await new TestCall().run(add, {})).toMatchObject({ output: '5' });
});

test('an unreachable server has failed, and a step does not wait for it', async () => {
  const { servers } = made();
  servers.set(remote('http://127.0.0.1:9/mcp'));
  await servers.settled();
  expect(servers.list()[0]?.state).toMatchObject({ state: 'failed', fault: { code: 'unreachable' } });
});

test.each<[string, () => Response, string]>([
  ['nothing there', () => new Response('nope', { status: 404 }), 'it answered with status 404.'],
  ['a host of files', () => new Response('', { status: 405 }), 'it answered with status 405.'],
  [
    'closed',
    () => new Response('', { status: 403 }),
    'fix lets this page do nothing: it answered with status 403.',
  ],
  ['broken', () => new Response('oops', { status: 502 }), 'fix failed: it answered with status 502.'],
  [
    'a web page',
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    'is no MCP endpoint',
  ],
])('an address with no MCP server says what answers there: %s', async (_, answer, what) => {
  const { servers } = made(async () => answer());
  servers.set(remote('https://fix.example/nothing'));
  await servers.settled();
  const state = servers.list()[0]?.state;
  expect(state).toMatchObject({
    state: 'failed',
    fault: { what: expect.stringMatching(/\.$/), next: expect.stringContaining('again') },
  });
  expect(state).toMatchObject({ fault: { what: expect.stringContaining(what) } });
});

test('an address that would run code is refused for the sign-in', () => {
  const signIn = new SignIn({
    server: 'fix',
    url: 'https://fix.example/mcp',
    config: {},
    store: { get: () => undefined, set: async () => {}, forget: async () => {}, conceal() {} },
    redirectUrl: 'https://app.example/signed-in.html',
    random: () => 's',
  });
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'http://elsewhere.example/'])
    expect(() => signIn.redirectToAuthorization(new URL(address))).toThrow('not safe');
  signIn.redirectToAuthorization(new URL('https://auth.example/authorize'));
  expect(signIn.address?.host).toBe('auth.example');
});

test('a disabled server is not contacted', async () => {
  const server = await fixture();
  const { servers } = made();
  servers.set(remote(server.url, { enabled: false }));
  expect(servers.list()[0]?.state).toEqual({ state: 'off' });
  expect(server.requests).toEqual([]);
});

/** Acts as the person: opens the page and follows its only link. */
async function agree(address: URL): Promise<URLSearchParams> {
  const page = await (await fetch(address)).text();
  const [, href = ''] = /href="([^"]+)"/.exec(page) ?? [];
  return new URL(href.replaceAll('&amp;', '&')).searchParams;
}

/** A server without a network that lists and answers as configured. */
function answering(answers: {
  list(cursor: string | undefined): { readonly tools: readonly object[]; readonly nextCursor?: string };
  call?(name: string): object;
}): typeof fetch {
  return async (_, init) => {
    if (init?.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params = {} } = JSON.parse(String(init.body));
    if (id === undefined) return new Response('', { status: 202 });
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'told', version: '1' },
          }
        : method === 'tools/list'
          ? answers.list(params.cursor)
          : method === 'tools/call'
            ? answers.call?.(params.name)
            : undefined;
    return Response.json({
      jsonrpc: '2.0',
      id,
      ...(result ? { result } : { error: { code: -32601, message: 'unknown' } }),
    });
  };
}

const listed = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' as const },
  ...more,
});

test('servers with the same name in two workspaces do not hide each other’s tools', async () => {
  const { servers, registry } = made(answering({ list: () => ({ tools: [listed('add')] }) }));
  const here = new MemoryWorkspace({ id: 'here' });
  const there = new MemoryWorkspace({ id: 'there' });
  const elsewhere = new MemoryWorkspace({ id: 'elsewhere' });
  servers.set(
    [here, there].map(({ id }) => ({
      name: 'fix',
      config: { type: 'remote' as const, url: `https://${id}.example.com/mcp` },
      workspaceIDs: [id],
    })),
  );
  await servers.settled();
  const offered = async (workspace: MemoryWorkspace) =>
    (await registry.tools(MODEL, 'build', { workspace })).map(({ id }) => id);
  expect(await offered(here)).toEqual(['fix_add']);
  expect(await offered(there)).toEqual(['fix_add']);
  expect(await offered(elsewhere)).toEqual([]);
});

test('an endless list fails the server; one that is too long is cut', async () => {
  let pages = 0;
  const endless = made(
    answering({ list: () => ({ tools: [listed(`t${pages}`)], nextCursor: `${++pages}` }) }),
  );
  endless.servers.set(remote('https://example.com/mcp'));
  await endless.servers.settled();
  expect(endless.servers.list()[0]?.state).toMatchObject({ state: 'failed' });
  expect(pages).toBeLessThanOrEqual(50);

  const tools = Array.from({ length: 10_000 }, (_, n) => listed(`t${n}`));
  const long = made(answering({ list: () => ({ tools }) }));
  long.servers.set(remote('https://example.com/mcp'));
  await long.servers.settled();
  expect(long.registry.ids()).toHaveLength(MAX_TOOLS);
});

test('a secret in a server’s answer or error is redacted', async () => {
  const { servers, registry } = made(
    answering({
      list: () => ({ tools: [listed('echo'), listed('fail')] }),
      call: (name) => ({
        content: [{ type: 'text', text: 'you sent top-secret' }],
        structuredContent: { header: 'top-secret' },
        isError: name === 'fail',
      }),
    }),
  );
  servers.set(remote('https://example.com/mcp'));
  await servers.settled();
  const result = await call(registry, 'fix_echo', {});
  expect(result.output).toBe('you sent [hidden]');
  expect(JSON.stringify(result.metadata)).not.toContain('top-secret');
  await expect(call(registry, 'fix_fail', {})).rejects.toThrow('you sent [hidden]');
});

test('a long description is cut', async () => {
  const description = 'x'.repeat(1_000_000);
  const { servers, registry } = made(
    answering({ list: () => ({ tools: [listed('long', { description })] }) }),
  );
  servers.set(remote('https://example.com/mcp'));
  await servers.settled();
  expect((await registry.tools(MODEL, 'build'))[0]?.description).toHaveLength(10_000);
});

test('each tool has a unique id that no tool of the app has', () => {
  const idsOf = (server: string, ...names: string[]) =>
    offeredTools(
      server,
      names.map((name) => listed(name)),
    ).map(({ id }) => id);
  const [dot, slash] = [idsOf('s', 'a.b', 'a_b')[0]!, idsOf('s', 'a_b', 'a/b')[1]!];
  expect(dot).toMatch(/^s_a_b_[0-9a-f]{8}$/);
  expect(idsOf('s', 'bash', 'bash', 'a.b', 'a_b', 'a/b')).toEqual(['s_bash', dot, 's_a_b', slash]);
  expect(idsOf('s', 'a/b', 'a_b', 'a.b')).toEqual([slash, 's_a_b', dot]);
  const long = 'x'.repeat(100);
  const [first, second] = idsOf('s', `${long}1`, `${long}2`);
  expect(first).toHaveLength(64);
  expect(second).toHaveLength(64);
  expect(first).not.toBe(second);
  const places = { planner: 'plan', builder: 'build', folder: '.opencode/plans' };
  const own = [...builtinTools, ...taskTools([]), ...planTools(places)].map(({ id }) => id);
  expect(own).toContain('apply_patch');
  for (const id of own.filter((each) => each.includes('_'))) {
    const [server = '', ...rest] = id.split('_');
    expect(idsOf(server, rest.join('_'))).toEqual([expect.stringMatching(`^${id}_[0-9a-f]{8}$`)]);
  }
});

test('two servers of a workspace never get the same id, in any order of connecting', async () => {
  const tools: Record<string, readonly string[]> = {
    a: ['b_c', 'd'],
    a_b: ['c', 'd'],
    'a.b': ['c'],
    z: ['add'],
  };
  const { servers, registry } = made((url, init) => {
    const [server = ''] = new URL(String(url)).host.split('.example');
    return answering({
      list: () => ({ tools: tools[server.replace('-', '.')]!.map((name) => listed(name)) }),
    })(url, init);
  });
  const of = (...names: readonly string[]) =>
    names.map((name) => ({
      name,
      config: { type: 'remote' as const, url: `https://${name.replace('.', '-')}.example.com/mcp` },
      workspaceIDs: [WORKSPACE],
    }));
  const offered = async (...names: readonly string[]) => {
    servers.set(of(...names));
    await servers.settled();
    const infos = registry.all();
    return Object.fromEntries(infos.map(({ id, permission }) => [permission, id]));
  };
  expect(await offered('a', 'z')).toEqual({ 'a/b_c': 'a_b_c', 'a/d': 'a_d', 'z/add': 'z_add' });
  const all = await offered('a', 'a_b', 'a.b', 'z');
  expect(Object.keys(all).sort()).toEqual(['a.b/c', 'a/b_c', 'a/d', 'a_b/c', 'a_b/d', 'z/add']);
  expect(new Set(Object.values(all)).size).toBe(6);
  expect(all).toMatchObject({ 'a/d': 'a_d', 'z/add': 'z_add' });
  servers.set([]);
  expect(await offered('a.b', 'z', 'a_b', 'a')).toEqual(all);
  expect(await offered('a', 'z')).toEqual({ 'a/b_c': 'a_b_c', 'a/d': 'a_d', 'z/add': 'z_add' });
});

test('names that are patterns in rules, or no valid names, are not offered', () => {
  const names = ['*', 'a?', 'line\nline', 'x'.repeat(200), '', 'good'];
  const offered = offeredTools(
    's',
    names.map((name) => listed(name)),
  );
  expect(offered.map(({ tool }) => tool.name)).toEqual(['good']);
  const big = listed('big', {
    inputSchema: { type: 'object', properties: { a: { description: 'x'.repeat(200_000) } } },
  });
  expect(offeredTools('s', [big])).toEqual([]);
});

test.each<[string, string[][], string]>([
  ['filled in', [['Large'], ['3'], ['No'], []], 'accept {"size":"l","count":3,"gift":false}'],
  ['left empty where it is needed', [['Large'], [], [], []], 'decline null'],
  ['no number', [['Small'], ['many'], [], []], 'decline null'],
])('an elicitation of the server asks the person: %s', async (_what, answers, output) => {
  const { url } = await fixture();
  const { servers, registry } = made();
  servers.set(remote(url));
  await servers.settled();
  const test = new TestCall();
  test.answers = answers;
  expect(await call(registry, 'fix_order', {}, test)).toMatchObject({ output });
  expect(test.questions).toMatchObject([
    {
      question: expect.stringContaining('fix asks: What shall it be?'),
      options: [{ label: 'Small' }, { label: 'Large' }],
      custom: false,
    },
    { header: 'How many', options: [], custom: true },
    { header: 'gift', options: [{ label: 'Yes' }, { label: 'No' }] },
    { header: 'note', custom: true },
  ]);
});

test('a call that needs more rights offers a wider sign-in, and works after it', async () => {
  const server = await fixture({ protectedBy: 'registration', scopeOfAdd: 'tools:write' });
  const { servers, registry } = made();
  servers.set(remote(server.url));
  const first = await reaches(servers, 'sign-in');
  if (first.state !== 'sign-in') throw new Error('no sign-in');
  expect(first.wider).toBeUndefined();
  await servers.signedIn(await agree(new URL(first.address)));
  await reaches(servers, 'connected');
  await expect(call(registry, 'fix_add', { a: 2, b: 3 })).rejects.toThrow('sign-in with more rights');
  const wider = await reaches(servers, 'sign-in');
  if (wider.state !== 'sign-in') throw new Error('no sign-in');
  expect(wider.wider).toBe(true);
  expect(new URL(wider.address).searchParams.get('scope')).toContain('tools:write');
  await servers.signedIn(await agree(new URL(wider.address)));
  await reaches(servers, 'connected');
  expect(await call(registry, 'fix_add', { a: 2, b: 3 })).toMatchObject({ output: '5' });
});

test('a server that supports client metadata documents gets the address of ours', async () => {
  const server = await fixture({ protectedBy: 'client-metadata' });
  const { servers } = made();
  servers.set(remote(server.url));
  const state = await reaches(servers, 'sign-in', 'failed', 'no-client');
  if (state.state !== 'sign-in') throw new Error(JSON.stringify(state));
  const address = new URL(state.address);
  expect(address.searchParams.get('client_id')).toBe('https://vitrine.example/client-metadata.json');
  await servers.signedIn(await agree(address));
  expect((await reaches(servers, 'connected', 'failed')).state).toBe('connected');
  expect(server.requests.some(({ path }) => path === '/register')).toBe(false);
});
