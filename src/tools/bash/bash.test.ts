import { describe, expect, test } from 'vitest';
import type { Shell } from '../../../test/support/memory-workspace.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf, type PermissionSettings } from '../../permissions/settings.ts';
import { PermissionDenied } from '../../permissions/types.ts';
import { lockTest, visibilityTest } from '../../protocol/visibility.ts';
import type { ReadLimits } from '../../workspace/workspace.ts';
import { bashTool } from './bash.ts';
import { notesOf } from './notes.ts';

const printing =
  (text: string, exitCode = 0): Shell =>
  ({ print }) => {
    print(text);
    return exitCode;
  };
const callWith = (shell: Shell, files = {}) => new TestCall({ shell, files });

test('output is live and in the result, with exit code and duration', async () => {
  const call = callWith(({ print }) => {
    print('one\n');
    print('two\n');
    return 0;
  });
  const result = await call.run(bashTool, { command: 'echo one; echo two', description: 'Say two words' });
  expect(call.live).toBe('one\ntwo\n');
  expect(result).toMatchObject({
    title: 'Say two words',
    output: 'one\ntwo\n',
    metadata: { exitCode: 0, description: 'Say two words', truncated: false },
  });
  expect(result.metadata['duration']).toBeTypeOf('number');
  expect(call.workspace.spawned).toEqual([
    {
      command: 'echo one; echo two',
      options: expect.objectContaining({ cwd: '/home/project', stdin: '', timeoutMs: 120_000 }),
    },
  ]);
});

test('a non-zero exit code is part of the result', async () => {
  const result = await callWith(printing('boom\n', 3)).run(bashTool, { command: 'false' });
  expect(result.metadata).toMatchObject({ exitCode: 3 });
  expect(result.output).toBe('boom\n\n\n<shell_metadata>\nExit code 3.\n</shell_metadata>');
  expect(result.title).toBe('false');
});

test('an empty output is reported', async () => {
  expect((await callWith(() => 0).run(bashTool, { command: 'true' })).output).toBe('(no output)');
});

test('after a timeout the output so far is kept, with advice on how to get more time', async () => {
  const call = callWith(async ({ print, signal }) => {
    print('started\n');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 0;
  });
  const result = await call.run(bashTool, { command: 'sleep 100', timeout: '5' });
  expect(result.output).toMatch(/^started\n\n\n<shell_metadata>\n.*timeout of 5 ms\. .*larger timeout/);
  expect(result.metadata).toMatchObject({ exitCode: 124, ended: 'timeout' });
});

test.each([[-1], [0], [1e12], ['soon']])('a timeout of %s is refused', async (timeout) => {
  await expect(callWith(() => 0).run(bashTool, { command: 'ls', timeout })).rejects.toThrow('- timeout:');
});

test('an abort stops the process', async () => {
  const call = callWith(async ({ print, signal }) => {
    print('started\n');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 0;
  });
  call.context.output = () => call.abort.abort();
  const result = await call.run(bashTool, { command: 'sleep 100' });
  expect(result.metadata).toMatchObject({ ended: 'killed' });
});

test('a command whose workspace died has failed, as its last writes may be missing', async () => {
  const call = callWith(printing('half\n'));
  const { workspace } = call;
  const spawn = workspace.spawn.bind(workspace);
  workspace.spawn = (...given) => {
    const started = spawn(...given);
    return { ...started, exited: started.exited.then((exit) => ({ ...exit, reason: 'lost' })) };
  };
  await expect(call.run(bashTool, { command: 'make' })).rejects.toMatchObject({
    fault: { code: 'workspace-lost', next: expect.any(String) },
  });
  expect(call.live).toBe('half\n');
});

