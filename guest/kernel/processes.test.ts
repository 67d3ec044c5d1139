import { expect, test } from 'vitest';
import { kernelWith, type NodeProgram } from '../../test/support/kernel.ts';
import { DATA_AT } from '../shared/shared-answer.ts';
import { startChild } from '../shell/children.ts';
import type { serveShell } from '../shell/serve.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a shell starts a process and passes on its output and exit code', async () => {
  const { run, output } = kernelWith((peer, { args, cwd }) => {
    peer.post({ kind: 'output', stream: 1, bytes: bytes(`${args.join(' ')} in ${cwd}\n`) });
    peer.post({ kind: 'exit', exitCode: 7 });
  });
  expect(await run('node a.js "b c"; echo code $?')).toMatchObject({ exitCode: 0, reason: 'exit' });
  expect(output()).toBe('a.js b c in /home/project\ncode 7\n');
});

test('processes can start shells and other processes, and each hears only of its own', async () => {
  const { run, output } = kernelWith((peer, { env }) => {
    peer.onMessage((message) => {
      if (message.kind !== 'child') return;
      if (message.message.kind === 'childOutput')
        peer.post({ kind: 'output', stream: 1, bytes: message.message.bytes });
      if (message.message.kind === 'childExited')
        peer.post({ kind: 'exit', exitCode: message.message.exitCode });
    });
    const program = { kind: 'shell', script: 'echo $WORD; exit 3', args: [] } as const;
    const start = { id: 1, program, cwd: '/', env: { ...env, WORD: 'hello' } };
    peer.post({ kind: 'child', message: { kind: 'startChild', start } });
  });
  expect(await run('node x; echo $?')).toMatchObject({ exitCode: 0 });
  expect(output()).toBe('hello\n3\n');
});

test('a message to a process that has not started yet is delivered when it has', async () => {
  const { run, output } = kernelWith((peer, { channel, env }) => {
    peer.onMessage((message) => {
      if (message.kind === 'message') {
        peer.post({ kind: 'output', stream: 1, bytes: bytes(`heard ${String(message.data)}`) });
        peer.post({ kind: 'exit', exitCode: 0 });
      }
      if (message.kind !== 'child') return;
      if (message.message.kind === 'childOutput')
        peer.post({ kind: 'output', stream: 1, bytes: message.message.bytes });
      if (message.message.kind === 'childExited') peer.post({ kind: 'exit', exitCode: 0 });
    });
    if (channel) return;
    const program = { kind: 'node', args: [] } as const;
    const start = { id: 1, program, cwd: '/', env, channel: true };
    peer.post({ kind: 'child', message: { kind: 'startChild', start } });
    peer.post({ kind: 'child', message: { kind: 'messageChild', id: 1, data: 'early' } });
  });
  await run('node x');
  expect(output()).toBe('heard early');
});

test('killing a process of the app ends everything below it', async () => {
  const { run, kernel, ended } = kernelWith((peer) => {
    peer.post({ kind: 'output', stream: 1, bytes: bytes('up\n') });
    kernel.hear({ kind: 'kill', process: 'p' });
  });
  expect(await run('node forever')).toMatchObject({ reason: 'killed' });
  expect(ended).toContain('node');
});

test('the number of processes that run at once is limited', async () => {
  const { run, output } = kernelWith(
    () => {},
    async (_files, _script, { output: print }) => {
      const nothing = { read: () => null, unread() {}, close() {} };
      const sink = { write() {} };
      const streams = { stdin: nothing, stdout: sink, stderr: sink };
      const what = { program: { kind: 'node', args: [] }, cwd: '/', env: {} } as const;
      const started = Array.from({ length: 64 }, () =>
        startChild(what, streams, new AbortController().signal),
      );
      await Promise.race(started).catch((error: Error) => print(bytes(error.message)));
      return { exitCode: 0, cwd: '/' };
    },
  );
  expect(await run('')).toMatchObject({ exitCode: 0 });
  expect(output()).toBe('resource temporarily unavailable: 64 processes are running already');
});

