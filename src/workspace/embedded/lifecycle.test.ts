import { expect, onTestFinished, test } from 'vitest';
import { connectLocally } from '../../../test/support/local-kernel.ts';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import type { FileJournal, JournalChange } from '../../protocol/journal.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type FileChange, type WorkspaceStatus } from '../workspace.ts';
import { EmbeddedWorkspace, type EmbeddedOptions } from './embedded-workspace.ts';
import type { Connection } from './kernel-link.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Opens a workspace whose kernels the test can disconnect, and whose states it can wait for. */
function open(options: Partial<EmbeddedOptions> = {}) {
  const connections: Connection[] = [];
  const workspace = new EmbeddedWorkspace({
    id: 'wsp_test',
    journal: new MemoryJournal(),
    connect: async () => {
      const connection = await connectLocally();
      connections.push(connection);
      return connection;
    },
    programs: async () => ({ shell: new Blob(), search: new Blob() }),
    pulse: { everyMs: 10, misses: 4 },
    ...options,
  });
  const states: WorkspaceStatus[] = [];
  let wake = () => {};
  workspace.onStatus((status) => {
    states.push(status);
    wake();
  });
  const until = async (state: WorkspaceStatus['state']) => {
    while (workspace.status.state !== state) await new Promise<void>((resolve) => (wake = resolve));
  };
  onTestFinished(() => workspace.close());
  return { workspace, connections, states, until };
}

test('a kernel that falls silent is replaced from the journal, and says so', async () => {
  const { workspace, connections, states, until } = open();
  await workspace.files.write('kept', bytes('yes'));
  const running = workspace.spawn('echo started; sleep 60');
  const output = running.output[Symbol.asyncIterator]();
  expect((await output.next()).value).toBe('started\n');
  connections[0]?.close();
  const late = workspace.files.read('kept');
  await expect(late).rejects.toMatchObject({ name: 'WorkspaceError', code: 'EGONE' });
  expect(await running.exited).toMatchObject({ reason: 'lost', exitCode: 137, outputMayBeCut: true });
  expect((await output.next()).value).toBe(
    'vitrine: The workspace stopped answering, as it does when a program takes all of its memory. It starts again with its files.\n',
  );
  await until('ready');
  expect(states.map(({ state }) => state)).toEqual(['ready', 'restarting', 'ready']);
  expect(new TextDecoder().decode(await workspace.files.read('kept'))).toBe('yes');
  expect((await exec(workspace, 'cat kept')).output).toBe('yes');
  expect(connections).toHaveLength(2);
});

test('its pulse is counted by the timer that it is given, which does not stop in hidden tabs', async () => {
  const timer = new ManualTimer();
  const { workspace, connections, until } = open({ timer });
  await workspace.files.write('kept', bytes('yes'));
  connections[0]?.close();
  for (let beat = 0; beat < 6; beat++) timer.advance(10);
  await until('restarting');
  await until('ready');
});

test('the shell is fetched while the kernel starts', async () => {
  let fetches = () => {};
  const fetched = new Promise<void>((resolve) => (fetches = resolve));
  const { until } = open({
    connect: async () => {
      await fetched;
      return connectLocally();
    },
    programs: async () => {
      fetches();
      return { shell: new Blob(), search: new Blob() };
    },
  });
  await until('ready');
});

test('calls made while it is replaced wait for the new one', async () => {
  const { workspace, connections, until } = open();
  await workspace.files.write('kept', bytes('yes'));
  connections[0]?.close();
  await until('restarting');
  expect((await exec(workspace, 'cat kept')).output).toBe('yes');
});

test('a write that was answered outlives the kernel, also without durable', async () => {
  const { workspace, connections, until } = open();
  for (let n = 0; n < 20; n++) await workspace.files.write(`f${n}`, bytes(String(n)));
  connections[0]?.close();
  await until('restarting');
  expect(await workspace.files.list('.')).toHaveLength(20);
});

