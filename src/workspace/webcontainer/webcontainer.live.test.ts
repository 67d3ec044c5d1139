import { afterAll, expect, onTestFinished, test } from 'vitest';
import { commands } from 'vitest/browser';
import { workspaceContract } from '../contract.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { RuntimeBoot } from './boot.ts';
import { openWebContainer } from './open.ts';
import { timeoutTimer } from '../../base/timer.ts';

/*
 * On StackBlitz's real runtime: `npm run test:webcontainer`. The contract, and every question that only the real one
 * answers; the answers are written down, not judged.
 */

const runtime = new RuntimeBoot({ timer: timeoutTimer, origin: 'https://stackblitz.com' });
const boot = () => runtime.attempt();
const answers: Record<string, unknown> = { isolated: crossOriginIsolated, userAgent: navigator.userAgent };

afterAll(() =>
  commands.writeFile(
    new URL('../../../test-results/webcontainer.json', import.meta.url).pathname,
    JSON.stringify(answers, null, 2),
  ),
);

workspaceContract('webcontainer, the real one', async () => {
  const journal = new MemoryJournal();
  const open = () => openWebContainer({ id: 'wsp_live', journal, boot });
  const workspace = open();
  return {
    workspace,
    terminable: false,
    shell: 'jsh',
    async reopen() {
      await workspace.close();
      return open();
    },
  };
});

/** What a thing comes to, or how it fails. */
async function found(work: () => Promise<unknown>): Promise<unknown> {
  const started = performance.now();
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'no answer in 10 s'));
  const result = await Promise.race([
    work().catch((error: unknown) => ({
      error: String(error),
      ...(error instanceof Object && { ...error }),
    })),
    late,
  ]);
  return { result, ms: Math.round(performance.now() - started) };
}

