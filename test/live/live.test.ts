import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { OFFERED } from '../../src/engine/offered.ts';
import { askAll, chosen, questions, summaryOf } from './live.ts';
import { NotReached, type World } from './question.ts';
import { fetchAs } from './world.ts';

const ORIGIN = 'http://localhost:4173';

interface FakeAnswer {
  readonly status?: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Services that answer what `answers` says; hosts that it does not know are not there. */
function worldOf(
  answers: (url: URL, init: RequestInit) => FakeAnswer | undefined,
  more: Partial<World> = {},
): World {
  return {
    async fetch(address, init = {}) {
      const url = new URL(address);
      const found = answers(url, init);
      if (!found) throw new NotReached(`${url.host} cannot be reached: ENOTFOUND`);
      const { status = 200, body = '', headers = {} } = found;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const all = new Headers({ 'access-control-allow-origin': '*', ...headers });
      return { status, text, headers: all, readable: all.get('access-control-allow-origin') === '*' };
    },
    run: async () => ({ exitCode: 0, output: '' }),
    inBrowsers: async () => ({}),
    ...more,
  };
}

const only = async (id: string, world: World) => (await askAll(chosen([id]), world))[0];

test('without a network every question ends, and says that nothing was learned', async () => {
  const world = worldOf(() => undefined, { run: () => Promise.reject(new NotReached('No network.')) });
  const results = await askAll(questions, world);
  expect(results).toHaveLength(questions.length);
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['not reached', 'not here']));
  const summary = summaryOf(results, '2026-01-01');
  expect(summary).toContain('## Not reached from this machine: nothing was learned about these');
  for (const { id } of results) expect(summary).toContain(`**${id}**`);
});

test('a sign-in that is refused is judged by the app’s own code', async () => {
  const refusing = (status: number, headers = {}) =>
    worldOf((url) =>
      url.pathname === '/api/v1/auth/keys'
        ? { status, headers, body: { error: { message: 'Invalid code' } } }
        : undefined,
    );
  expect(await only('openrouter-refusals', refusing(403))).toMatchObject({
    outcome: 'as expected',
    facts: { cases: [{ status: 403, became: 'sign-in-expired' }, {}, {}] },
  });
  expect(await only('openrouter-refusals', refusing(503))).toMatchObject({ outcome: 'different' });
  const closed = { 'access-control-allow-origin': 'https://openrouter.ai' };
  expect(await only('openrouter-refusals', refusing(403, closed))).toMatchObject({
    outcome: 'different',
    says: expect.stringContaining('a page cannot read that'),
  });
});

test('a model on Hugging Face is compared with the list in size, licence and what a page may read', async () => {
  const [model] = OFFERED;
  if (!model) throw new Error('The list is empty.');
  const hub = (factor: number, license = 'apache-2.0') =>
    worldOf(({ pathname }) => {
      if (pathname.startsWith('/api/models/')) return { body: { cardData: { license } } };
      const { wasm, webgpu } = model.weights;
      const listed = pathname.endsWith(`model_${webgpu.dtype}.onnx`) ? webgpu : wasm;
      const bytes = Math.round(listed.megabytes * 1e6 * factor);
      return { status: 206, headers: { 'content-range': `bytes 0-0/${bytes}` } };
    });
  const id = `hub-${model.id.split('/')[1]?.toLowerCase() ?? ''}`;
  expect(await only(id, hub(1.01))).toMatchObject({ outcome: 'as expected' });
  expect(await only(id, hub(1.1))).toMatchObject({ outcome: 'different' });
  expect(await only(id, hub(1, 'other'))).toMatchObject({ outcome: 'different' });
});

test('a clone and an install are judged by what the command printed', async () => {
  const printing = (exitCode: number, output: string) =>
    worldOf(() => ({}), { run: async () => ({ exitCode, output }) });
  expect(await only('github-clone', printing(0, 'Hello World!\n'))).toMatchObject({ outcome: 'as expected' });
  expect(await only('github-clone', printing(128, 'fatal: no\n'))).toMatchObject({
    outcome: 'different',
    says: 'It ends with code 128: fatal: no',
  });
  expect(await only('npm-install', printing(0, 'added 1 package\ntrue\n'))).toMatchObject({
    outcome: 'as expected',
  });
});

test('a browser’s own model has to keep to the schema', async () => {
  const having = (answer: unknown) =>
    worldOf(() => undefined, { inBrowsers: async () => ({ 'Chrome 150': answer }) });
  expect(await only('prompt-api', having('unavailable'))).toMatchObject({
    outcome: 'answered',
    says: 'Chrome 150: unavailable.',
  });
  expect(await only('prompt-api', having({ answer: '{"say":"Hello."}' }))).toMatchObject({
    outcome: 'as expected',
  });
  expect(await only('prompt-api', having({ answer: 'Hello.' }))).toMatchObject({ outcome: 'different' });
});

test('requests go out as a page’s would, and a host that is not there is named', async () => {
  const server = createServer(({ headers }, response) => {
    response.writeHead(200, { 'Access-Control-Allow-Origin': headers.origin ?? 'none' }).end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const fetchAsPage = fetchAs(ORIGIN);
  expect(await fetchAsPage(`http://127.0.0.1:${port}/`)).toMatchObject({
    status: 200,
    text: 'here',
    readable: true,
  });
  await expect(fetchAsPage('http://name.invalid/')).rejects.toThrow(/^name\.invalid cannot be reached: E/);
});

test('an error of a question fails that question alone', async () => {
  const results = await askAll(
    chosen(['github-clone', 'npm-install']),
    worldOf(() => ({}), {
      run: async (command) => {
        if (command.startsWith('git')) throw new Error('The page crashed.');
        return { exitCode: 0, output: 'true\n' };
      },
    }),
  );
  expect(results.map(({ outcome, says }) => [outcome, says])).toEqual([
    ['failed', 'The page crashed.'],
    ['as expected', 'It does.'],
  ]);
});

test('the list of questions is printed, and nothing is built for it', { timeout: 60_000 }, () => {
  const list = execFileSync('npm', ['run', 'live', '--', '--list', 'github'], { encoding: 'utf8' });
  expect(list).toMatch(/^github-\S+: /m);
  expect(list).not.toMatch(/vite.* build/);
  expect(list).not.toContain('npm-install');
});
