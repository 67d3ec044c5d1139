import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { timeoutTimer } from '../../base/timer.ts';
import { openEmbedded } from '../../workspace/embedded/open.ts';
import { MemoryJournal } from '../../workspace/memory-journal.ts';
import { exec, type Workspace } from '../../workspace/workspace.ts';
import { policedFrame } from './policed-frame.ts';
import { reachOf } from './reach.ts';

const [named, other] = inject('webHosts');
let hosts: string[];
let workspace: Workspace;

beforeAll(() => {
  document.cookie = 'secret=1';
  workspace = openEmbedded({
    id: 'wsp_reach',
    journal: new MemoryJournal(),
    container: document.body,
    reach: reachOf({ hosts: async () => hosts, container: document.body, timer: timeoutTimer }),
  });
});
afterAll(() => workspace.close());
beforeEach(async () => {
  hosts = [named];
  await hits(named);
  await hits(other);
});

const run = async (command: string) => {
  const { output, exitCode } = await exec(workspace, command, { timeoutMs: 20_000 });
  return { output: output.replaceAll('\r', ''), exitCode };
};
const node = async (program: string) => {
  await workspace.files.write('program.mjs', new TextEncoder().encode(program));
  return (await run('node program.mjs')).output;
};
/** What the host was asked since this was last called. */
async function hits(host: string): Promise<string[]> {
  return (await fetch(`http://${host}/hits`)).json();
}
const to = (url: string) => `http://${named}/to?url=${encodeURIComponent(url)}`;

test('curl reaches a host that is named: what it sends, and nothing of the page', async () => {
  const { output, exitCode } = await run(`curl -sS -d x=1 -H 'Authorization: Bearer t' http://${named}/a`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(output)).toEqual({
    method: 'POST',
    pathname: '/a',
    body: 'x=1',
    authorization: 'Bearer t',
  });
  expect((await run(`curl -sS -o kept -w '%{http_code}' http://${named}/a && cat kept`)).output).toMatch(
    /^200\{/,
  );
});

test('so do fetch and http of node, with a body and piece by piece', async () => {
  const output = await node(`
    import http from 'node:http';
    const { body } = await (await fetch('http://${named}/f', { method: 'PUT', body: 'sent' })).json();
    console.log(body);
    http.get('http://${named}/g', (response) => {
      response.setEncoding('utf8').on('data', (text) => console.log(response.statusCode, JSON.parse(text).pathname));
      response.on('end', async () => {
        const reader = (await fetch('http://${named}/endless')).body.getReader();
        console.log(new TextDecoder().decode((await reader.read()).value).trim());
        await reader.cancel();
      });
    });
  `);
  expect(output).toBe('sent\n200 /g\nbegun\n');
});

test('a host that is not named is not asked, and the program is told what to do', async () => {
  const refused = await run(`curl -sS http://${named.replace('127.0.0.1', '127.0.0.2')}/`);
  expect(refused).toMatchObject({ exitCode: 7 });
  const output = await node(`
    await fetch('http://${other.replace('127.0.0.1', 'example.com')}/').catch(({ message, cause }) => console.log(message, cause.code, cause.message));
  `);
  expect(output).toMatch(
    /^fetch failed EACCES example\.com cannot be reached: .* The user can add it under Settings, Web\n$/,
  );
  expect(await run(`curl -sS http://${other}/`)).toMatchObject({
    output: expect.stringContaining('Failed to connect'),
    exitCode: 7,
  });
  expect([await hits(named), await hits(other)]).toEqual([[], []]);
});

test('a redirect is followed to hosts that are named, and the browser stops it before any other', async () => {
  hosts = [named, other];
  const followed = await node(`
    const answer = await fetch('${to(`http://${other}/b`)}');
    console.log(answer.redirected, answer.url, (await answer.json()).pathname);
    await fetch('${to(`http://${other}/b`)}', { redirect: 'error' }).catch(({ cause }) => console.log(cause.message));
  `);
  expect(followed).toBe(`true http://${other}/b /b\nunexpected redirect\n`);
  const shown = await run(
    `curl -sS -o /dev/null -w '%{http_code} %{url_effective}' '${to(`http://${other}/c`)}'`,
  );
  expect(shown.output).toBe(`200 http://${other}/c`);
  await hits(other);
  hosts = [named];
  const { output, exitCode } = await run(`curl -sSL '${to(`http://${other}/b`)}'`);
  expect(output).toContain('redirects to a host that is not among those that programs may reach');
  expect(exitCode).toBe(7);
  for (const own of [
    location.href,
    new URL('/sandbox.html', location.href).href,
    'data:text/plain,x',
    'file:///etc/passwd',
  ])
    expect((await run(`curl -sSL '${to(own)}'`)).exitCode).toBe(7);
  expect(await hits(other)).toEqual([]);
});

test('what a host does not let pages read is told as such, and it is not told where the page comes from', async () => {
  const { output } = await run(`curl -sS http://${named}/closed`);
  expect(output).toMatch(/does not allow web pages to read it \(CORS\)/);
  // Whether it answers at all was asked too, and neither says who asks.
  expect(await hits(named)).toEqual(['GET /closed', 'GET /']);
});

test('the page itself is never asked, whatever is named', async () => {
  const { host } = location;
  hosts = [host, `localhost:${location.port}`, `127.0.0.1:${location.port}`, '*'];
  for (const name of [
    host,
    `localhost:${location.port}`,
    `127.0.0.1:${location.port}`,
    `localhost.:${location.port}`,
  ])
    expect(await run(`curl -sS http://${name}/`)).toMatchObject({ exitCode: 7 });
});

test('a program that is ended gives up what it asked', async () => {
  const ended = await exec(workspace, `curl -sS http://${named}/endless`, { timeoutMs: 1000 });
  expect(ended).toMatchObject({ output: 'begun\n', reason: 'timeout' });
  const heard: string[] = [];
  await expect.poll(async () => (heard.push(...(await hits(named))), heard)).toContain('left /endless');
});

test('where the browser would let a request through that is not on the list, none is made', async () => {
  const frames = () => document.querySelectorAll('iframe').length;
  const before = frames();
  await expect(policedFrame(document.body, location.origin)).rejects.toThrow('does not hold requests');
  expect(frames()).toBe(before);
  (await policedFrame(document.body, `http://${named}`)).close();
  expect(frames()).toBe(before);
});

test('the agent is told which hosts there are', async () => {
  expect((await workspace.capabilities()).notes.join('\n')).toContain(`only ${named}: with curl, fetch`);
});