test.for([
  null,
  'text',
  { kind: 'unheard of' },
  { kind: 'batch', changes: [{ op: 'remove', path: '../../etc' }] },
  {
    kind: 'batch',
    changes: [
      { op: 'put', node: { path: '/abs', type: 'file', mode: 420, modified: 0 }, bytes: new Uint8Array() },
    ],
  },
  {
    kind: 'batch',
    changes: [{ op: 'put', node: { path: 'x', type: 'file', mode: 420, modified: 0 }, bytes: 'text' }],
  },
  {
    kind: 'batch',
    changes: [
      {
        op: 'put',
        node: {
          path: 'node_modules/x',
          type: 'file',
          mode: 420,
          modified: 0,
          stored: { hash: '0'.repeat(64), size: 1 },
        },
        bytes: Uint8Array.of(1),
      },
    ],
  },
  { kind: 'changes', changes: [{ path: '/etc/passwd', change: 'created' }] },
  { kind: 'exited', process: 'prc_1', exit: { exitCode: 'x' } },
  { kind: 'reach', request: { url: 'https://example.com/', method: 'GET', headers: [], body: null } },
  { kind: 'reach', request: { url: 1, method: 'GET', headers: [['a']], body: 'x' }, channel: null },
])('a kernel that says %j is ended, and nothing of it is believed', async (lie) => {
  const journal = new MemoryJournal();
  const { port1, port2 } = new MessageChannel();
  let connected = 0;
  const { workspace, states, until } = open({
    journal,
    connect: async () => (connected++ === 0 ? { port: port1, close: () => port2.close() } : connectLocally()),
  });
  const watched: unknown[] = [];
  workspace.watch((changes) => watched.push(changes));
  port2.postMessage({ kind: 'hello' });
  await until('ready');
  port2.postMessage(lie);
  await until('restarting');
  await until('ready');
  expect(states[1]).toMatchObject({ reason: 'The workspace sent an invalid message.' });
  expect(await journal.load()).toEqual({ packs: [], tail: [] });
  expect(watched).toEqual([]);
});

test('an answer of the wrong shape fails the call and ends that kernel', async () => {
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => {
    if (data.kind === 'start') port2.postMessage({ kind: 'hello' });
    if (data.kind === 'call') port2.postMessage({ kind: 'answer', id: data.id, value: '/etc/passwd' });
  };
  let connected = 0;
  const { workspace } = open({
    connect: async () => (connected++ === 0 ? { port: port1, close: () => port2.close() } : connectLocally()),
  });
  await expect(workspace.files.resolve('x')).rejects.toMatchObject({ code: 'EGONE' });
  expect(await workspace.files.resolve('x')).toBe('/home/project/x');
});

test('one that cannot be started has failed and says why', async () => {
  const { workspace, until } = open({ connect: () => Promise.reject(new Error('no frames here')) });
  await until('failed');
  expect(workspace.status).toMatchObject({ reason: expect.stringContaining('no frames here') });
  await expect(workspace.files.read('x')).rejects.toMatchObject({ code: 'EGONE' });
  expect(await exec(workspace, 'echo x')).toMatchObject({ reason: 'lost' });
});

test('one that never says hello has failed', async () => {
  const { port1, port2 } = new MessageChannel();
  const { until } = open({
    connect: async () => ({ port: port1, close: () => port2.close() }),
    startMs: 30,
  });
  await until('failed');
});

test('one that speaks nonsense before hello has failed, and is not started over and over', async () => {
  let started = 0;
  const { workspace, until } = open({
    connect: async () => {
      started++;
      const { port1, port2 } = new MessageChannel();
      port2.postMessage({ kind: 'nonsense' });
      return { port: port1, close: () => port2.close() };
    },
  });
  await until('failed');
  await expect(workspace.files.read('x')).rejects.toMatchObject({ code: 'EGONE' });
  expect(started).toBe(1);
});

test('a process that prints without end is stopped before it fills the page', async () => {
  const { workspace } = open();
  const result = await exec(workspace, 'while :; do seq 1 200000; done');
  expect(result).toMatchObject({ reason: 'killed' });
  expect(result.output).toMatch(/stopped, because it printed more than 32 MB\n$/);
  expect((await exec(workspace, 'echo alive')).output).toBe('alive\n');
});

test('files that could not be stored are kept, told, and stored when there is room', async () => {
  const inner = new MemoryJournal();
  let full = true;
  const journal: FileJournal = {
    close: () => inner.close(),
    load: () => inner.load(),
    contents: (hashes) => inner.contents(hashes),
    isBehind: false,
    append: (changes) => (full ? Promise.reject(new Error('the disk is full')) : inner.append(changes)),
  };
  const { workspace, connections, until } = open({ journal });
  await workspace.files.write('a', bytes('1'));
  await expect(workspace.durable()).rejects.toMatchObject({
    code: 'ENOSPC',
    message: expect.stringContaining('full'),
  });
  await workspace.files.write('b', bytes('2'));
  connections[0]?.close();
  await until('restarting');
  expect((await workspace.files.list('.')).map(({ name }) => name)).toEqual(['a', 'b']);
  full = false;
  await workspace.durable();
  expect((await inner.load()).tail).toHaveLength(2);
});

