import { expect, inject, test } from 'vitest';
import { timeoutTimer } from '../../base/timer.ts';
import { bootOnHost, setKnobs } from '../../../test/support/webcontainer/boot.ts';
import type { Knobs } from '../../../test/support/webcontainer/knobs.ts';
import {
  bytes,
  closedAtTheEnd,
  frames,
  opened,
  sinkOf,
} from '../../../test/support/webcontainer/workspaces.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { RuntimeBoot } from './boot.ts';
import { openWebContainer } from './open.ts';
import { WebContainerWorkspace } from './webcontainer-workspace.ts';

test.each<[string, Partial<Knobs>]>([
  ['an output that ends', { outputEnds: true }],
  ['a terminal that shows what is typed', { echo: 'caret' }],
  ['one that shows it as it is, and ends', { echo: 'raw', outputEnds: true }],
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
    reason: expect.stringMatching(/has not answered.*restart brings back the files/),
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

test('a runtime that dies while only a process is waited for is told in time', async () => {
  const workspace = opened({}, 250);
  const process = workspace.spawn('echo up; node -e "setTimeout(() => {}, 60000)"', { stdin: '' });
  const output = process.output[Symbol.asyncIterator]();
  expect((await output.next()).value).toBe('up\n');
  for (const frame of frames()) frame.remove();
  const started = performance.now();
  expect(await process.exited).toMatchObject({ reason: 'lost' });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(workspace.status).toMatchObject({ state: 'failed', restart: true });
});

test('a helper that never answers is told in time, and a question is called off at once', async () => {
  const fast = { after: (ms: number, run: () => void) => timeoutTimer.after(ms / 20, run) };
  let begun = () => {};
  const begins = new Promise<void>((resolve) => (begun = resolve));
  const source = async () => (begun(), 'x');
  const workspace = new WebContainerWorkspace({
    id: 'wsp_held',
    journal: new MemoryJournal(),
    boot: () => bootOnHost({ nodeHangs: true }),
    helper: source,
    timer: fast,
  });
  closedAtTheEnd(workspace);
  await workspace.files.write('a.txt', bytes('a'));
  await begins;
  const abort = new AbortController();
  const query = { pattern: 'a', limit: 10, timeoutMs: 60_000 };
  const called = workspace.search.grep({ ...query, signal: abort.signal });
  const asked = workspace.search.grep(query);
  const answers = Promise.allSettled([called, asked]);
  // Once a file was read, the request of the search waits for the helper.
  await workspace.files.read('a.txt');
  const started = performance.now();
  abort.abort();
  await expect(called).rejects.toMatchObject({ code: 'ECANCELED' });
  expect(performance.now() - started).toBeLessThan(1_000);
  await answers;
  await expect(asked).rejects.toMatchObject({ code: 'EGONE' });
  expect(workspace.status).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('gives no answer'),
  });
});

test('a restart that is asked for twice is one, and a workspace closed meanwhile leaves nothing running', async () => {
  let boots = 0;
  const workspace = opened(() => (boots++, {}));
  await workspace.files.write('a.txt', bytes('a'));
  await Promise.all([workspace.restart(), workspace.restart()]);
  expect(boots).toBe(2);
  expect((await exec(workspace, 'cat a.txt')).output).toBe('a');
  const restarted = workspace.restart();
  await workspace.close();
  await restarted;
  expect(workspace.status.state).toBe('closed');
  // A page can have only one container, so this would fail otherwise.
  (await bootOnHost()).teardown();
});