test('a long output is cut to its end, and kept in full', async () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join('');
  const call = callWith(printing(text, 1));
  const result = await call.run(bashTool, { command: 'build' });
  expect(result.output).toMatch(/^\[Output truncated to the last 2,000 lines\. Full output \(5,000 lines, /);
  expect(result.output).toContain('line 5000\n');
  expect(result.output).toContain('Exit code 1.');
  expect(result.output).not.toContain('line 3000\n');
  expect(result.metadata).toMatchObject({ truncated: true, outputPath: result.fullOutput?.path });
  expect(await call.outputs.read(result.fullOutput?.path ?? '')).toBe(text);
});

describe('workdir', () => {
  test('is where the command runs', async () => {
    const call = callWith(() => 0, { 'sub/a.txt': '' });
    const result = await call.run(bashTool, { command: 'ls', workdir: 'sub' });
    expect(call.workspace.spawned[0]?.options.cwd).toBe('/home/project/sub');
    expect(result.metadata).toMatchObject({ workdir: 'sub' });
    expect(call.asks[0]?.subject).toEqual({ kind: 'command', command: 'ls', workdir: 'sub' });
  });

  test.each(['..', '/etc', 'out', '~/.opencode/truncate'])(
    '%s is refused, and nothing runs',
    async (workdir) => {
      const call = callWith(() => 0);
      call.workspace.files.link('out', '/etc');
      await expect(call.run(bashTool, { command: 'ls', workdir })).rejects.toThrow('outside the workspace');
      expect(call.workspace.spawned).toEqual([]);
      expect(call.asks).toEqual([]);
    },
  );

  test('that is missing or a file is refused', async () => {
    const call = callWith(() => 0, { 'a.txt': '' });
    await expect(call.run(bashTool, { command: 'ls', workdir: 'no' })).rejects.toThrow('no directory no');
    await expect(call.run(bashTool, { command: 'ls', workdir: 'a.txt' })).rejects.toThrow('a.txt is a file');
  });

  test('that leads elsewhere after the answer is refused', async () => {
    const call = callWith(() => 0, { 'a/x': '', 'b/x': '' });
    call.workspace.files.link('link', 'a');
    call.answer = () => call.workspace.files.link('link', 'b');
    await expect(call.run(bashTool, { command: 'ls', workdir: 'link' })).rejects.toThrow(
      'another directory now',
    );
    expect(call.workspace.spawned).toEqual([]);
  });
});

describe('permissions', () => {
  const asked = async (command: string, settings: PermissionSettings = {}) => {
    const call = callWith(() => 0, { '.env': 'SECRET=1', 'conf/.env.local': 'x', 'a.txt': '' });
    call.rules.push(...rulesOf(settings, 'settings'));
    await call.run(bashTool, { command });
    return call.asks.map(({ permission, patterns, always, opaque }) => ({
      permission,
      patterns,
      always,
      ...(opaque && { opaque }),
    }));
  };

  test('are asked for every command, with the patterns for "Always"', async () => {
    expect(await asked('cat a.txt | sort > out && git commit -m "x y"')).toEqual([
      {
        permission: 'bash',
        patterns: ['cat a.txt', 'sort > out', '> out', 'git commit -m "x y"'],
        always: ['cat *', 'sort *', '> out', 'git commit *'],
      },
    ]);
  });

  test('for a dangerous program offer only the exact command for "Always"', async () => {
    const offered = async (command: string) => (await asked(command))[0]?.always;
    expect(await offered('npm test && rm -rf x')).toEqual(['npm test *', 'rm -rf x']);
    expect(await offered('sudo npm ci')).toEqual(['sudo npm ci', 'npm ci *']);
    expect(await offered('/bin/rm x')).toEqual(['/bin/rm x', 'rm x']);
    expect(await offered('rm x*')).toEqual([]);
    expect(await offered('git push origin main; curl -s https://e.org')).toEqual([
      'git push origin main',
      'curl -s https://e.org',
    ]);
    expect(await offered('npx vitest run; yarn workspace a test x; uv pip install b')).toEqual([
      'npx vitest *',
      'yarn workspace a test *',
      'uv pip install *',
    ]);
  });

  test('are not asked for a `cd` inside the workspace, unless a rule names it', async () => {
    expect(await asked('cd src')).toEqual([]);
    expect(await asked('cd ./src/ui && cat a.txt')).toMatchObject([{ patterns: ['cat a.txt'] }]);
    expect(await asked('cd /home/project/src')).toEqual([]);
    for (const outside of [
      'cd',
      'cd /etc',
      'cd ..',
      'cd a/../..',
      'cd -',
      'cd ~',
      'cd "$x"',
      'cd /home/projects',
      'CDPATH=/etc cd x',
    ])
      expect(await asked(outside), outside).not.toEqual([]);
    expect(await asked('cd src', { bash: { '*': 'allow', 'cd *': 'ask' } })).toMatchObject([
      { patterns: ['cd src'] },
    ]);
    await expect(asked('cd src', { bash: { '*': 'allow', 'cd *': 'deny' } })).rejects.toBeInstanceOf(
      PermissionDenied,
    );
    await expect(asked('cd src', { bash: 'deny' })).rejects.toBeInstanceOf(PermissionDenied);
  });

  test('are asked for the raw text where the script cannot be analysed', async () => {
    expect(await asked('eval "$x"')).toEqual([
      { permission: 'bash', patterns: ['eval "$x"'], always: ['eval "$x"'], opaque: true },
    ]);
    expect((await asked('source "rm *"'))[0]?.always).toEqual([]);
  });

  test('and say why it cannot be analysed', async () => {
    const call = callWith(() => 0);
    await call.run(bashTool, { command: 'source a.sh' });
    expect(call.asks[0]?.subject).toEqual({
      kind: 'command',
      command: 'source a.sh',
      whole: 'source runs the commands of a file, which are not written here',
    });
  });

  test('deny a command at any depth', async () => {
    const settings = { bash: { '*': 'allow', 'rm *': 'deny' } } as const;
    expect(await asked('ls', settings)).toEqual([]);
    for (const command of [
      'ls && rm x',
      'echo "$(rm x)"',
      'timeout 5 rm x',
      "sh -c 'ls; rm x'",
      'X=1 "r"m x',
      'eval rm x',
      "trap 'rm x' EXIT",
      '{rm,x}',
    ]) {
      await expect(asked(command, settings), command).rejects.toBeInstanceOf(PermissionDenied);
    }
    expect(await asked('eval rm $x', settings)).toMatchObject([{ opaque: true }]);
  });

  test('are asked for hidden files, named plainly or by a glob', async () => {
    const read = async (command: string) =>
      (await asked(command, { bash: 'allow' })).map(({ permission, patterns }) => [permission, ...patterns]);
    expect(await read('cat a.txt')).toEqual([]);
    expect(await read('cat .env')).toEqual([['read', '.env']]);
    expect(await read('base64 < ./.env')).toEqual([['read', '.env']]);
    expect(await read('echo "$(head -1 conf/.env.local)"')).toEqual([['read', 'conf/.env.local']]);
    expect(await read('cat .e*')).toEqual([['read', '.env']]);
    expect(await read('grep x --file=.env a.txt')).toEqual([['read', '.env']]);
    expect(await read('git commit -m .envy')).toEqual([]);
    expect(await read("git commit -m 'fix: read .env'")).toEqual([]);
    for (const command of [
      'git show HEAD:gone.env',
      'git show HEAD~2:./gone.env',
      'git cat-file -p :0:gone.env',
      'git log -p -- gone.env',
      'git grep TOP HEAD -- :/gone.env',
    ])
      expect(await read(command), command).toEqual([['read', 'gone.env']]);
    // These also throw changes away, which is asked about in every mode.
    for (const command of ['git restore -s HEAD~1 -- gone.env', 'timeout 5 git checkout HEAD -- gone.env'])
      expect(await read(command), command).toContainEqual(['read', 'gone.env']);
    expect(await read('git -C sub show HEAD:x.env')).toEqual([['read', 'x.env', 'sub/x.env']]);
    await expect(asked('cat .env', { bash: 'allow', read: { '*.env': 'deny' } })).rejects.toBeInstanceOf(
      PermissionDenied,
    );
  });
});

test('dangers from the fixed list are named in the request', async () => {
  const call = callWith(() => 0, { 'sub/a.txt': '' });
  await call.run(bashTool, { command: 'rm -rf ..', workdir: 'sub' });
  await call.run(bashTool, { command: 'eval "rm -rf /" $x' });
  await call.run(bashTool, { command: 'eval "rm -rf /"' });
  await call.run(bashTool, { command: 'rm -rf a.txt', workdir: 'sub' });
  expect(call.asks.map(({ dangers }) => dangers?.map(({ kind }) => kind))).toEqual([
    ['remove'],
    ['remove'],
    // Once for eval, and once for the command that it runs.
    ['remove', 'remove'],
    undefined,
  ]);
});

describe('files that the read rules hide', () => {
  const files = { '.env': 'SECRET=1', 'a.txt': '' };
  const limits = (call: TestCall) => call.workspace.spawned[0]?.options.reads;

  test('are hidden from the command, unless they were allowed', async () => {
    const call = callWith(() => 0, files);
    await call.run(bashTool, { command: 'cat .env a.txt' });
    expect(call.asks.map(({ permission }) => permission)).toEqual(['bash', 'read']);
    expect(limits(call)?.except).toEqual(['/home/project/.env']);
    expect(visibilityTest(limits(call)?.visibility)('/home/project/.env')).toBe(false);
    expect(visibilityTest(limits(call)?.visibility)('/home/project/a.txt')).toBe(true);
  });

  test('are hidden from scripts that cannot be analysed, whatever was answered', async () => {
    const call = callWith(() => 0, files);
    await call.run(bashTool, { command: 'x=.env; cat $x; $(echo cat) .env' });
    expect(call.asks).toMatchObject([{ permission: 'bash', opaque: true }]);
    expect(limits(call)?.except).toEqual([]);
  });

  test('that were hidden are counted for the model', async () => {
    const call = callWith(() => 0, files);
    const { spawn } = call.workspace;
    call.workspace.spawn = (...given) => {
      const process = spawn.apply(call.workspace, given);
      return { ...process, exited: process.exited.then((exit) => ({ ...exit, refusedReads: 2 })) };
    };
    const { output } = await call.run(bashTool, { command: 'grep -r x .' });
    expect(output).toMatch(/2 files were kept from this command .* name it plainly/);
  });
});

describe('files that the edit rules deny', () => {
  const settings: PermissionSettings = { bash: 'allow', edit: { '*': 'allow', 'locked.txt': 'deny' } };
  const lockedCall = () => {
    const call = callWith(() => 0, { 'locked.txt': '' });
    call.rules = rulesOf(settings, 'settings');
    return call;
  };

  test('are locked for the command', async () => {
    const call = lockedCall();
    await call.run(bashTool, { command: 'echo $x' });
    const isLocked = lockTest(call.workspace.spawned[0]?.options.reads?.locks);
    expect(['locked.txt', 'open.txt'].map((path) => isLocked(`/home/project/${path}`))).toEqual([
      true,
      false,
    ]);
  });

  test('that it tried to change are named for the model with their rules', async () => {
    const call = lockedCall();
    const { spawn } = call.workspace;
    const refusedWrites = ['/home/project/locked.txt'];
    call.workspace.spawn = (...given) => {
      const process = spawn.apply(call.workspace, given);
      return { ...process, exited: process.exited.then((exit) => ({ ...exit, refusedWrites })) };
    };
    const { output } = await call.run(bashTool, { command: 'echo pw | tee locked.txt' });
    expect(output).toContain("The rules deny 'edit' for locked.txt (rule: edit locked.txt).");
  });

  test('deny the command where the workspace cannot lock them, but not those of an agent that edits nothing', async () => {
    const call = lockedCall();
    const exposed = async ({ locks }: ReadLimits) => ['/home/project/locked.txt'].filter(lockTest(locks));
    Object.assign(call.workspace, { exposed });
    await expect(call.run(bashTool, { command: 'ls' })).rejects.toBeInstanceOf(PermissionDenied);
    call.rules = [
      ...rulesOf({ bash: 'allow' }, 'settings'),
      { permission: 'edit', pattern: '*', action: 'deny', source: 'agent' },
    ];
    await call.run(bashTool, { command: 'ls' });
    expect(call.workspace.spawned).toHaveLength(1);
  });
});

test.each([
  'flock a rm b',
  'watch -n 1 rm b',
  'strace rm b',
  'busybox rm b',
  'script -c "rm b"',
  'su -c "rm b"',
  '/usr/bin/flock a rm b',
  'parallel rm ::: b',
  'hash -p ./rm ls; ls b',
])('%s hides no denied command behind a rule that allows everything', async (command) => {
  const call = callWith(() => 0);
  call.rules.push(...rulesOf({ bash: { '*': 'allow', 'rm *': 'deny' } }, 'settings'));
  await call.run(bashTool, { command });
  expect(call.asks).toMatchObject([{ permission: 'bash', opaque: true }]);
});

test.each([
  '/bin/rm b',
  '/usr/bin/rm b',
  '//usr/local/bin/rm b',
  '../../bin/rm b',
  '/usr/bin/env rm b',
  '/bin/sh -c "rm b"',
  '/usr/bin/timeout 5 /bin/rm b',
])('%s is denied like the command that it runs', async (command) => {
  const call = callWith(() => 0);
  call.rules.push(...rulesOf({ bash: { '*': 'allow', 'rm *': 'deny' } }, 'settings'));
  await expect(call.run(bashTool, { command })).rejects.toBeInstanceOf(PermissionDenied);
});

test.each(['cd /usr/bin && ./rm b', 'cd "$x"; ./rm b', 'cd /; bin/rm b', 'cd ..; cd ..; ./bin/rm b'])(
  '%s hides nothing',
  async (command) => {
    const call = callWith(() => 0);
    call.rules.push(...rulesOf({ bash: { '*': 'allow', 'rm *': 'deny' } }, 'settings'));
    const run = call.run(bashTool, { command });
    await run.catch((error: unknown) => expect(error).toBeInstanceOf(PermissionDenied));
    if (call.workspace.spawned.length > 0) expect(call.asks).toMatchObject([{ opaque: true }]);
  },
);

test('a script of the workspace keeps its name', async () => {
  const call = callWith(() => 0);
  call.rules.push(
    ...rulesOf({ bash: { './test.sh *': 'allow', 'bin/check *': 'allow', 'cd *': 'allow' } }, 'settings'),
  );
  await call.run(bashTool, { command: 'cd sub && ./test.sh all; bin/check' });
  expect(call.asks).toEqual([]);
});

test('a job that goes on in the background is named, with how to look at it and how to end it', () => {
  const exit = { exitCode: 0, reason: 'exit', durationMs: 1, cwd: '/', outputMayBeCut: false } as const;
  const job = {
    id: 4711,
    number: 1,
    owner: 'ses_1',
    command: 'node server.js',
    started: 0,
    log: '/tmp/jobs/4711.log',
    ports: [3000],
    tail: '',
  };
  expect(notesOf({ ...exit, jobs: [4711] }, 1000, [job])).toContain(
    'Job 4711 (`node server.js`) goes on in the background, and listens on port 3000. Its output: `tail /tmp/jobs/4711.log`. To end it: `kill 4711`.',
  );
  expect(
    notesOf({ ...exit, jobs: [4711] }, 1000, [{ ...job, end: { at: 1, exitCode: 1, by: 'itself' } }]),
  ).toContain('has ended already, with exit code 1');
  expect(notesOf(exit, 1000, [job])).toBe('');
});
