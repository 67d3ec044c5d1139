import { describe, expect, test } from 'vitest';
import { TestCall } from '../../test/support/tool-context.ts';
import { rulesOf } from '../permissions/settings.ts';
import { applyPatchTool } from './apply-patch/tool.ts';
import { editTool } from './edit/edit.ts';
import { writeTool } from './write/write.ts';

const patch = (...lines: string[]) => ({
  patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

/** Every way to change a hidden file. */
const ways = {
  write: (call: TestCall) => call.run(writeTool, { filePath: 'secret/key', content: 'mine' }),
  'write into it as a folder': (call: TestCall) =>
    call.run(writeTool, { filePath: 'secret/key/below', content: 'mine' }),
  edit: (call: TestCall) =>
    call.run(editTool, { filePath: 'secret/key', oldString: 'a', newString: 'b', replaceAll: false }),
  'edit that makes it': (call: TestCall) =>
    call.run(editTool, { filePath: 'secret/key', oldString: '', newString: 'b', replaceAll: false }),
  'patch that adds it': (call: TestCall) =>
    call.run(applyPatchTool, patch('*** Add File: secret/key', '+mine')),
  'patch that deletes it': (call: TestCall) => call.run(applyPatchTool, patch('*** Delete File: secret/key')),
  'patch that updates it': (call: TestCall) =>
    call.run(applyPatchTool, patch('*** Update File: secret/key', '@@', '-a', '+b')),
  'patch that moves a file there': (call: TestCall) =>
    call.run(applyPatchTool, patch('*** Update File: open.txt', '*** Move to: secret/key')),
};

async function outcome(
  way: keyof typeof ways,
  exists: boolean,
  read: Record<string, 'allow' | 'ask' | 'deny'>,
) {
  const files = { 'open.txt': 'open\n', ...(exists && { 'secret/key': 'a\n' }) };
  const call = new TestCall({ files });
  call.rules.push(...rulesOf({ edit: 'allow', read }, 'settings'));
  call.answer = () => Promise.reject(new Error('refused'));
  const said = await ways[way](call).then(
    ({ output }) => output,
    (error: unknown) => String(error),
  );
  return { said, asks: call.asks, left: call.workspace.files.writes.size };
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('%s', (way) => {
  test('has the same result whether a hidden file exists or not', async () => {
    const read = { '*': 'allow', 'secret/*': 'deny' } as const;
    const [there, gone] = [await outcome(way, true, read), await outcome(way, false, read)];
    expect(there).toEqual(gone);
    expect(there.said).toContain('denied by the rules');
    expect(there.left).toBe(0);
  });

  test('asks first where reading asks, and asks the same either way', async () => {
    const read = { '*': 'allow', 'secret/*': 'ask' } as const;
    const [there, gone] = [await outcome(way, true, read), await outcome(way, false, read)];
    expect(there).toEqual(gone);
    expect(there.asks.map(({ permission }) => permission)).toEqual(['read']);
    expect(there.left).toBe(0);
  });
});

test('a file that the session created is changed without asking to read it', async () => {
  const call = new TestCall();
  call.rules.push(...rulesOf({ edit: 'allow' }, 'settings'));
  await call.run(writeTool, { filePath: '.env', content: 'A=1\n' });
  await call.run(writeTool, { filePath: '.env', content: 'A=2\n' });
  expect(call.asks.map(({ permission, patterns }) => [permission, ...patterns])).toEqual([['read', '.env']]);
});
