import { spawn as spawnChild } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Process } from '../../workspace/workspace.ts';
import { connectLocal } from './connection.ts';

const SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
console.error('a line that is no message');
const server = new McpServer({ name: 'local', version: '1' });
server.registerTool('hello', { description: 'Greets' }, () => ({ content: [{ type: 'text', text: 'hello, glass' }] }));
await server.connect(new StdioServerTransport());
`;

/** A program of this machine in place of one of the workspace, with its two streams merged in the same way. */
function programme(code: string): Process {
  const child = spawnChild(process.execPath, ['--input-type=module', '-e', code], { stdio: 'pipe' });
  const pieces: string[] = [];
  let wake = () => {};
  let ended = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      pieces.push(text);
      wake();
    });
  const exited = new Promise<Awaited<Process['exited']>>((resolve) =>
    child.on('close', (code) => {
      ended = true;
      wake();
      resolve({ exitCode: code ?? 137, reason: 'exit', durationMs: 0, cwd: '/', outputMayBeCut: false });
    }),
  );
  return {
    id: 'p1',
    output: (async function* () {
      for (;;) {
        const piece = pieces.shift();
        if (piece !== undefined) yield piece;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    })(),
    write: (input) => void child.stdin.write(input),
    closeInput: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    exited,
  };
}

const signal = new AbortController().signal;

test('messages are exchanged over the streams of a program, whatever else it prints', async () => {
  const connection = await connectLocal(() => programme(SERVER));
  expect(connection.tools.map(({ name }) => name)).toEqual(['hello']);
  expect(
    await connection.call('hello', {}, { signal, progress() {}, elicit: async () => ({ action: 'cancel' }) }),
  ).toMatchObject({
    content: [{ text: 'hello, glass' }],
  });
  await connection.close();
});

test('the output of a program that ended is reported', async () => {
  const failing = connectLocal(() => programme("console.error('no such database'); process.exit(3)"));
  await expect(failing).rejects.toThrow('no such database');
});
