import { afterEach, expect, test } from 'vitest';
import { connectLocally } from '../../test/support/local-kernel.ts';
import { EmbeddedWorkspace } from '../workspace/embedded/embedded-workspace.ts';
import { MemoryJournal } from '../workspace/memory-journal.ts';
import { sandboxSession } from './sandbox.ts';

const opened: EmbeddedWorkspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
});

async function open() {
  const workspace = new EmbeddedWorkspace({
    id: 'sandbox',
    journal: new MemoryJournal(),
    connect: connectLocally,
    programs: async () => ({ shell: new Blob(), search: new Blob() }),
  });
  opened.push(workspace);
  return sandboxSession(workspace);
}

test('files are written, read in ranges, listed and deleted', async () => {
  const sandbox = await open();
  await sandbox.writeTextFile({ path: 'a/b.txt', content: 'one\ntwo\nthree\n' });
  expect(await sandbox.readTextFile({ path: 'a/b.txt', startLine: 2, endLine: 2 })).toBe('two\n');
  expect(await sandbox.readTextFile({ path: 'a/b.txt', startLine: 3, endLine: 9 })).toBe('three\n');
  expect(await sandbox.stat({ path: 'a' })).toMatchObject({ type: 'directory' });
  expect(await sandbox.listDirectory({ path: 'a' })).toEqual([{ name: 'b.txt', type: 'file' }]);
  expect(await sandbox.deleteFile({ path: 'a/b.txt' })).toBe(true);
  expect(await sandbox.deleteFile({ path: 'a/b.txt' })).toBe(false);
  expect(await sandbox.readFile({ path: 'a/b.txt' })).toBeNull();
  expect(await sandbox.listDirectory({ path: 'nowhere' })).toBeNull();
});

test('streams go in and out', async () => {
  const sandbox = await open();
  await sandbox.writeFile({ path: 'x.bin', content: new Blob([new Uint8Array([0, 255, 10])]).stream() });
  const stream = await sandbox.readFile({ path: 'x.bin' });
  expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(new Uint8Array([0, 255, 10]));
});

test('a command runs in its working directory, with its environment', async () => {
  const sandbox = await open();
  await sandbox.writeTextFile({ path: 'dir/f', content: '' });
  const result = await sandbox.run({
    command: 'pwd; echo $GREETING; exit 3',
    workingDirectory: 'dir',
    env: { GREETING: 'hi' },
  });
  expect(result).toEqual({ exitCode: 3, stdout: '/home/project/dir\nhi\n', stderr: '' });
});

test('a process takes input, gives its output and ends', async () => {
  const sandbox = await open();
  const child = await sandbox.spawn({ command: 'read line; echo "got $line"', stdin: true });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode('hello\n'));
  await writer.close();
  expect(await new Response(child.stdout).text()).toBe('got hello\n');
  expect(await child.wait()).toEqual({ exitCode: 0 });
  await child.kill();
});

test('an aborted signal rejects before anything runs', async () => {
  const sandbox = await open();
  const gone = AbortSignal.abort(new Error('enough'));
  await expect(sandbox.run({ command: 'touch made', abortSignal: gone })).rejects.toThrow('enough');
  expect(await sandbox.stat({ path: 'made' })).toBeNull();
});