test('a workspace that is full refuses writes of both kinds and goes on', async () => {
  const { workspace } = open({ quotaBytes: 100_000 });
  await expect(workspace.files.write('big', new Uint8Array(100_000))).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  await workspace.files.write('a', new Uint8Array(60_000));
  const full = await exec(workspace, 'cp a b');
  expect(full.exitCode).not.toBe(0);
  expect(full.output).toMatch(/no space left/i);
  expect((await exec(workspace, 'rm a; echo x > c; cat c')).output).toBe('x\n');
});

test('closing ends processes and refuses what comes after', async () => {
  const { workspace } = open();
  const running = workspace.spawn('sleep 60');
  await workspace.files.list('.');
  await workspace.close();
  expect(await running.exited).toMatchObject({ reason: 'lost' });
  expect(workspace.status).toEqual({ state: 'closed' });
  await expect(workspace.files.list('.')).rejects.toMatchObject({ code: 'EGONE' });
});

test('full outputs can be read in the shell, not written, and not by tools', async () => {
  const outputs = new Map([
    ['.opencode/truncate/ses_1/tool_bash_001.txt', 'full text\nneedle\n'],
    ['.config/opencode/AGENTS.md', 'Be brief.\n'],
  ]);
  const { workspace } = open({
    outside: {
      async look(path) {
        const text = outputs.get(path);
        if (text !== undefined) return { type: 'file', bytes: bytes(text), modified: 0 };
        const names = [...outputs.keys()].filter((each) => path === '' || each.startsWith(`${path}/`));
        if (path !== '' && names.length === 0) return null;
        const entries = names.map((each) => {
          const [name = '', ...rest] = (path === '' ? each : each.slice(path.length + 1)).split('/');
          const type = rest.length === 0 ? ('file' as const) : ('directory' as const);
          return { name, type, size: outputs.get(each)?.length ?? 0 };
        });
        return { type: 'directory', entries };
      },
    },
  });
  const folder = '~/.opencode/truncate';
  expect((await exec(workspace, `cat ${folder}/ses_1/tool_bash_001.txt`)).output).toBe('full text\nneedle\n');
  expect((await exec(workspace, `ls ${folder}/ses_1; grep -rh needle ${folder}`)).output).toBe(
    'tool_bash_001.txt\nneedle\n',
  );
  expect((await exec(workspace, `cat ${folder}/ses_2/x`)).exitCode).toBe(1);
  expect((await exec(workspace, `echo x > ${folder}/ses_1/tool_bash_001.txt`)).exitCode).not.toBe(0);
  expect((await exec(workspace, `rm -r ${folder}/ses_1`)).exitCode).not.toBe(0);
  expect((await exec(workspace, 'cat ~/.config/opencode/AGENTS.md')).output).toBe('Be brief.\n');
  expect((await exec(workspace, 'echo x > ~/.config/opencode/AGENTS.md')).exitCode).not.toBe(0);
  await expect(
    workspace.files.read('/home/.opencode/truncate/ses_1/tool_bash_001.txt'),
  ).rejects.toMatchObject({ code: 'EACCES' });
  expect((await exec(workspace, `cp ${folder}/ses_1/tool_bash_001.txt here; cat here`)).output).toContain(
    'needle',
  );
});

test('what programs ask hosts outside is handed to the app, and given up when their kernel has ended', async () => {
  let begin: (asked: { url: string; over: AbortSignal }) => void = () => {};
  const asking = new Promise<{ url: string; over: AbortSignal }>((resolve) => (begin = resolve));
  const { workspace } = open({
    reach: {
      hosts: async () => ['example.com'],
      exchange: ({ url }, _channel, over) => begin({ url, over }),
    },
  });
  workspace.spawn('curl -s http://example.com/x');
  const { url, over } = await asking;
  expect([url, over.aborted]).toEqual(['http://example.com/x', false]);
  await workspace.close();
  expect(over.aborted).toBe(true);
});

