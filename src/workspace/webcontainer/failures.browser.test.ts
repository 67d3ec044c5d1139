import { forgetRuntime } from '@webcontainer/api';
import { expect, inject, onTestFinished, test } from 'vitest';
import { timeoutTimer } from '../../base/timer.ts';
import { bootOnHost, setKnobs } from '../../../test/support/webcontainer/boot.ts';
import type { Knobs } from '../../../test/support/webcontainer/knobs.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type SnapshotSink, type Workspace } from '../workspace.ts';
import { RuntimeBoot } from './boot.ts';
import { openWebContainer } from './open.ts';
import { POOL } from './container.ts';

/** How a test leaves its runtime is not the next one's concern. */
function closedAtTheEnd(workspace: Workspace): void {
  onTestFinished(async () => {
    await workspace.close();
    for (const frame of frames()) frame.remove();
    forgetRuntime();
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);

function opened(knobs: Partial<Knobs> | (() => Partial<Knobs>) = {}, callMs?: number) {
  const journal = new MemoryJournal();
  const options = {
    id: 'wsp_test',
    journal,
    boot: () => bootOnHost(typeof knobs === 'function' ? knobs() : knobs),
    lost: forgetRuntime,
    ...(callMs !== undefined && { callMs }),
  };
  const workspace = openWebContainer(options);
  closedAtTheEnd(workspace);
  return workspace;
}

function sinkOf(contents: Map<string, Uint8Array>): SnapshotSink {
  return {
    missing: async (hashes) => hashes.filter((hash) => !contents.has(hash)),
    put: async (hash, content) => void contents.set(hash, content),
  };
}

test.each<[string, Partial<Knobs>]>([
  ['an output that ends', { outputEnds: true }],
  ['whole characters', { splitCharacters: false }],
  ['errors with codes', { errorCodes: true }],
  ['exits that do not reject', { exitRejects: false }],
  ['a storm of changes', { watchTimes: 200 }],
  ['programs that only the shell finds, refused', { onlyShell: true, missingProgram: 'rejects' }],
  ['programs that only the shell finds, ended with 127', { onlyShell: true, missingProgram: 'exits' }],
])('a job is done with %s', async (_, knobs) => {
  const workspace = opened(knobs);
  await workspace.files.write('a/é.txt', bytes('é\n'));
  expect(await exec(workspace, 'cat a/é.txt > b.txt; cat b.txt; ls')).toMatchObject({
    output: 'é\na\nb.txt\n',
    exitCode: 0,
  });
  const query = { pattern: 'é', limit: 10, timeoutMs: 5_000 };
  expect((await workspace.search.grep(query)).matches).toHaveLength(2);
  const reads = workspace.spawn('cat');
  reads.write('typed\n');
  reads.closeInput();
  let typed = '';
  for await (const piece of reads.output) typed += piece;
  expect(typed).toBe('typed\n');
  await expect(workspace.files.read('none')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a process that cannot be ended is told as such; a restart ends it and keeps every file', async () => {
  const workspace = opened({ killIgnoredMs: Infinity });
  await workspace.files.write('src/kept.bin', Uint8Array.of(0, 255, 10));
  await exec(workspace, 'ln -s src link; chmod 755 src/kept.bin');
  const contents = new Map<string, Uint8Array>();
  const before = await workspace.snapshot(sinkOf(contents));
  const started = performance.now();
  const result = await exec(workspace, 'node -e "for (;;);"', { timeoutMs: 100 });
  expect(performance.now() - started).toBeLessThan(3_500);
  expect(result).toMatchObject({ reason: 'timeout', exitCode: 124, outputMayBeCut: true });
  expect(result.output).toContain('Restart the container');
  expect(workspace.status.state).toBe('stuck');
  await workspace.restart();
  expect(workspace.status.state).toBe('ready');
  expect(await workspace.snapshot(sinkOf(contents))).toEqual(before);
  expect((await exec(workspace, 'echo alive')).output).toBe('alive\n');
});

test('a server is listed with where it can be shown, and gone with its process’s container', async () => {
  const workspace = opened();
  let wake = () => {};
  workspace.servers.onChange(() => wake());
  const heard = new Promise<void>((resolve) => (wake = resolve));
  const server = workspace.spawn(`node -e "require('http').createServer().listen(5173)"`, { stdin: '' });
  await heard;
  expect(workspace.servers.list()).toEqual([{ port: 5173, url: expect.stringMatching(/^https:.*5173/) }]);
  server.kill();
  expect(await server.exited).toMatchObject({ reason: 'killed' });
  await workspace.restart();
  expect(workspace.servers.list()).toEqual([]);
});

test('a workspace that gave its container up goes on with its files when it is asked again', async () => {
  const workspace = opened();
  await exec(workspace, 'echo kept > a.txt');
  expect(await workspace.suspend()).toBe(true);
  expect((await exec(workspace, 'cat a.txt')).output).toBe('kept\n');
  const running = workspace.spawn('node -e "setTimeout(() => {}, 60000)"', { stdin: '' });
  await exec(workspace, 'echo x');
  expect(await workspace.suspend()).toBe(false);
  running.kill();
  await running.exited;
});

test('commands read the full outputs that the app keeps, as they are when they are named', async () => {
  const kept = new Map([['ses_1/tool_bash_001.txt', 'one\nü\n'.repeat(5_000)]]);
  const workspace = openWebContainer({
    id: 'wsp_kept',
    journal: new MemoryJournal(),
    boot: () => bootOnHost(),
    outside: {
      async look(path) {
        const text = kept.get(path);
        if (text !== undefined) return { type: 'file', bytes: bytes(text), modified: 0 };
        const names = new Set(
          [...kept.keys()].flatMap((each) =>
            path === '' ? each.split('/')[0] : each.startsWith(`${path}/`) ? each.slice(path.length + 1) : [],
          ),
        );
        const type = path === '' ? 'directory' : 'file';
        const entries = [...names].map((name) => ({ name: String(name), type, size: 0 }) as const);
        return { type: 'directory', entries };
      },
    },
  });
  closedAtTheEnd(workspace);
  const read = await exec(workspace, 'cat ~/.opencode/truncate/ses_1/tool_bash_001.txt | tail -n 1');
  expect(read).toMatchObject({ output: 'ü\n', exitCode: 0 });
  kept.clear();
  kept.set('ses_1/tool_bash_002.txt', 'two');
  expect((await exec(workspace, 'ls /home/.opencode/truncate/ses_1')).output).toBe('tool_bash_002.txt\n');
  expect(await workspace.files.list('.')).toEqual([]);
});

test('watching pauses while packages are installed, and goes on after it', async () => {
  const watched: string[] = [];
  const workspace = openWebContainer({
    id: 'wsp_watched',
    journal: new MemoryJournal(),
    async boot() {
      const client = await bootOnHost();
      const watch = client.fs.watch.bind(client.fs);
      client.fs.watch = (path: string, ...rest: never[]) => (watched.push(path), watch(path, ...rest));
      return client;
    },
  });
  closedAtTheEnd(workspace);
  await workspace.files.write('src/a.txt', bytes('a'));
  await exec(workspace, 'echo x');
  expect(watched).toEqual(['.', 'src']);
  await exec(workspace, 'echo npm install');
  expect(watched).toEqual(['.', 'src', '.', 'src']);
});

test('what npm would install is neither searched, kept nor in snapshots, but can be read', async () => {
  const workspace = opened();
  await exec(
    workspace,
    'mkdir -p node_modules/x/lib; echo needle > node_modules/x/lib/a.js; echo needle > own.js',
  );
  const query = { limit: 10, timeoutMs: 5_000 };
  const found = await workspace.search.grep({ pattern: 'needle', ...query });
  expect(found.matches.map(({ path }) => path)).toEqual(['/home/project/own.js']);
  const below = await workspace.search.glob({ pattern: '**', path: 'node_modules/x', ...query });
  expect(below.paths).toEqual(['/home/project/node_modules/x/lib/a.js']);
  expect(new TextDecoder().decode(await workspace.files.read('node_modules/x/lib/a.js'))).toBe('needle\n');
  expect((await workspace.files.list('node_modules')).map(({ name }) => name)).toEqual(['x']);
  await expect(workspace.files.read('node_modules/x/none')).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await workspace.snapshot(sinkOf(new Map()))).map(({ path }) => path)).toEqual(['own.js']);
});

test(
  'four thousand files are read about as fast as can be, and a search is one process',
  { timeout: 60_000 },
  async () => {
    let spawned = 0;
    const client = bootOnHost().then(
      (booted) =>
        new Proxy(booted, {
          get(target, key) {
            if (key === 'spawn') spawned++;
            const value: unknown = Reflect.get(target, key);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    );
    const workspace = openWebContainer({ id: 'wsp_many', journal: new MemoryJournal(), boot: () => client });
    closedAtTheEnd(workspace);
    const { fs } = await client;
    const names = Array.from({ length: 4_000 }, (_, index) => `d${index % 40}/f${index}.txt`);
    for (let folder = 0; folder < 40; folder++) await workspace.files.makeDirectory(`d${folder}`);
    await Promise.all(names.map((name) => workspace.files.write(name, bytes(`line of ${name}`))));
    const inPool = async (size: number) => {
      const started = performance.now();
      let next = 0;
      const worker = async () => {
        for (let index = next++; index < names.length; index = next++) await fs.readFile(names[index] ?? '');
      };
      await Promise.all(Array.from({ length: size }, worker));
      return performance.now() - started;
    };
    const read = async () => {
      const started = performance.now();
      await Promise.all(names.map((name) => workspace.files.read(name)));
      return performance.now() - started;
    };
    await inPool(POOL);
    await read();
    const best = Math.min(...[await inPool(1), await inPool(4), await inPool(8), await inPool(16)]);
    const ours = Math.min(await read(), await read(), await read());
    console.log(`4,000 reads: ${Math.round(ours)} ms, the best pool ${Math.round(best)} ms`);
    // The figure is 1.5; a machine that others use too is given room.
    expect(ours).toBeLessThan(best * 3);
    await exec(workspace, 'echo x');
    await workspace.files.list('.');
    const before = spawned;
    const started = performance.now();
    await workspace.search.grep({ pattern: 'f3999', limit: 10, timeoutMs: 20_000 });
    console.log(`a search of 4,000 files: ${Math.round(performance.now() - started)} ms`);
    expect(spawned - before).toBe(1);
  },
);

test('our part of a boot is short', async () => {
  const first = await bootOnHost();
  first.teardown();
  const started = performance.now();
  (await bootOnHost()).teardown();
  const raw = performance.now() - started;
  const again = performance.now();
  const workspace = opened();
  await workspace.files.list('.');
  const ours = performance.now() - again;
  console.log(`boot: ${ours.toFixed(1)} ms, the client's own ${raw.toFixed(1)} ms`);
  expect(ours - raw).toBeLessThan(100);
});

test('a runtime that dies is told in time, every call of it fails, and a restart brings the files back', async () => {
  let knobs: Partial<Knobs> = {};
  const workspace = opened(() => knobs, 500);
  await workspace.files.write('kept/ü.txt', bytes('kept'));
  await workspace.restart();
  knobs = { diesAfter: 10 };
  await workspace.restart();
  const started = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => workspace.files.write(`f${index}`, bytes('x'))),
  );
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ name: 'WorkspaceError', code: 'EGONE' });
  expect(workspace.status).toMatchObject({
    state: 'failed',
    restart: true,
    reason: expect.stringMatching(/has not answered.*restart brings the files back/),
  });
  expect(await exec(workspace, 'echo x')).toMatchObject({ reason: 'lost' });
  knobs = {};
  await workspace.restart();
  expect(workspace.status.state).toBe('ready');
  expect((await exec(workspace, 'cat kept/*')).output).toBe('kept');
});

