import { describe, expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { hashText } from '../../base/hash.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { readTool } from './read.ts';

const read = (call: TestCall, filePath: string, more = {}) => call.run(readTool, { filePath, ...more });
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('text', () => {
  test('comes as numbered lines with totals, and is recorded as read', async () => {
    const call = new TestCall({ files: { 'src/a.ts': 'one\n  two\n' } });
    expect(await read(call, 'src/a.ts')).toEqual({
      title: 'src/a.ts',
      output: '1: one\n2:   two\n\n(End of file: 2 lines.)',
      metadata: { totalLines: 2, shownLines: 2, truncated: false },
      attachments: [],
    });
    expect(call.reads.seen('/home/project/src/a.ts')).toBe(hashText('one\n  two\n'));
  });

  test.each(['/home/project/src/a.ts', './src/../src/a.ts', '~/project/src/a.ts'])(
    'is found as %s',
    async (path) => {
      const call = new TestCall({ files: { 'src/a.ts': 'x' } });
      expect((await read(call, path)).title).toBe('src/a.ts');
    },
  );

  test('is read in pages, from a line counted from 1', async () => {
    const call = new TestCall({ files: { 'a.txt': lines(10) } });
    const page = await read(call, 'a.txt', { offset: '3', limit: '2' });
    expect(page.output).toBe('3: line 3\n4: line 4\n\n(Lines 3-4 of 10. Continue with offset=5.)');
    expect(page.metadata).toEqual({ totalLines: 10, shownLines: 2, truncated: true });
    expect((await read(call, 'a.txt', { offset: 10 })).output).toContain('(End of file: 10 lines.)');
    await expect(read(call, 'a.txt', { offset: 11 })).rejects.toThrow(
      'past the end of a.txt, which has 10 lines',
    );
    expect((await read(call, 'a.txt', { offset: 0, limit: 1 })).output).toContain('1: line 1\n');
    await expect(read(call, 'a.txt', { offset: -1 })).rejects.toThrow('- offset:');
  });

  test('stops at 2000 lines, at 50 KB, and cuts long lines at 2000 characters', async () => {
    const call = new TestCall({
      files: {
        'many.txt': lines(2001),
        'wide.txt': `${'x'.repeat(1000)}\n`.repeat(100),
        'long.txt': 'é'.repeat(9000),
      },
    });
    expect((await read(call, 'many.txt')).output).toContain(
      '2000: line 2000\n\n(Lines 1-2000 of 2001. Continue with offset=2001.)',
    );
    const wide = await read(call, 'wide.txt');
    expect(new TextEncoder().encode(wide.output).length).toBeLessThan(51_200 + 200);
    expect(wide.output).toMatch(/\(Cut at 50 KB: lines 1-50 of 100\. Continue with offset=51\.\)$/);
    const long = await read(call, 'long.txt');
    expect(long.output).toContain(
      `1: ${'é'.repeat(2000)}… (line cut: 2000 of 9000 characters; continue with column=2001)`,
    );
    expect((await read(call, 'long.txt', { column: 8001 })).output).toContain(`1: ${'é'.repeat(1000)}\n`);
  });

  test('may have CRLF, a byte order mark, no content or no final line break', async () => {
    const call = new TestCall({
      files: { 'crlf.txt': '\uFEFFa\r\nb\r\n', 'empty.txt': '', 'open.txt': 'a\nb' },
    });
    expect((await read(call, 'crlf.txt')).output).toBe('1: a\n2: b\n\n(End of file: 2 lines.)');
    expect((await read(call, 'empty.txt')).output).toBe('(The file is empty.)');
    expect((await read(call, 'open.txt')).metadata).toMatchObject({ totalLines: 2 });
  });
});

test('a missing file is answered with similar names', async () => {
  const call = new TestCall({
    files: { 'src/Button.ts': '', 'src/Button.test.ts': '', 'src/x.ts': '', 'src/.env': '' },
  });
  await expect(read(call, 'src/button')).rejects.toMatchObject({
    fault: {
      code: 'not-found',
      what: 'There is no file src/button.',
      next: 'Did you mean src/Button.test.ts or src/Button.ts?',
    },
  });
  await expect(read(call, 'src/env')).rejects.toMatchObject({ fault: { what: 'There is no file src/env.' } });
  await expect(read(call, 'no/where.ts')).rejects.toThrow('There is no file no/where.ts.');
});

test('a directory is listed, folders marked', async () => {
  const call = new TestCall({
    files: { 'src/a.ts': '', 'src/lib/b.ts': '', 'src/.env': '', 'src/evil\nname': '' },
  });
  expect((await read(call, 'src')).output).toBe(
    'a.ts\nevil\\u000aname\nlib/\n\n(3 entries)\n(1 file was left out: reading is not allowed without asking)',
  );
  expect((await read(call, 'src', { limit: 1 })).output).toContain(
    '(Entries 1-1 of 3. Continue with offset=2.)',
  );
});

describe('binary files', () => {
  test('images and PDFs are attached', async () => {
    const png = new Uint8Array([0x89, 0x50, 0, 1]);
    const call = new TestCall({ files: { 'shot.PNG': png, 'doc.pdf': png, 'icon.svg': '<svg/>' } });
    expect(await read(call, 'shot.PNG')).toMatchObject({
      output: 'The image shot.PNG is attached.',
      metadata: { truncated: false },
      attachments: [{ mediaType: 'image/png', bytes: png, filename: 'shot.PNG' }],
    });
    expect((await read(call, 'doc.pdf')).attachments).toMatchObject([{ mediaType: 'application/pdf' }]);
    expect((await read(call, 'icon.svg')).output).toContain('1: <svg/>');
    call.workspace.files.put('huge.png', new Uint8Array(5 * 1024 * 1024 + 1));
    await expect(read(call, 'huge.png')).rejects.toThrow('can be shown');
  });

  test.each([
    ['a.zip', new Uint8Array([65, 66])],
    ['a.txt', new Uint8Array([65, 0, 66])],
    ['b.txt', new Uint8Array(100).fill(1)],
  ])('%s is refused as binary', async (name, bytes) => {
    const call = new TestCall({ files: { [name]: bytes } });
    await expect(read(call, name)).rejects.toThrow('is a binary file');
    expect(call.reads.seen(`/home/project/${name}`)).toBeUndefined();
  });

  test('invalid UTF-8 is shown with replacement characters', async () => {
    const call = new TestCall({ files: { 'latin1.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]) } });
    expect((await read(call, 'latin1.txt')).output).toContain('1: caf\uFFFD');
  });
});

describe('a file that asks before it is read', () => {
  test('asks before anything about it is revealed', async () => {
    const call = new TestCall();
    await expect(read(call, 'sub/.env')).rejects.toThrow('There is no file');
    expect(call.asks).toEqual([
      {
        permission: 'read',
        patterns: ['sub/.env'],
        always: ['sub/.env'],
        subject: { kind: 'path', path: 'sub/.env' },
      },
    ]);
  });

  test('asks under its real name too', async () => {
    const call = new TestCall({ files: { '.env': 'SECRET=1' } });
    call.workspace.files.link('innocent.txt', '.env');
    await read(call, 'innocent.txt');
    expect(call.asks[0]?.patterns).toEqual(['innocent.txt', '.env']);
    call.rules.push(...rulesOf({ read: { '.env': 'deny' } }, 'settings'));
    await expect(read(call, 'innocent.txt')).rejects.toThrow('denied by the rules');
  });

  test('a name with wildcards saves no pattern', async () => {
    const call = new TestCall({ files: { '*.env': '' } });
    await read(call, '*.env');
    expect(call.asks[0]).toMatchObject({ patterns: ['*.env'], always: [] });
  });

  test.each(['../x', '/etc/passwd', 'out/passwd', '~/x', '/home/project/../x', '~/.config/x'])(
    '%s is outside and refused',
    async (path) => {
      const call = new TestCall();
      call.workspace.files.link('out', '/etc');
      await expect(read(call, path)).rejects.toThrow('outside the workspace');
      expect(call.asks).toEqual([]);
    },
  );

  test('a path with a NUL is refused', async () => {
    await expect(read(new TestCall(), 'a\0b')).rejects.toThrow('a\\u0000b is not a path that can be used');
  });
});

describe('kept outputs', () => {
  test('are read at their path in pages, without asking', async () => {
    const call = new TestCall();
    call.rules.push(...rulesOf({ external_directory: 'ask' }, 'settings'));
    const { path } = await call.outputs.save('bash', lines(3000));
    for (const name of [path, path.replace('~', '/home')]) {
      const page = await read(call, name, { offset: 2999, limit: 1 });
      expect(page.output).toBe('2999: line 2999\n\n(Lines 2999-2999 of 3000. Continue with offset=3000.)');
      expect(page.title).toBe(path);
    }
    expect(call.asks).toEqual([]);
  });

  test('are listed, and only those of this session', async () => {
    const call = new TestCall();
    await call.outputs.save('bash', 'x');
    expect((await read(call, '~/.opencode/truncate')).output).toContain('ses_1/');
    expect((await read(call, '~/.opencode/truncate/ses_1')).output).toContain('tool_bash_001.txt');
    await expect(read(call, '~/.opencode/truncate/ses_2/tool_bash_001.txt')).rejects.toThrow(
      'no kept output',
    );
    await expect(read(call, '~/.opencode/truncate/ses_1/../../../x')).rejects.toThrow(
      'outside the workspace',
    );
  });
});

test('a link that replaces the file while the person decides is not followed', async () => {
  const call = new TestCall({ files: { 'notes.env': 'open', 'keys/id': 'secret' } });
  call.answer = async () => {
    await call.workspace.files.remove('notes.env');
    call.workspace.files.link('notes.env', 'keys/id');
  };
  await expect(call.run(readTool, { filePath: 'notes.env' })).rejects.toThrow(/leads somewhere else now/);
});

describe('instructions of folders', () => {
  const files = {
    'AGENTS.md': 'root',
    'src/AGENTS.md': 'Use tabs.',
    'src/CLAUDE.md': 'Use spaces.',
    'src/ui/CLAUDE.md': 'Be accessible.',
    'src/ui/page.ts': 'page',
    'src/other.ts': 'other',
  };

  test('follow a file once, outermost folder first; those at the root are already known', async () => {
    const call = new TestCall({ files });
    const first = await read(call, 'src/ui/page.ts');
    expect(first.output).toContain(
      '<system-reminder>\nInstructions from: src/AGENTS.md\nUse tabs.\n\nInstructions from: src/ui/CLAUDE.md\nBe accessible.\n</system-reminder>',
    );
    expect(first.metadata['loaded']).toEqual(['src/AGENTS.md', 'src/ui/CLAUDE.md']);
    call.previous.set('read', first.metadata);
    const second = await read(call, 'src/other.ts');
    expect(second.output).not.toContain('Instructions');
    expect(second.metadata['loaded']).toEqual(first.metadata['loaded']);
  });

  test('leave out hidden files, links and the file itself', async () => {
    const call = new TestCall({
      files: { 'src/.env': 'KEY', 'src/a.ts': 'a', 'lib/AGENTS.md': 'x', 'lib/b.ts': 'b' },
    });
    call.workspace.files.link('src/AGENTS.md', '.env');
    call.rules.push(...rulesOf({ read: { 'lib/AGENTS.md': 'deny' } }, 'settings'));
    for (const path of ['src/a.ts', 'lib/b.ts'])
      expect((await read(call, path)).output).not.toContain('Instructions');
    expect((await read(new TestCall({ files }), 'src/AGENTS.md')).output).not.toContain('Instructions');
  });
});