test('suspended it has no kernel, and its next call finds everything where it was', async () => {
  const journal = new MemoryJournal();
  const { workspace, connections, states } = open({ journal });
  await workspace.files.write('kept', bytes('yes'));
  await exec(
    workspace,
    'ln -s kept link; chmod 700 kept; mkdir /tmp/deep; echo scratch > /tmp/deep/er; ln /tmp/deep/er /tmp/twin',
  );
  const changes: FileChange[] = [];
  workspace.watch((more) => changes.push(...more));
  await workspace.files.write('last', bytes('written'));
  expect(await workspace.suspend()).toBe(true);
  expect(await workspace.suspend()).toBe(true);
  expect(workspace.status).toEqual({ state: 'suspended' });
  expect(connections).toHaveLength(1);
  expect(changes).toEqual([{ path: '/home/project/last', change: 'created' }]);
  // Waiting until everything is stored needs no kernel here.
  await workspace.durable();
  expect(connections).toHaveLength(1);
  const { output } = await exec(
    workspace,
    'cat link last /tmp/deep/er; echo more >> /tmp/twin; cat /tmp/deep/er; stat -c %a kept',
  );
  expect(output).toBe('yeswrittenscratch\nscratch\nmore\n700\n');
  expect(connections).toHaveLength(2);
  expect(states.map(({ state }) => state)).toEqual(['ready', 'suspended', 'starting', 'ready']);
  expect(await workspace.suspend()).toBe(true);
  expect((await exec(workspace, 'cat /tmp/twin')).output).toBe('scratch\nmore\n');
});

test('it is not suspended while something runs in it, or its files cannot be stored', async () => {
  class FullJournal extends MemoryJournal {
    isFull = false;
    override async append(changes: readonly JournalChange[]): Promise<void> {
      if (this.isFull) throw new Error('full');
      return super.append(changes);
    }
  }
  const journal = new FullJournal();
  const { workspace, connections } = open({ journal });
  const running = workspace.spawn('read line; echo "$line"');
  expect(await workspace.suspend()).toBe(false);
  running.write('done\n');
  expect(await running.exited).toMatchObject({ exitCode: 0 });

  const shell = workspace.openShell({ columns: 80, rows: 24 });
  shell.run('kept=1');
  expect(await workspace.suspend()).toBe(false);
  const events = shell.events[Symbol.asyncIterator]();
  const line = async () => {
    for (;;) {
      const { value } = await events.next();
      if (typeof value === 'object' && value.type === 'line') return value;
    }
  };
  expect(await line()).toMatchObject({ isIdle: true });
  shell.run('sleep 100 &');
  expect(await line()).toMatchObject({ isIdle: false });
  expect(await workspace.suspend()).toBe(false);
  shell.kill();
  await shell.exited;

  // This call begins while the workspace is being suspended.
  const suspended = workspace.suspend();
  const list = workspace.files.list('.');
  expect(await suspended).toBe(false);
  expect(await list).toEqual([]);

  journal.isFull = true;
  await workspace.files.write('unwritten', bytes('x'));
  expect(await workspace.suspend()).toBe(false);
  journal.isFull = false;
  expect(await workspace.suspend()).toBe(true);
  expect(connections).toHaveLength(1);
  expect(await workspace.files.list('.')).toMatchObject([{ name: 'unwritten' }]);
});

test('a shell that only waits for a line does not keep it, and ends as suspended', async () => {
  const { workspace } = open();
  const shell = workspace.openShell({ columns: 80, rows: 24 });
  shell.run('mkdir sub; cd sub');
  let output = '';
  for await (const event of shell.events) {
    if (typeof event === 'string') output += event;
    else if (event.type === 'line') expect(await workspace.suspend()).toBe(true);
  }
  expect(output).toBe('');
  expect(await shell.exited).toMatchObject({ reason: 'suspended' });
  expect(workspace.status).toEqual({ state: 'suspended' });
  expect(await workspace.files.list('.')).toMatchObject([{ name: 'sub' }]);
});

test('closed while it is suspended, it is not started for that', async () => {
  const { workspace, connections } = open();
  await workspace.files.list('.');
  await workspace.suspend();
  await workspace.close();
  expect(workspace.status).toEqual({ state: 'closed' });
  expect(connections).toHaveLength(1);
  await expect(workspace.files.list('.')).rejects.toMatchObject({ code: 'EGONE' });
});