test('a runtime that never says that it was torn down is left for another', async () => {
  const origin = inject('runtimeHost');
  const runtime = new RuntimeBoot({ timer: timeoutTimer, origin, limits: { again: 300 } });
  await setKnobs({ teardownHangs: true });
  const workspace = openWebContainer({
    id: 'wsp_held',
    journal: new MemoryJournal(),
    boot: () => runtime.attempt(),
  });
  closedAtTheEnd(workspace);
  await workspace.files.write('a.txt', bytes('a'));
  const started = performance.now();
  await workspace.restart();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await exec(workspace, 'cat a.txt')).output).toBe('a');
  expect(frames()).toHaveLength(1);
});

test('a frame that goes away while calls are under way is told in time', async () => {
  const workspace = opened({}, 500);
  await workspace.files.write('a.txt', bytes('a'));
  const process = workspace.spawn('node -e "setTimeout(() => {}, 60000)"', { stdin: '' });
  const reads = Array.from({ length: 20 }, () => workspace.files.read('a.txt'));
  for (const frame of frames()) frame.remove();
  const started = performance.now();
  await Promise.allSettled([...reads, workspace.files.write('b.txt', bytes('b'))]);
  expect(await process.exited).toMatchObject({ reason: 'lost' });
  expect(performance.now() - started).toBeLessThan(3_000);
  await expect(workspace.files.read('a.txt')).rejects.toMatchObject({ code: 'EGONE' });
  await workspace.restart();
  expect(new TextDecoder().decode(await workspace.files.read('a.txt'))).toBe('a');
});

function frames(): HTMLIFrameElement[] {
  const origin = inject('runtimeHost');
  return [...document.querySelectorAll('iframe')].filter(({ src }) => src.startsWith(`${origin}/headless`));
}
