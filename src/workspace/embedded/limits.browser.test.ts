import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type SpawnOptions } from '../workspace.ts';
import type { EmbeddedWorkspace } from './embedded-workspace.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { openEmbedded } from './open.ts';

const QUOTA = 2_000_000;
/** The time limit of programs, unless a test is about theirs. It suffices on a machine ten times slower. */
const SLOW_MS = 60_000;

describe('limits of programs', () => {
  let workspace: EmbeddedWorkspace;
  const run = (command: string, options: SpawnOptions = {}) =>
    exec(workspace, command, { timeoutMs: SLOW_MS, ...options });
  const node = async (program: string, options?: SpawnOptions) => {
    await workspace.files.write('program.mjs', new TextEncoder().encode(program));
    return run('node program.mjs', options);
  };

  beforeAll(() => {
    workspace = openEmbedded({
      id: 'wsp_limits',
      journal: new MemoryJournal(),
      container: document.body,
      quotaBytes: QUOTA,
    });
  });
  afterAll(() => workspace.close());

  test('files: node is told ENOSPC in its own words, what was there stays, and removing makes room', async () => {
    const { output, exitCode } = await node(`
      import fs from 'node:fs';
      fs.writeFileSync('kept', 'kept');
      for (const attempt of [
        () => fs.writeFileSync('big', Buffer.alloc(${QUOTA})),
        () => fs.appendFileSync('kept', Buffer.alloc(${QUOTA})),
        () => { const fd = fs.openSync('other', 'w'); fs.writeSync(fd, Buffer.alloc(${QUOTA})); },
      ])
        try { attempt(); } catch (error) { console.log(error.code, error.errno, error.message.replace(/,.*/, '')); }
      await fs.promises.writeFile('big', Buffer.alloc(${QUOTA})).catch((error) => console.log(error.code));
      console.log(fs.readFileSync('kept', 'utf8'));
      fs.rmSync('big', { force: true });
      fs.rmSync('other', { force: true });
      fs.writeFileSync('small', 'fits');
    `);
    expect(output.split('\n')).toEqual([
      'ENOSPC -28 ENOSPC: no space left on device',
      'ENOSPC -28 ENOSPC: no space left on device',
      'ENOSPC -28 ENOSPC: no space left on device',
      'ENOSPC',
      'kept',
      '',
    ]);
    expect(exitCode).toBe(0);
    expect((await run(`truncate -s ${QUOTA} zeros; cat small`)).output).toMatch(
      /no space left on device.*\nfits$/i,
    );
  });

  test('files: one that is removed while it is open takes its room until it is closed', async () => {
    const { output } = await node(`
      import fs from 'node:fs';
      const code = (attempt) => { try { attempt(); return 'fits'; } catch (error) { return error.code; } };
      const [a, b] = [fs.openSync('open-a', 'w'), fs.openSync('open-b', 'w')];
      fs.writeSync(a, Buffer.alloc(1_200_000));
      fs.unlinkSync('open-a');
      console.log(code(() => fs.writeSync(b, Buffer.alloc(1_200_000))));
      fs.unlinkSync('open-b');
      console.log(code(() => fs.ftruncateSync(b, 1_200_000)), code(() => fs.ftruncateSync(b, 2 ** 31 - 1)));
      console.log(code(() => fs.writeSync(a, Buffer.alloc(10), 0, 10, 2 ** 30)));
      fs.closeSync(a);
      console.log(code(() => fs.ftruncateSync(b, 1_200_000)));
    `);
    expect(output).toBe('ENOSPC\nENOSPC ENOSPC\nENOSPC\nfits\n');
    // The files that the process had open are gone with it.
    expect((await run('head -c 1800000 /dev/zero > room && rm room && echo room')).output).toBe('room\n');
  });

  test('processes: one too many fails with EAGAIN, and the others go on', async () => {
    const { output } = await node(`
      import { spawn } from 'node:child_process';
      const children = Array.from({ length: ${LIMITS.processes + 6} }, () => spawn('sleep', ['30']));
      const ends = await Promise.all(children.map((child) => new Promise((done) => {
        child.on('error', (error) => done(error.code));
        child.on('spawn', () => setTimeout(() => done('runs'), 500));
      })));
      const count = (what) => ends.filter((end) => end === what).length;
      console.log(count('runs') > 20, count('EAGAIN') > 0, count('runs') + count('EAGAIN') === children.length);
      for (const child of children) child.kill();
    `);
    expect(output).toBe('true true true\n');
    expect((await run('echo goes on')).output).toBe('goes on\n');
  });

  test('threads: a thousand are too many, and the workspace answers all the while', async () => {
    const { output, reason } = await node(`
      import { Worker } from 'node:worker_threads';
      let [online, refused] = [0, 0];
      const look = () => {
        if (online + refused < 1000) return;
        console.log(online <= ${LIMITS.processes}, online > 20, refused > 900);
        process.exit();
      };
      for (let n = 0; n < 1000; n++)
        new Worker('setInterval(() => {}, 1000)', { eval: true })
          .on('online', () => (online++, look()))
          .on('error', ({ message }) => (refused++, /EAGAIN/.test(message) || console.log(message), look()));
    `);
    expect({ output, reason }).toEqual({ output: 'true true true\n', reason: 'exit' });
    expect(workspace.status).toEqual({ state: 'ready' });
  });

  test('a program that starts itself again and again ends', async () => {
    await workspace.files.write(
      'fork.js',
      new TextEncoder().encode(`
        const { spawn } = require('node:child_process');
        for (let i = 0; i < 3; i++) spawn(process.execPath, [__filename], { stdio: 'ignore' }).on('error', () => {});
        setInterval(() => {}, 1000);
      `),
    );
    const { reason } = await run('node fork.js', { timeoutMs: 3000 });
    expect(reason).toBe('timeout');
    expect((await run('node -p 1+1')).output).toBe('2\n');
  });

  test('a shell that forks itself again and again is told that it may not, and ends in time', async () => {
    const started = performance.now();
    const { output, reason } = await run(':() { : | : & }; :', { timeoutMs: 2000 });
    expect(reason).toBe('timeout');
    expect(output).toContain('fork: retry: Resource temporarily unavailable');
    expect(performance.now() - started).toBeLessThan(10_000);
    expect((await run('echo goes on')).output).toBe('goes on\n');
  });

  test('output: a command that prints without end is ended and says why', async () => {
    const { output, reason } = await node(`const line = 'x'.repeat(65536); for (;;) console.log(line);`);
    expect(reason).toBe('killed');
    expect(output.length).toBeLessThan(LIMITS.outputBytes + 1_000_000);
    expect(output).toMatch(/printed more than 32 MB\n$/);
  });

  test.for([
    [
      'output that the parent does not read',
      `const flood = 'const b = Buffer.alloc(1 << 20); const f = () => { while (process.stdout.write(b)); process.stdout.once("drain", f); }; f();';
       const child = spawn(process.execPath, ['-e', flood]);
       const held = () => child.stdout.readableLength;`,
    ],
    [
      'input that a child does not read',
      `const child = spawn('sleep', ['30']);
       const b = Buffer.alloc(1 << 20);
       let given = 0;
       const feed = () => { given += b.length; child.stdin.write(b) ? feed() : child.stdin.once('drain', feed); };
       feed();
       const held = () => given;`,
    ],
    [
      'input that a node child does not read',
      `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
       const b = Buffer.alloc(1 << 20);
       let given = 0;
       const feed = () => { given += b.length; child.stdin.write(b) ? feed() : child.stdin.once('drain', feed); };
       feed();
       const held = () => given;`,
    ],
  ] as const)('output: %s waits', async ([, start]) => {
    const { output } = await node(`
      import { spawn } from 'node:child_process';
      ${start}
      let last = 0;
      let same = 0;
      const look = setInterval(() => {
        same = held() > 0 && held() === last ? same + 1 : 0;
        last = held();
        if (same < 10) return;
        clearInterval(look);
        console.log('stands', last < 8 << 20);
        child.kill('SIGKILL');
        process.exit();
      }, 20);
    `);
    expect(output).toBe('stands true\n');
  });

  test.for([
    [
      'a child',
      `import { fork } from 'node:child_process';
       if (process.argv[2]) for (;;) process.send('x'.repeat(1000));
       const child = fork(process.argv[1], ['child']);`,
    ],
    [
      'a thread',
      `import { Worker } from 'node:worker_threads';
       const child = new Worker('const { parentPort } = require("worker_threads"); for (;;) parentPort.postMessage("x".repeat(1000));', { eval: true });`,
    ],
  ] as const)(
    'output: messages of %s that sends them without end leave the workspace well',
    async ([, start]) => {
      const { output, reason } = await node(
        `${start}
      let got = 0;
      child.on('message', () => got++);
      // Timers run at the same time. How many of them fire depends on the machine.
      let ticks = 0;
      setInterval(() => {
        if (++ticks < 10 || got <= 1000) return;
        console.log('got');
        process.exit();
      }, 50);
    `,
      );
      expect({ output, reason }).toEqual({ output: 'got\n', reason: 'exit' });
    },
  );

  test('time: a busy loop ends in time, and keeps what it had printed and written', async () => {
    const started = performance.now();
    const { output, reason, exitCode } = await node(
      `import fs from 'node:fs'; console.log('begun'); fs.writeFileSync('mark', '1'); for (;;);`,
      { timeoutMs: 1000 },
    );
    expect({ output, reason, exitCode }).toEqual({ output: 'begun\n', reason: 'timeout', exitCode: 124 });
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await run('cat mark')).output).toBe('1');
  });

  test('time: Ctrl-C ends a typed line that hears nothing, and only that one', async () => {
    const shell = workspace.openShell({ columns: 80, rows: 24 });
    const busy = `[[ ${'a'.repeat(60)}b =~ ^(a+)+$ ]]`;
    shell.run('trap "echo heard" INT; for i in 1 2 3; do sleep 0.1; done; echo in; ' + busy);
    for await (const event of shell.events) if (event === 'in\n') shell.interrupt();
    expect(await shell.exited).toMatchObject({ reason: 'killed' });
    const patient = workspace.openShell({ columns: 80, rows: 24 });
    patient.run('trap "echo heard" INT; echo in; sleep 30; exit 3');
    let seen = '';
    for await (const event of patient.events) {
      if (typeof event === 'string') seen += event;
      if (event === 'in\n') patient.interrupt();
    }
    expect(seen).toContain('heard');
    expect(await patient.exited).toMatchObject({ reason: 'exit', exitCode: 3 });
  });

  test('time: what a timed-out command started ends with it', async () => {
    const { reason } = await node(
      `import { spawn } from 'node:child_process'; import fs from 'node:fs';
       spawn(process.execPath, ['-e', "setInterval(() => require('fs').appendFileSync('ticks', '.'), 20)"]); setInterval(() => {}, 1000);`,
      { timeoutMs: 1500 },
    );
    expect(reason).toBe('timeout');
    const size = async () => (await workspace.files.stat('ticks'))?.size ?? 0;
    const before = await size();
    await run('sleep 0.3');
    expect(await size()).toBe(before);
  });

  test('network: a host that is not allowed is refused by name, by every way there is', async () => {
    const { output } = await node(`
      import https from 'node:https';
      const say = (error) => console.log((error.cause ?? error).message);
      await fetch('https://not-allowed.example/').then(() => console.log('GOT THROUGH'), say);
      await new Promise((done) => https.get('https://not-allowed.example/', () => console.log('GOT THROUGH')).on('error', (error) => { say(error); done(); }));
      for (const name of ['XMLHttpRequest', 'EventSource', 'importScripts']) console.log(name, typeof globalThis[name]);
    `);
    const lines = output.split('\n');
    expect(lines[0]).toContain('not-allowed.example');
    expect(lines[1]).toContain('not-allowed.example');
    expect(output).not.toContain('GOT THROUGH');
    expect(lines.slice(2, 5)).toEqual([
      'XMLHttpRequest undefined',
      'EventSource undefined',
      'importScripts undefined',
    ]);
  });
});
