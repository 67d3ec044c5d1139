import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { PermissionRejected } from '../../permissions/types.ts';
import { editTool } from './edit.ts';

/** A call that has read the file. */
function callOn(content: string | Uint8Array, path = 'a.txt'): TestCall {
  const call = new TestCall({ files: { [path]: content } });
  call.see(path);
  return call;
}
const edit = (call: TestCall, oldString: string, newString: string, more = {}) =>
  call.run(editTool, { filePath: 'a.txt', oldString, newString, ...more });
const text = (call: TestCall) => call.workspace.files.text('a.txt');

test('replaces text, asks with the real diff, and reports what it did', async () => {
  const call = callOn('one\ntwo\nthree\n');
  const result = await edit(call, 'two', 'TWO');
  expect(text(call)).toBe('one\nTWO\nthree\n');
  expect(result).toMatchObject({
    title: 'a.txt',
    output: 'Edited a.txt: 1 replacement.',
    metadata: { filediff: { file: 'a.txt', additions: 1, deletions: 1 }, truncated: false, exists: true },
  });
  const [ask] = call.asks;
  expect(ask).toMatchObject({ permission: 'edit', patterns: ['a.txt'], always: ['a.txt'] });
  if (ask?.subject.kind !== 'diff') throw new Error('no diff was shown');
  expect(ask.subject.diff).toBe(result.metadata['diff']);
  expect(applyPatch('one\ntwo\nthree\n', ask.subject.diff)).toBe(text(call));
  expect(call.steps).toEqual(['lock /home/project/a.txt', 'ask edit', 'free /home/project/a.txt']);
});

test('one edit after another needs no reading in between', async () => {
  const call = callOn('a b');
  await edit(call, 'a', 'A');
  await edit(call, 'b', 'B');
  expect(text(call)).toBe('A B');
});

describe('text that is missing or not unique', () => {
  test('is refused without asking, with the count', async () => {
    const call = callOn('x x x\n');
    await expect(edit(call, 'y', 'z')).rejects.toMatchObject({ fault: { code: 'no-match' } });
    await expect(edit(call, 'x', 'z')).rejects.toThrow(
      'oldString was found 3 times in a.txt. Nothing was changed.',
    );
    expect(call.asks).toEqual([]);
    expect(text(call)).toBe('x x x\n');
  });

  test('is replaced everywhere with replaceAll', async () => {
    const call = callOn('x x x\n');
    expect((await edit(call, 'x', '$&', { replaceAll: true })).output).toBe('Edited a.txt: 3 replacements.');
    expect(text(call)).toBe('$& $& $&\n');
  });

  test('a block is not matched by its first and last lines alone', async () => {
    const call = callOn('start\none\ntwo\nthree\nend\n');
    await expect(edit(call, 'start\nother\nend', 'gone')).rejects.toMatchObject({
      fault: { code: 'no-match' },
    });
  });
});

describe('line endings and byte order mark', () => {
  test('stay as they are', async () => {
    const call = callOn('\uFEFFone\r\ntwo\r\nthree\r\n');
    await edit(call, 'one\ntwo', '1\n2\n2b');
    expect(text(call)).toBe('\uFEFF1\r\n2\r\n2b\r\nthree\r\n');
  });

  test('in a mixed file are those at the edited position', async () => {
    const call = callOn('a\nb\nc\r\nd\r\n');
    await edit(call, 'a\nb', 'A\nB');
    await edit(call, 'c\nd', 'C\nD');
    expect(text(call)).toBe('A\nB\nC\r\nD\r\n');
  });
});

test('overlapping matches are ambiguous', async () => {
  const call = callOn('}\n}\n}\n');
  await expect(edit(call, '}\n}', '}')).rejects.toMatchObject({
    fault: { code: 'ambiguous-match', what: expect.stringContaining('2 times') },
  });
  expect(call.asks).toEqual([]);
});

describe('a file must have been read', () => {
  test('a file that was not read', async () => {
    const call = new TestCall({ files: { 'a.txt': 'x' } });
    await expect(edit(call, 'x', 'y')).rejects.toMatchObject({
      fault: { code: 'not-read', next: 'Read it first.' },
    });
  });

  test('a file that changed since', async () => {
    const call = callOn('x');
    call.workspace.files.put('a.txt', 'x and more');
    await expect(edit(call, 'x', 'y')).rejects.toMatchObject({ fault: { code: 'changed-since-read' } });
    expect(call.asks).toEqual([]);
  });

  test('a file that was touched but not changed counts as read', async () => {
    const call = callOn('x');
    call.workspace.files.put('a.txt', 'x');
    await edit(call, 'x', 'y');
    expect(text(call)).toBe('y');
  });
});

