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
    reach: reachOf({ hosts: async () => hosts, container: document.body, timer: timeoutTimer })('w'),
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
/** The requests that the host got since this was last called. */
async function hits(host: string): Promise<string[]> {
  return (await fetch(`http://${host}/hits`)).json();
}
const to = (url: string) => `http://${named}/to?url=${encodeURIComponent(url)}`;

test('curl reaches an allowed host with its own request, and nothing about the page', async () => {
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

test('fetch and http of node reach it too, with a body and in chunks', async () => {
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

test('an http.Agent with its own connections reaches servers of this machine and of the workspace', async () => {
  const port = named.split(':')[1] ?? '';
  hosts = [`localhost:${port}`];
  const output = await node(`
    import http from 'node:http';
    import net from 'node:net';
    class Connecting extends http.Agent {
      createConnection(options) { return net.connect(options); }
    }
    class Passing extends http.Agent {
      createConnection(options, done) { return super.createConnection(options, done); }
    }
    const own = http.createServer((_request, response) => response.end('{"pathname":"own"}'));
    await new Promise((listening) => own.listen(0, listening));
    const ask = (options) => new Promise((done) => {
      http.get({ host: 'localhost', ...options }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => done(JSON.parse(text).pathname));
      }).on('error', (error) => done(error.code));
    });
    const kept = new Connecting({ keepAlive: true });
    const createConnection = (options) => net.createConnection({ host: options.host, port: options.port });
    for (const how of [{ agent: kept }, { agent: new Passing() }, { createConnection }, { createConnection: (options) => net.connect(options) }])
      console.log(await ask({ port: ${port}, path: '/a', ...how }), await ask({ port: own.address().port, path: '/b', ...how }));
    console.log(await ask({ port: ${port}, path: '/again', agent: kept }), await ask({ port: 1, agent: kept }));
    kept.destroy();
    own.close();
    // A connection that is not opened for a request is not HTTP.
    net.connect(${port}, 'localhost').on('error', (error) => console.log(error.code));
  `);
  expect(output).toBe('/a own\n'.repeat(4) + '/again ECONNREFUSED\nECONNREFUSED\n');
});

test('a host that is not allowed is not requested, and the program learns what to do', async () => {
  const refused = await run(`curl -sS http://${named.replace('127.0.0.1', '127.0.0.2')}/`);
  expect(refused).toMatchObject({ exitCode: 7 });
  const output = await node(`
    await fetch('http://${other.replace('127.0.0.1', 'example.com')}/').catch(({ message, cause }) => console.log(message, cause.code, cause.message));
  `);
  expect(output).toMatch(
    /^fetch failed EACCES example\.com cannot be reached: .* The user can add it under Settings, Tools and servers\n$/,
  );
  expect(await run(`curl -sS http://${other}/`)).toMatchObject({
    output: expect.stringContaining('Failed to connect'),
    exitCode: 7,
  });
  expect([await hits(named), await hits(other)]).toEqual([[], []]);
});

test('a redirect is followed to allowed hosts, and the browser stops it before any other', async () => {
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

test('a program that follows no redirects gets none followed, wherever it leads', async () => {
  hosts = [named, other];
  const output = await node(`
    for (const redirect of ['error', 'manual'])
      await fetch('${to(`http://${other}/b`)}', { redirect }).catch(({ cause }) => console.log(cause.code, cause.message));
    console.log((await fetch('http://${named}/plain', { redirect: 'manual' })).status);
  `);
  expect(output).toBe(
    `undefined unexpected redirect\nERR_REDIRECT ${named} redirects, which this request does not follow; a browser does not say where to\n200\n`,
  );
  expect(await hits(other)).toEqual([]);
});

test('an answer that pages may not read is reported as such, and the host does not learn the page’s address', async () => {
  const { output } = await run(`curl -sS http://${named}/closed`);
  expect(output).toMatch(/does not allow web pages to read it \(CORS\)/);
  // A second request checked whether the host answers at all, and neither names the page.
  expect(await hits(named)).toEqual(['GET /closed', 'GET /']);
});

test('the page itself is never requested, whatever is allowed', async () => {
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

test('ending a program cancels its requests', async () => {
  const ended = await exec(workspace, `curl -sS http://${named}/endless`, { timeoutMs: 1000 });
  expect(ended).toMatchObject({ output: 'begun\n', reason: 'timeout' });
  const heard: string[] = [];
  await expect.poll(async () => (heard.push(...(await hits(named))), heard)).toContain('left /endless');
});

test('if the browser does not enforce the list, no request is made', async () => {
  const frames = () => document.querySelectorAll('iframe').length;
  const before = frames();
  await expect(policedFrame(document.body, location.origin)).rejects.toThrow('does not hold requests');
  expect(frames()).toBe(before);
  (await policedFrame(document.body, `http://${named}`)).close();
  expect(frames()).toBe(before);
});

test('the agent learns which hosts are allowed', async () => {
  expect((await workspace.capabilities()).notes.join('\n')).toContain(`only ${named}: with curl, fetch`);
});
