import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import { requestOver, type ServerRequest } from '../servers/http.ts';
import type { Workspace } from '../workspace.ts';
import { openEmbedded } from './open.ts';

let workspace: Workspace;
const told: number[][] = [];
beforeAll(async () => {
  workspace = openEmbedded({ id: 'wsp_servers', journal: new MemoryJournal(), container: document.body });
  workspace.servers?.onChange(() => told.push(ports()));
  const server = `
    require('http').createServer((request, response) => {
      if (request.url === '/end') return response.end('bye', () => process.exit());
      let size = 0;
      request.on('data', (piece) => (size += piece.length));
      request.on('end', () => response.end(request.method + ' ' + size));
    }).listen(3000);`;
  await workspace.files.write('/home/project/server.js', new TextEncoder().encode(server));
});
afterAll(() => workspace.close());

const ports = () => (workspace.servers?.list() ?? []).map(({ port }) => port);

async function ask(request: Partial<ServerRequest> = {}): Promise<string | null> {
  const connection = await workspace.servers?.connect?.(3000);
  if (!connection) return null;
  const headers = [['host', 'localhost:3000']] as const;
  const { body } = await requestOver(connection, {
    method: 'GET',
    target: '/',
    headers,
    body: null,
    ...request,
  });
  return new Response(body).text();
}

test('the app is told of servers, and reaches them while they listen', async () => {
  expect(ports()).toEqual([]);
  expect(await ask()).toBeNull();
  const process = workspace.spawn('node server.js', { cwd: '/home/project' });
  await expect.poll(ports, { timeout: 20_000 }).toEqual([3000]);
  expect(workspace.servers?.list()).toEqual([{ port: 3000 }]);
  await expect.poll(() => told).toEqual([[3000]]);
  expect(await ask()).toBe('GET 0');
  const size = 5_000_000;
  const body = new Blob([new Uint8Array(size)]).stream();
  expect(await ask({ method: 'POST', body })).toBe(`POST ${size}`);
  expect(await ask({ target: '/end' })).toBe('bye');
  await process.exited;
  await expect.poll(ports).toEqual([]);
  expect(told).toEqual([[3000], []]);
  expect(await ask()).toBeNull();
});