test('a signal ends a process that does not handle it, and reaches one that does', async () => {
  const catching = kernelWith((peer) => {
    peer.onMessage((message) => {
      if (message.kind === 'signal') peer.post({ kind: 'exit', exitCode: 9 });
    });
    peer.post({ kind: 'catches', signals: ['SIGTERM'] });
    peer.post({ kind: 'output', stream: 1, bytes: bytes('.') });
  }, signalled);
  await catching.run('');
  expect(catching.output()).toBe('ended with 9');
  const plain = kernelWith((peer) => {
    peer.post({ kind: 'output', stream: 1, bytes: bytes('.') });
  }, signalled);
  await plain.run('');
  expect(plain.output()).toBe('ended with 143');
});

test('a process in the background gets the signals of its job, and its exit code is the job’s', async () => {
  const script = (signals: string, command = 'node x') =>
    `${command} > /tmp/log & until [ -s /tmp/log ]; do sleep 0.01; done; ${signals}; wait $!; echo $?`;
  const node =
    (catches: boolean): NodeProgram =>
    (peer) => {
      let heard = 0;
      peer.onMessage((message) => {
        if (message.kind === 'signal' && ++heard === 2) peer.post({ kind: 'exit', exitCode: 9 });
      });
      if (catches) peer.post({ kind: 'catches', signals: ['SIGTERM'] });
      peer.post({ kind: 'output', stream: 1, bytes: bytes('.') });
    };
  const ended = async (catches: boolean, signals: string, command?: string) => {
    const { run, output } = kernelWith(node(catches));
    await run(script(signals, command));
    return output();
  };
  expect(await ended(true, 'kill %1; kill -TERM $!')).toBe('9\n');
  expect(await ended(true, 'kill %1; kill -9 %1')).toBe('137\n');
  expect(await ended(false, 'kill %1')).toBe('143\n');
  // In these cases the job is a shell, which a signal ends.
  for (const shell of [
    'f() { node x; echo no >&2; }; f',
    'eval "node x; echo no >&2"',
    '(node x; echo no >&2)',
  ])
    expect(await ended(true, 'kill %1', shell)).toBe('143\n');
});

test.each([
  ['node x', 7],
  ['env node x', 7],
  ['timeout 9 nice node x', 7],
  ['exec sh -c "node x"', 7],
  ['node x | cat', 130],
  ['(true; env node x)', 130],
  ['timeout 9 node x; true', 130],
  [`echo '{"scripts":{"k":"node x"}}' > package.json; npm run -s k`, 7],
])('an interrupt from the app reaches the program of %s once', async (command, exitCode) => {
  let heard = 0;
  const { kernel, run } = kernelWith((peer) => {
    peer.onMessage((message) => {
      if (message.kind === 'signal' && heard++ === 0)
        setTimeout(() => peer.post({ kind: 'exit', exitCode: 7 }), 20);
    });
    peer.post({ kind: 'catches', signals: ['SIGINT'] });
    peer.post({ kind: 'output', stream: 1, bytes: bytes('.') });
    setTimeout(() => kernel.hear({ kind: 'kill', process: 'p', signal: 'SIGINT' }), 20);
  });
  expect(await run(command)).toMatchObject({ exitCode });
  expect(heard).toBe(1);
});

test('code of modules is found by other processes until a restore, unless one that may only read kept it', async () => {
  const memories: SharedArrayBuffer[] = [];
  const { kernel, run } = kernelWith((peer, { args: [kind], shared }) => {
    memories.push(shared);
    const name = '/home/project/a.mjs';
    const call =
      kind === 'keep'
        ? ({ kind: 'keepModuleCode', name, code: Uint8Array.of(7) } as const)
        : ({ kind: 'moduleCode', name } as const);
    peer.post({ kind: 'call', call });
    peer.post({ kind: 'exit', exitCode: 0 });
  });
  const found = async () => {
    await run('node find');
    return new Uint8Array(memories.at(-1) ?? new SharedArrayBuffer(0), DATA_AT, 1)[0];
  };
  await run('node keep', 'p', { reads: { visibility: [], except: [], readOnly: true } });
  expect(await found()).toBe(0);
  await run('node keep');
  expect(await found()).toBe(7);
  kernel.hear({ kind: 'call', id: 1, call: { method: 'restore', entries: [], contents: new Map() } });
  expect(await found()).toBe(0);
});