describe('while the person decides', () => {
  test('a change that alters the diff is asked for again', async () => {
    const call = callOn('one\ntwo\n');
    call.answer = () => {
      if (call.asks.length === 1) call.workspace.files.put('a.txt', 'zero\ntwo\n');
    };
    await edit(call, 'two', 'TWO');
    expect(call.asks).toHaveLength(2);
    expect(call.asks[1]?.subject).toMatchObject({ diff: expect.stringContaining(' zero\n-two\n+TWO') });
    expect(text(call)).toBe('zero\nTWO\n');
  });

  test('a change elsewhere that leaves the diff the same is not', async () => {
    const far = 'x\n'.repeat(20);
    const call = callOn(`two\n${far}`);
    call.answer = () => call.workspace.files.put('a.txt', `two\n${far}end\n`);
    await edit(call, 'two', 'TWO');
    expect(call.asks).toHaveLength(1);
    expect(text(call)).toBe(`TWO\n${far}end\n`);
  });

  test('a change that removes the text to replace fails, and nothing is written', async () => {
    const call = callOn('one\ntwo\n');
    call.answer = () => call.workspace.files.put('a.txt', 'mine\n');
    await expect(edit(call, 'two', 'TWO')).rejects.toMatchObject({ fault: { code: 'no-match' } });
    expect(text(call)).toBe('mine\n');
  });

  test('a change between the check and the write is not overwritten', async () => {
    const call = callOn('one\ntwo\n');
    const { files } = call.workspace;
    const write = files.write.bind(files);
    let raced = false;
    files.write = async (path, content, options) => {
      if (!raced) files.put('a.txt', 'mine\ntwo\n');
      raced = true;
      return write(path, content, options);
    };
    await edit(call, 'two', 'TWO');
    expect(text(call)).toBe('mine\nTWO\n');
    expect(call.asks).toHaveLength(2);
  });

  test('a file that keeps changing is given up', async () => {
    const call = callOn('0 two');
    call.answer = () => call.workspace.files.put('a.txt', `${call.asks.length} two`);
    await expect(edit(call, 'two', 'TWO')).rejects.toMatchObject({ fault: { code: 'keeps-changing' } });
  });

  test('a refusal changes nothing and frees the file', async () => {
    const call = callOn('two');
    call.answer = () => {
      throw new PermissionRejected('no');
    };
    await expect(edit(call, 'two', 'TWO')).rejects.toBeInstanceOf(PermissionRejected);
    expect(text(call)).toBe('two');
    expect(call.steps.at(-1)).toBe('free /home/project/a.txt');
  });
});

describe('files that cannot be edited', () => {
  test.each(['../a.txt', '/etc/passwd', 'out/x'])('%s, outside', async (filePath) => {
    const call = callOn('x');
    call.workspace.files.link('out', '/etc');
    await expect(edit(call, 'x', 'y', { filePath })).rejects.toThrow('outside the workspace');
  });

  test('a kept output', async () => {
    const call = new TestCall();
    const { path } = await call.outputs.save('bash', 'x');
    await expect(edit(call, 'x', 'y', { filePath: path })).rejects.toThrow('cannot be changed');
  });

  test('a directory, a missing file, the same text, an empty search in a full file', async () => {
    const call = callOn('x', 'dir/a.txt');
    await expect(edit(call, 'x', 'y', { filePath: 'dir' })).rejects.toThrow('is a directory');
    await expect(edit(call, 'x', 'y')).rejects.toThrow('There is no file a.txt');
    await expect(edit(call, 'x', 'x')).rejects.toThrow('are the same');
    await expect(edit(call, '', 'y', { filePath: 'dir/a.txt' })).rejects.toMatchObject({
      fault: { code: 'empty-search' },
    });
  });

  test('bytes that are not UTF-8 text', async () => {
    const call = new TestCall({ files: { 'a.txt': new Uint8Array([0x61, 0xe9]) } });
    call.reads.record('/home/project/a.txt', '');
    const { hashBytes } = await import('../../base/hash.ts');
    call.reads.record('/home/project/a.txt', hashBytes(new Uint8Array([0x61, 0xe9])));
    await expect(edit(call, 'a', 'b')).rejects.toMatchObject({ fault: { code: 'not-text' } });
  });
});

test('an empty search makes a new file', async () => {
  const call = new TestCall();
  expect((await edit(call, '', 'new\n')).output).toBe('Created a.txt.');
  expect(text(call)).toBe('new\n');
  expect(call.asks[0]?.subject).toMatchObject({ diff: expect.stringContaining('--- /dev/null') });
});

test('an edit that changes nothing needs no permission', async () => {
  const call = callOn('“a”');
  expect((await edit(call, '"a"', '“a”')).output).toContain('nothing was changed');
  expect(call.asks).toEqual([]);
});

test('a rule for the real path applies through a symlink', async () => {
  const call = callOn('x', 'secret/a.txt');
  call.workspace.files.link('a.txt', 'secret/a.txt');
  call.rules.push(...rulesOf({ edit: { 'secret/*': 'deny' } }, 'settings'));
  await expect(edit(call, 'x', 'y')).rejects.toThrow('denied by the rules');
});

test('applying the shown diff to the old file gives the new file', async () => {
  const line = fc.stringMatching(/^[ab ]{0,4}$/);
  const file = fc.array(line, { maxLength: 12 }).map((all) => all.join('\n'));
  await fc.assert(
    fc.asyncProperty(file, file, file, file, async (before, wanted, after, next) => {
      fc.pre(wanted !== next && wanted !== '');
      const whole = before + wanted + after;
      const call = callOn(whole);
      const result = await edit(call, wanted, next, { replaceAll: true });
      if (call.asks.length === 0) return;
      expect(applyPatch(whole, String(result.metadata['diff']))).toBe(text(call));
    }),
  );
});
