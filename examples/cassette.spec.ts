import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitrine/playwright';

// It is recorded and replayed in one go here, against a server that stands in for a provider. A project records once,
// commits the cassette, and replays it from then on: see "Cassettes" in docs/testing.md.
test.describe.configure({ mode: 'serial' });
test.use({ vitrine: { permission: 'allow' } });

let provider: Server;
let baseURL: string;
const name = `greeting-${process.ppid}`;

/** Answers as an API does that speaks OpenAI's protocol: with a call, and with a text once it has a result. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  if (request.method === 'OPTIONS') return response.end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { role: string }[] };
  const isDone = messages.at(-1)?.role === 'tool';
  const call = { name: 'write', arguments: '{"filePath":"hello.txt","content":"Hello\\n"}' };
  const delta = isDone
    ? { role: 'assistant', content: 'Done.' }
    : { role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] };
  const end = { index: 0, delta: {}, finish_reason: isDone ? 'stop' : 'tool_calls' };
  response.setHeader('content-type', 'text/event-stream');
  for (const choice of [{ index: 0, delta }, end])
    response.write(
      `data: ${JSON.stringify({ id: 'chat', object: 'chat.completion.chunk', choices: [choice] })}\n\n`,
    );
  return response.end('data: [DONE]\n\n');
}

test.beforeAll(async () => {
  provider = createServer((request, response) => void answer(request, response));
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
});

test.afterAll(async () => {
  provider.close();
  await rm(path.join(import.meta.dirname, 'cassettes/cassette.spec.ts', `${name}.json`), { force: true });
});

for (const mode of ['record', 'replay'] as const)
  test(`${mode}: the agent greets`, async ({ agent, model, workspace }) => {
    // Nobody answers any more when it is replayed.
    if (mode === 'replay') provider.close();
    await model.cassette(
      { provider: 'openai-compatible', model: 'local', baseURL, apiKey: 'a-secret-key' },
      { name, mode },
    );
    expect((await agent.prompt('Write a greeting')).status).toBe('idle');
    await expect(agent).toHaveSaid('Done.');
    await expect(workspace).toHaveFile('hello.txt', 'Hello\n');
  });
