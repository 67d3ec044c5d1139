import { expect, test } from 'vitest';
import { TestCall } from '../../test/support/tool-context.ts';
import { ready } from './define.ts';
import { readTool } from './read/read.ts';
import { SessionOutputs } from './outputs.ts';

test('outputs are numbered across the session and restored from the log', async () => {
  const call = new TestCall();
  const [one, two] = await Promise.all([call.outputs.save('bash', 'ö'), call.outputs.save('read', 'two')]);
  expect([one.path, two.path]).toEqual([
    '~/.opencode/truncate/ses_1/tool_bash_001.txt',
    '~/.opencode/truncate/ses_1/tool_read_002.txt',
  ]);

  const blobs = { get: async (hash: string) => call.blobs.get(hash), put: async () => {} };
  const reloaded = new SessionOutputs('ses_1', blobs, call.outputs.list());
  expect(await reloaded.read(one.path)).toBe('ö');
  expect((await reloaded.save('bash', 'x')).path).toMatch(/tool_bash_003\.txt$/);
});

test('an unknown path has no output, and a dropped one says why', async () => {
  const call = new TestCall();
  const { path } = await call.outputs.save('bash', 'text');
  expect(await call.outputs.read('~/.opencode/truncate/ses_2/tool_bash_001.txt')).toBeUndefined();
  call.blobs.clear();
  await expect(call.outputs.read(path)).rejects.toThrow(/no longer kept/);
  for (const output of call.outputs.list()) call.outputs.restore({ ...output, dropped: true });
  await expect(call.outputs.read(path)).rejects.toThrow(/no longer kept/);
});

test('generated files are made each time they are read, and are listed', async () => {
  let count = 0;
  const made = new Map([['log.json', async () => `read ${++count}`]]);
  const call = new TestCall();
  const outputs = new SessionOutputs('ses_1', { get: async () => undefined, put: async () => {} }, [], made);
  const path = '~/.opencode/truncate/ses_1/log.json';
  expect(outputs.generated).toEqual([path]);
  expect(outputs.list()).toEqual([]);
  const context = { ...call.context, outputs };
  const read = await ready(readTool, { agent: 'build' });
  const shown = async (filePath: string) => {
    const parsed = read.parse({ filePath });
    if (!parsed.ok) throw new Error(parsed.message);
    return (await read.run(parsed.input, context)).output;
  };
  expect(await shown(path)).toContain('1: read 1');
  expect(await shown(path)).toContain('1: read 2');
  expect(await shown('~/.opencode/truncate/ses_1')).toContain('log.json');
});

test('a tool name cannot leave the directory', async () => {
  const { path } = await new TestCall().outputs.save('../../x', 'text');
  expect(path).toBe('~/.opencode/truncate/ses_1/tool_______x_001.txt');
});
