import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitrine/playwright';

const closed: unknown[] = [];

/** The answers of the test's own tool server (MCP), by method. A product would start its real server instead. */
const answers: Readonly<Record<string, (params: { arguments?: { id?: number } }) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'issues', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'close',
        description: 'Closes an issue.',
        inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
      },
    ],
  }),
  'tools/call': ({ arguments: given }) => {
    closed.push(given?.id);
    return { content: [{ type: 'text', text: `Issue ${given?.id} is closed.` }] };
  },
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  if (request.method === 'OPTIONS') return response.writeHead(204).end();
  if (request.method !== 'POST') return response.writeHead(405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
  const result = answers[method]?.(params ?? {});
  // A notification gets no answer.
  if (id === undefined || !result) return response.writeHead(202).end();
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

// An option can be made for each test: the server has an address of its own here.
test.use({
  vitrine: async ({}, use) => {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await use({ permission: 'allow', mcp: { issues: `http://127.0.0.1:${port}/mcp` } });
    server.close();
    server.closeAllConnections();
  },
});

test('the agent closes an issue with the tool of a server', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'issues_close', input: { id: 7 } }] },
    { cases: [{ if: { result: 'Issue 7 is closed' }, text: 'It is closed.' }] },
  ]);
  expect((await agent.prompt('Close issue 7')).status).toBe('idle');
  await expect(agent).toHaveCalled('issues_close', { id: 7 });
  expect(closed).toEqual([7]);
});
