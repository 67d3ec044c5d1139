import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type Workspace } from '../workspace.ts';
import { openEmbedded } from './open.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = openEmbedded({ id: 'wsp_ports', journal: new MemoryJournal(), container: document.body });
  const server = `
    const http = require('http');
    http.createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += piece));
      request.on('end', () => {
        if (request.url === '/move') return response.writeHead(302, { Location: '/here' }).end();
        if (request.url === '/missing') response.statusCode = 404;
        response.setHeader('X-Method', request.method);
        response.end(request.url + ' ' + body + '\\n');
        if (request.url === '/stop') process.exit();
      });
    }).listen(3000, () => console.log('listening'));`;
  await workspace.files.write('/home/project/server.js', new TextEncoder().encode(server));
});
afterAll(() => workspace.close());

const run = async (command: string) => {
  const { output, exitCode } = await exec(workspace, command, { cwd: '/home/project', timeoutMs: 60_000 });
  return { output, exitCode };
};

test('curl reaches a server that a node process of the workspace runs', async () => {
  const { output } = await run(
    [
      'touch log; node server.js > log & until grep -q listening log; do sleep 0.1; done',
      'curl -s http://localhost:3000/a?b=1',
      "curl -s -d x=1 -w '%{http_code}\\n' localhost:3000/post",
      'curl -sL localhost:3000/move',
      'curl -s -o got localhost:3000/file; cat got',
      'curl -sI localhost:3000/head | grep -i x-method',
      'curl -fsS localhost:3000/missing; echo "left with $?"',
      'kill %1',
    ].join('\n'),
  );
  expect(output.replaceAll('\r', '')).toBe(
    [
      '/a?b=1 ',
      '/post x=1',
      '200',
      '/here ',
      '/file ',
      'X-Method: HEAD',
      'curl: (22) The requested URL returned error: 404',
      'left with 22',
      '',
    ].join('\n'),
  );
});

test('nothing is reached outside, and nothing where nobody listens', async () => {
  expect(await run('curl -sS http://localhost:4999/')).toEqual({
    output: "curl: (7) Failed to connect to localhost port 4999 after 0 ms: Couldn't connect to server\n",
    exitCode: 7,
  });
  const outside = await run('curl -sS https://example.com/');
  expect(outside.exitCode).toBe(7);
  expect(outside.output).toContain('example.com cannot be reached');
  const fetched = await run(
    `node -e "fetch('https://example.com/').catch((e) => console.log(e.message, e.cause.code))"`,
  );
  expect(fetched).toEqual({ output: 'fetch failed EACCES\n', exitCode: 0 });
});