/** Starts a process, signals it at its first output, and prints how it ended. */
const signalled: NonNullable<Parameters<typeof serveShell>[1]> = async (_files, _script, { output }) => {
  const abort = new AbortController();
  const code = await startChild(
    { program: { kind: 'node', args: [] }, cwd: '/', env: {} },
    {
      stdin: { read: () => null, unread() {}, close() {} },
      stdout: { write: () => abort.abort('SIGTERM') },
      stderr: { write() {} },
    },
    abort.signal,
  );
  await output(bytes(`ended with ${code}`));
  return { exitCode: 0, cwd: '/' };
};

const LINES = { raw: false, echo: true };
const KEYS = { raw: true, echo: false };

test('a process in a terminal gets single keys and the new size, until it ends', async () => {
  const { kernel, type, modes, output } = kernelWith((peer, { terminal }) => {
    const say = (text: string) => peer.post({ kind: 'output', stream: 1, bytes: bytes(text) });
    peer.onMessage((message) => {
      if (message.kind === 'resize') {
        say(`${message.columns}x${message.rows}\n`);
        peer.post({ kind: 'wantInput' });
        kernel.hear({ kind: 'input', process: 'p', bytes: bytes('k') });
      } else if (message.kind === 'input') {
        say(`<${new TextDecoder().decode(message.bytes ?? bytes('end'))}>\n`);
        peer.post({ kind: 'exit', exitCode: 3 });
      }
    });
    say(`${terminal?.columns}x${terminal?.rows}\n`);
    peer.post({ kind: 'keyboard', raw: true });
    kernel.hear({ kind: 'resize', process: 'p', columns: 100, rows: 30 });
  });
  expect(await type('node keys', 'exit $?')).toMatchObject({ exitCode: 3 });
  expect(output()).toBe('80x24\n100x30\n<k>\n');
  expect(modes).toEqual([KEYS, LINES]);
});

test.each([
  ['dies', 'node keys; node keys', [KEYS, LINES, KEYS, LINES]],
  ['dies in a pipeline of a function', 'f() { node keys | cat; }; f', [KEYS, LINES]],
  ['dies below npm', `echo '{"scripts":{"k":"node keys"}}' > package.json; npm run -s k`, [KEYS, LINES]],
  ['has no terminal to read from', 'echo x | node keys', []],
  ['is in the background', 'node keys < /dev/tty & wait', []],
])('the keyboard is as it was after a process that %s', async (_what, line, expected) => {
  const { type, modes, output } = kernelWith((peer) => {
    peer.post({ kind: 'keyboard', raw: true });
    // @ts-expect-error a worker can send anything
    peer.post({ kind: 'nothing that there is' });
  });
  await type(line, 'exit');
  expect(output()).toContain('the process stopped unexpectedly');
  expect(modes).toEqual(expected);
});

const files = (call: unknown) => ({ kind: 'call', call: { kind: 'files', call } });

test.each([
  ['no whole number', () => files({ op: 'readAt', handle: 1, position: 0.5 })],
  // Shared bytes are refused, because a program could change them after the check.
  ['a file', () => files({ op: 'write', path: 'x', content: shared() })],
  ['a piece of a file', () => files({ op: 'writeAt', handle: 3, position: 0, content: shared() })],
  [
    'one of several operations',
    () => ({
      kind: 'call',
      call: { kind: 'severalFiles', calls: [{ op: 'look', path: 'x' }, { op: 'look' }] },
    }),
  ],
  ['output', () => ({ kind: 'output', stream: 1, bytes: shared() })],
  ['bytes to add to a file', () => ({ kind: 'append', handle: 3, bytes: shared() })],
  ['a keyboard that is neither', () => ({ kind: 'keyboard', raw: 1 })],
  [
    'a size of no length',
    () => ({ kind: 'child', message: { kind: 'resizeChild', id: 1, columns: 0.5, rows: 24 } }),
  ],
  ['input', () => ({ kind: 'child', message: { kind: 'childInput', id: 1, bytes: shared() } })],
])('an invalid message ends a node worker: %s', async (_what, lie) => {
  const { run, output } = kernelWith((peer) => {
    // @ts-expect-error a worker can send anything
    peer.post(lie());
  });
  await run('node x; echo $?');
  expect(output()).toBe('vitrine: the process stopped unexpectedly: it sent an invalid message\n137\n');
});

function shared(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(1));
}