test('the open questions', { timeout: 300_000 }, async () => {
  const started = performance.now();
  const client = await boot();
  onTestFinished(() => client.teardown());
  answers.bootMs = Math.round(performance.now() - started);
  answers.workdir = client.workdir;
  answers.path = client.path;
  const run = async (program: string, args: string[], killAfterMs?: number) => {
    const process = await client.spawn(program, args);
    let output = '';
    let ended = false;
    void process.output
      .pipeTo(new WritableStream({ write: (piece) => void (output += piece) }))
      .then(() => (ended = true));
    if (killAfterMs !== undefined) setTimeout(() => process.kill(), killAfterMs);
    const exit = await process.exit;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { exit, output: output.slice(0, 2_000), streamEndedWithin500ms: ended };
  };
  const jsh = (text: string) => found(() => run('jsh', ['-c', text]));
  await client.fs.writeFile('a.txt', 'x');
  answers.missingProgram = await found(() => run('no-such-program', []));
  answers.missingInShell = await jsh('no-such-program');
  answers.exitCode = await jsh('exit 7');
  answers.killed = await found(() => run('node', ['-e', 'setTimeout(() => {}, 60000)'], 500));
  answers.killedShell = await found(() => run('jsh', ['-c', 'node -e "setTimeout(() => {}, 60000)"'], 500));
  answers.childOfKilledShell = await found(async () => {
    const ticks = `setInterval(() => require('fs').appendFileSync('ticks', 'x'), 100)`;
    await run('jsh', ['-c', `node -e "${ticks}"`], 3_000);
    const before = (await client.fs.readFile('ticks')).length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return { before, later: (await client.fs.readFile('ticks')).length };
  });
  answers.busyLoopKilled = await found(() =>
    run('node', ['-e', 'const t = Date.now(); while (Date.now() - t < 8000);'], 500),
  );
  answers.nodeByShell = await jsh('node -p 1');
  answers.privateStat = await found(async () => {
    const remote: unknown = Reflect.get(client.fs, '_fs');
    const stat = Object(remote).stat as (path: string) => Promise<unknown>;
    return stat('a.txt');
  });
  answers.watch = await found(async () => {
    const heard: unknown[] = [];
    const watcher = client.fs.watch('.', { recursive: true }, (...told) => void heard.push(told));
    await client.fs.readdir('.');
    await client.fs.writeFile('watched.txt', 'x');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    watcher.close();
    return heard;
  });
  answers.homeWritable = await found(() =>
    run('node', [
      '-e',
      "const fs=require('fs');fs.mkdirSync('/home/.opencode/x',{recursive:true});console.log(fs.readdirSync('/home/.opencode'))",
    ]),
  );
  answers.server = await found(async () => {
    const told = new Promise((resolve) => client.on('server-ready', (port, url) => resolve({ port, url })));
    const process = await client.spawn('node', [
      '-e',
      "require('http').createServer((_, r) => r.end('x')).listen(5173)",
    ]);
    const server = await told;
    process.kill();
    return server;
  });
  answers.hereDocument = await jsh('cat <<E\nx\nE');
  answers.loop = await jsh('for x in a b; do echo $x; done');
  answers.function = await jsh('f() { echo in; }; f');
  answers.assignment = await jsh('a=1; echo $a');
  answers.read = await jsh('echo one | read x; echo $x');
  answers.endOfInput = await found(async () => {
    const process = await client.spawn('jsh', ['-c', 'cat']);
    await process.input.getWriter().write('\x04');
    return process.exit;
  });
  answers.programs = await jsh('ls /bin /usr/bin /usr/local/bin');
  answers.nodeStart = await found(() => run('node', ['-e', 'console.log(process.version)']));
  for (const size of [10_000, 100_000, 1_000_000])
    answers[`argument${size}`] = await found(() =>
      run('node', ['-e', 'console.log(process.argv[1].length)', 'x'.repeat(size)]),
    );
  answers.temporary = await found(() =>
    run('node', [
      '-e',
      "console.log(require('os').tmpdir(), require('fs').statSync(require('os').tmpdir()).mode)",
    ]),
  );
  answers.stats = await found(() =>
    run('node', [
      '-e',
      "const fs=require('fs');fs.chmodSync('a.txt',0o755);fs.utimesSync('a.txt',1,1);fs.symlinkSync('a.txt','l');console.log(JSON.stringify([fs.lstatSync('a.txt'),fs.lstatSync('l')]))",
    ]),
  );
  answers.absolute = await found(() => client.fs.readFile(`${client.workdir}/a.txt`, 'utf8'));
  answers.hidden = await found(async () => {
    await client.fs.writeFile('.hidden', 'x');
    return Object.keys(await client.export('.', { format: 'json' }));
  });
  answers.excludes = await found(async () =>
    Object.keys(await client.export('.', { format: 'json', excludes: ['a.txt'] })),
  );
  answers.binary = await found(async () => [
    ...(await client.export('.', { format: 'binary' })).slice(0, 32),
  ]);
  for (const [name, work] of Object.entries({
    readMissing: () => client.fs.readFile('none'),
    readFolder: () => client.fs.readFile('.'),
    listFile: () => client.fs.readdir('a.txt'),
    makeExisting: () => client.fs.mkdir('a.txt'),
    removeMissing: () => client.fs.rm('none'),
    renameMissing: () => client.fs.rename('none', 'x'),
  }))
    answers[`error ${name}`] = await found(work);
  expect(answers.workdir).toBe('/home/project');
});

test('a whole install and run', { timeout: 300_000 }, async () => {
  const workspace = openWebContainer({ id: 'wsp_job', journal: new MemoryJournal(), boot });
  onTestFinished(() => workspace.close());
  await workspace.files.write(
    'package.json',
    new TextEncoder().encode('{"dependencies":{"is-odd":"3.0.1"}}'),
  );
  answers.install = await exec(workspace, 'npm install', { timeoutMs: 240_000 });
  answers.job = await exec(workspace, `node -e "console.log(require('is-odd')(3))"`);
  expect(answers.job).toMatchObject({ exitCode: 0, output: 'true\n' });
});
