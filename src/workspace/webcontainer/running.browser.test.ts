import { expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { bytes, closedAtTheEnd, opened, sinkOf } from '../../../test/support/webcontainer/workspaces.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type FileChange } from '../workspace.ts';
import { openWebContainer } from './open.ts';
import { SourceWatch } from './source-watch.ts';

test('a server is listed with where it can be shown, and gone with its process or the container', async () => {
  const workspace = opened();
  let wake = () => {};
  workspace.servers.onChange(() => wake());
  const heard = new Promise<void>((resolve) => (wake = resolve));
  const server = workspace.spawn(`node -e "require('http').createServer().listen(5173)"`, { stdin: '' });
  await heard;
  expect(workspace.servers.list()).toEqual([{ port: 5173, url: expect.stringMatching(/^https:.*5173/) }]);
  const closed = new Promise<void>((resolve) => (wake = resolve));
  server.kill();
  expect(await server.exited).toMatchObject({ reason: 'killed' });
  await closed;
  expect(workspace.servers.list()).toEqual([]);

  const listens = new Promise<void>((resolve) => (wake = resolve));
  workspace.spawn(`node -e "require('http').createServer().listen(3000)"`, { stdin: '' });
  await listens;
  await workspace.restart();
  expect(workspace.servers.list()).toEqual([]);
});

test('a line in the terminal may change the directory, and only one that ran well does', async () => {
  const workspace = opened();
  await exec(workspace, 'mkdir -p src/deep');
  const terminal = { columns: 80, rows: 24 };
  const ended = async (line: string, cwd?: string) => {
    const process = workspace.spawn(line, { terminal, ...(cwd !== undefined && { cwd }) });
    const { exitCode, cwd: at } = await process.exited;
    return `${exitCode} ${at}`;
  };
  expect(await ended('cd src/deep')).toBe('0 /home/project/src/deep');
  expect(await ended('cd .. && pwd', 'src/deep')).toBe('0 /home/project/src');
  expect(await ended('cd none', 'src')).toMatch(/^[1-9]\d* src$/);
  expect(await ended('echo cd', 'src')).toBe('0 src');
  expect(await workspace.files.list('.')).toHaveLength(1);
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
  const kept = new Map([['.opencode/truncate/ses_1/tool_bash_001.txt', 'one\nü\n'.repeat(5_000)]]);
  const workspace = openWebContainer({
    id: 'wsp_kept',
    journal: new MemoryJournal(),
    boot: () => bootOnHost(),
    outside: {
      async look(path) {
        const text = kept.get(path);
        if (text !== undefined) return { type: 'file', bytes: bytes(text), modified: 0 };
        const below = [...kept.keys()].filter((each) => each.startsWith(`${path}/`));
        const names = new Set(below.map((each) => each.slice(path.length + 1).split('/')[0]));
        const type = below.some((each) => each.slice(path.length + 1).includes('/')) ? 'directory' : 'file';
        const entries = [...names].map((name) => ({ name: String(name), type, size: 0 }) as const);
        return { type: 'directory', entries };
      },
    },
  });
  closedAtTheEnd(workspace);
  const read = await exec(workspace, 'cat ~/.opencode/truncate/ses_1/tool_bash_001.txt | tail -n 1');
  expect(read).toMatchObject({ output: 'ü\n', exitCode: 0 });
  kept.clear();
  kept.set('.opencode/truncate/ses_1/tool_bash_002.txt', 'two');
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

test('what changes after an install is told, while the one that changes it still runs', async () => {
  const workspace = opened();
  await workspace.files.write('src/a.txt', bytes('a'));
  const heard: FileChange[] = [];
  let wake = () => {};
  workspace.watch((changes) => {
    heard.push(...changes);
    wake();
  });
  const writes = `node -e "const fs = require('fs').promises; setInterval(() => fs.writeFile('src/' + Date.now(), ''), 200)"`;
  const server = workspace.spawn(writes, { stdin: '' });
  await exec(workspace, 'echo npm install');
  const before = String(Date.now());
  const isLater = ({ path }: FileChange) => (path.split('/').pop() ?? '') > before;
  while (!heard.some(isLater)) await new Promise<void>((resolve) => (wake = resolve));
  server.kill();
  await server.exited;
});

test.each([
  ['npm install', true],
  ['npm i --save-dev vite', true],
  ['npm --silent ci', true],
  ['cd app && pnpm add x', true],
  ['yarn', true],
  ['yarn; node a.js', true],
  ['npx create-vite .', true],
  ['npm run dev', false],
  ['npm start', false],
  ['npx vite', false],
  ['yarn dev', false],
  ['cat npm.txt', false],
])('whether %j installs: %j', (command, installs) => {
  expect(SourceWatch.installs(command)).toBe(installs);
});

test('no command sees the helper on its way into the container', async () => {
  const there: string[] = [];
  const workspace = openWebContainer({
    id: 'wsp_seen',
    journal: new MemoryJournal(),
    async boot() {
      const client = await bootOnHost();
      const spawn = client.spawn.bind(client);
      client.spawn = async (program: string, ...rest: never[]) => {
        if (program === 'jsh') there.push(...(await client.fs.readdir('.')));
        return spawn(program, ...rest);
      };
      return client;
    },
  });
  closedAtTheEnd(workspace);
  const capabilities = workspace.capabilities();
  expect((await exec(workspace, 'ls -A')).output).toBe('');
  expect(there).toEqual([]);
  // The end of the test closes the workspace, which would reject it.
  await capabilities;
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
