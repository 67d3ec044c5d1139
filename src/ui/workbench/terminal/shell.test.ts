import { expect, test } from 'vitest';
import { InteractiveWorkspace, LastingWorkspace } from '../../../../test/support/interactive-workspace.ts';
import { ROOT } from '../../../workspace/workspace.ts';
import type { HistoryStore } from './history.ts';
import type { EditedLine, Screen } from './screen.ts';
import { Shell } from './shell.ts';

/** The text on the screen without colours, with the edited line last. */
class TextScreen implements Screen {
  #printed = '';
  #edited: EditedLine | null = null;
  resized = () => {};

  async print(text: string): Promise<void> {
    this.#printed += text;
  }

  async printLines(text: string): Promise<void> {
    if (text && this.#printed && !this.#printed.endsWith('\n')) this.#printed += '\n';
    this.#printed += text;
  }

  edit(line: EditedLine): void {
    this.#edited = line;
  }

  drop(): void {
    this.#edited = null;
  }

  onResize(listener: () => void): void {
    this.resized = listener;
  }

  commit(): void {
    this.#printed += `${drawn(this.#edited)}\n`;
    this.#edited = null;
  }

  clear(): void {
    this.#printed = '';
  }

  size() {
    return { columns: 80, rows: 24 };
  }

  get text(): string {
    return (this.#printed + drawn(this.#edited)).replace(/\x1b\[[\d;?!]*[a-z]/g, '');
  }
}

function drawn(line: EditedLine | null): string {
  return line ? line.prompt + line.text.replaceAll('\n', `\n${line.more}`) : '';
}

interface Setup {
  readonly files?: Record<string, string>;
  readonly stored?: readonly string[];
  readonly commands?: readonly string[];
}

async function setup(
  options: Setup = {},
  workspace = new InteractiveWorkspace({ files: options.files ?? {} }),
) {
  workspace.commands = options.commands ?? [];
  const screen = new TextScreen();
  const saved: (readonly string[])[] = [];
  const store: HistoryStore = {
    load: async () => options.stored ?? [],
    save: async (commands) => void saved.push(commands),
  };
  const shell = new Shell(workspace, screen, store);
  await shell.start();
  /** Types a command and resolves with its process, which the test then controls. */
  const run = async (command: string) => {
    const spawned = new Promise<void>((resolve) => (workspace.onSpawn = () => resolve()));
    await shell.feed(`${command}\r`);
    await spawned;
    const process = workspace.processes.at(-1);
    if (!process) throw new Error('nothing was started');
    return process;
  };
  return { workspace, screen, saved, shell, run };
}

test('runs a command with the size of the screen and shows its output as it comes', async () => {
  const { screen, run, workspace, shell } = await setup();
  const process = await run('ls -a');
  expect(process.options).toEqual({ cwd: ROOT, terminal: { columns: 80, rows: 24 } });
  process.print('one\n');
  await expect.poll(() => screen.text).toBe('project $ ls -a\none\n');
  process.end();
  await expect.poll(() => screen.text).toBe('project $ ls -a\none\nproject $ ');
  await shell.feed('\r');
  expect(workspace.processes).toHaveLength(1);
});

test('the directory that a command ended in is the next one’s', async () => {
  const { screen, run } = await setup({ files: { 'src/a.txt': '' } });
  (await run('cd src')).end(0, { cwd: `${ROOT}/src` });
  await expect.poll(() => screen.text).toContain('project/src $ ');
  expect((await run('pwd')).options.cwd).toBe(`${ROOT}/src`);
});

test.each(['/tmp', `${ROOT}/gone`])(
  'a directory that cannot be kept (%s) leads back to the root',
  async (cwd) => {
    const { screen, run } = await setup();
    (await run('cd')).end(0, { cwd });
    await expect.poll(() => screen.text).toContain(`${cwd} cannot be kept as the directory`);
    expect((await run('pwd')).options.cwd).toBe(ROOT);
  },
);

test('a failed command is told by its code before the next prompt', async () => {
  const { screen, run } = await setup();
  (await run('false')).end(3, { outputMayBeCut: true });
  await expect.poll(() => screen.text).toMatch(/Some of its output may be missing\.\n3 project \$ $/);
});

test('lines typed while a command runs are its input, Ctrl-D ends the input', async () => {
  const { shell, run } = await setup();
  const process = await run('cat');
  await shell.feed('hellp\x7fo\r');
  expect(process.written).toEqual(['hello\n']);
  await shell.feed('\x04');
  expect(process.inputClosed).toBe(true);
});

test('Ctrl-C kills what runs; at the prompt it drops the line', async () => {
  const { shell, screen, run, workspace } = await setup();
  const process = await run('sleep 100');
  await shell.feed('\x03');
  expect(process.killed).toBe(true);
  await expect.poll(() => screen.text).toBe('project $ sleep 100\n^C\n130 project $ ');
  await shell.feed('rm -rf x\x03');
  expect(screen.text).toMatch(/rm -rf x\^C\n130 project \$ $/);
  expect(workspace.processes).toHaveLength(1);
});

test('the history is loaded, walked and saved', async () => {
  const { shell, screen, run, saved } = await setup({ stored: ['old'] });
  (await run('new')).end();
  expect(saved).toEqual([['old', 'new']]);
  await expect.poll(() => screen.text).toMatch(/project \$ $/);
  await shell.feed('dra\x1b[A\x1b[A');
  expect(screen.text).toMatch(/project \$ old$/);
  await shell.feed('\x1b[B\x1b[B');
  expect(screen.text).toMatch(/project \$ dra$/);
});

test('Tab completes a name, then lists what is left', async () => {
  const { shell, screen } = await setup({ commands: ['cat', 'cal'], files: { 'note.txt': '' } });
  await shell.feed('c\t');
  expect(screen.text).toBe('project $ ca');
  await shell.feed('\t');
  expect(screen.text).toBe('cat  cal\nproject $ ca');
  await shell.feed('t no\t');
  expect(screen.text).toMatch(/project \$ cat note\.txt $/);
});

test('keys typed behind a Tab wait for the completion', async () => {
  const { shell, screen } = await setup({ files: { 'note.txt': '' } });
  await shell.feed('cat n\t| wc');
  expect(screen.text).toBe('project $ cat note.txt | wc');
});

test('Enter inside an open quote goes on with the next line; a paste runs nothing', async () => {
  const { shell, workspace } = await setup();
  await shell.feed("echo 'a\rb'");
  await shell.feed('\x1b[200~; pwd\n\x1b[201~');
  expect(workspace.processes).toHaveLength(0);
  await shell.feed('\r');
  expect(workspace.processes[0]?.command).toBe("echo 'a\nb'; pwd\n");
});

test('what the agent runs stands in marked blocks, whole lines only, and cannot draw over them', async () => {
  const { shell, screen } = await setup();
  shell.mirror({ type: 'started', id: '1', command: 'npm test\nls' });
  shell.mirror({ type: 'output', id: '1', text: 'ok 1\nnot' });
  expect(screen.text).toBe('┃ agent ▸ npm test\n┃         ls\n┃ ok 1\nproject $ ');
  shell.mirror({ type: 'output', id: '1', text: ' ok 2\x1b[2A\x1b[2Kproject $ rm\n' });
  shell.mirror({ type: 'ended', id: '1', outcome: 'ok', exitCode: 1, durationMs: 400 });
  expect(screen.text).toBe(
    '┃ agent ▸ npm test\n┃         ls\n┃ ok 1\n┃ not ok 2project $ rm\n┃ exit 1 · 0.4 s\nproject $ ',
  );
});

test('runs that overlap say whose lines follow', async () => {
  const { shell, screen } = await setup();
  shell.mirror({ type: 'started', id: '1', command: 'one' });
  shell.mirror({ type: 'started', id: '2', command: 'two' });
  shell.mirror({ type: 'output', id: '1', text: 'from one\n' });
  shell.mirror({ type: 'ended', id: '2', outcome: 'cancelled', durationMs: 0 });
  expect(screen.text).toBe(
    '┃ agent ▸ one\n┃ agent ▸ two\n┃ agent ▸ one\n┃ from one\n┃ agent ▸ two\n┃ stopped · 0.0 s\nproject $ ',
  );
});

test('Ctrl-R finds commands that hold what is typed; Ctrl-G gives the line back', async () => {
  const { shell, screen } = await setup({ stored: ['ls src', 'echo one', 'ls docs', 'pwd'] });
  await shell.feed('half\x12ls');
  expect(screen.text).toContain('(search) ls: ls docs');
  await shell.feed('\x12');
  expect(screen.text).toContain('(search) ls: ls src');
  await shell.feed('\x12\x7fz');
  expect(screen.text).toContain('(not found) lz:');
  await shell.feed('\x07');
  expect(screen.text).toMatch(/\$ half$/);
  await shell.feed('\x12one\x01x');
  expect(screen.text).toMatch(/\$ xecho one$/);
});

test('Ctrl-C tells what runs, and ends it the second time', async () => {
  const { shell, run } = await setup();
  const process = await run('server');
  let told = 0;
  Object.assign(process, { interrupt: () => void told++ });
  await shell.feed('\x03');
  expect(told).toBe(1);
  await shell.feed('\x03');
  expect(told).toBe(1);
  expect(process).toMatchObject({ killed: true });
});

async function setupLasting() {
  const workspace = new LastingWorkspace();
  const all = await setup({}, workspace);
  /** Types a line and resolves with the shell that received it. */
  const type = async (line: string) => {
    await all.shell.feed(`${line}\r`);
    const typed = workspace.shells.at(-1);
    if (!typed) throw new Error('no shell was opened');
    return typed;
  };
  return { ...all, workspace, type };
}

test('one shell runs all lines, in the directory that it is in, wherever that is', async () => {
  const { type, screen, workspace } = await setupLasting();
  const typed = await type('cd /tmp');
  expect(typed.size).toEqual({ columns: 80, rows: 24 });
  typed.print('there\n');
  typed.done({ cwd: '/tmp', exitCode: 2 });
  await expect.poll(() => screen.text).toBe('project $ cd /tmp\nthere\n2 /tmp $ ');
  expect((await type('pwd')).lines).toEqual(['cd /tmp', 'pwd']);
  expect(workspace.shells).toHaveLength(1);
});

test('an empty line is one to a shell that may have something to tell; none begins for it', async () => {
  const { type, shell, screen, workspace } = await setupLasting();
  await shell.feed('\r');
  expect(workspace.shells).toHaveLength(0);
  const typed = await type('sleep 1 &');
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ $/);
  await type('');
  expect(typed.lines).toEqual(['sleep 1 &', '']);
});

test('a job prints above the line that is being typed', async () => {
  const { type, shell, screen } = await setupLasting();
  const typed = await type('job &');
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ $/);
  await shell.feed('ec');
  typed.print('from the job\n');
  await expect.poll(() => screen.text).toBe('project $ job &\nfrom the job\nproject $ ec');
});

test('Ctrl-C tells the shell, at the prompt too, and only the third on one line ends it', async () => {
  const { type, shell, screen } = await setupLasting();
  const typed = await type('one');
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ $/);
  await shell.feed('\x03');
  await shell.feed('\x03');
  await shell.feed('\x03');
  expect(typed.interrupts).toBe(3);
  await type('stubborn');
  await shell.feed('\x03');
  await shell.feed('\x03');
  expect(typed).toMatchObject({ interrupts: 5, killed: false });
  await shell.feed('\x03');
  expect(typed.killed).toBe(true);
  await expect.poll(() => screen.text).toMatch(/The shell was ended.*\n130 project \$ $/);
});

test('a shell that was suspended with its workspace leaves its directory to the next one', async () => {
  const { type, screen, workspace } = await setupLasting();
  const typed = await type('cd it');
  typed.done({ cwd: `${ROOT}/it's`, exitCode: 3 });
  await expect.poll(() => screen.text).toMatch(/3 project\/it's \$ $/);
  typed.end(137, 'suspended');
  await expect.poll(() => screen.text).toMatch(/was closed while its workspace.*\n3 project\/it's \$ $/);
  const next = await type('pwd');
  expect(next.lines).toEqual([`cd -- '${ROOT}/it'\\''s'`, 'pwd']);
  expect(workspace.shells).toHaveLength(2);
  next.done({ count: 1, cwd: `${ROOT}/it's` });
  next.done({ cwd: '/tmp' });
  await expect.poll(() => screen.text).toMatch(/pwd\n\/tmp \$ $/);
});

test('a shell that has ended says so, and the next line begins another', async () => {
  const { type, screen, shell, workspace } = await setupLasting();
  const typed = await type('true');
  typed.done({ cwd: `${ROOT}/src` });
  await expect.poll(() => screen.text).toMatch(/src \$ $/);
  await shell.feed('\x04');
  expect(typed.lines).toEqual(['true', 'exit']);
  typed.end(3);
  await expect.poll(() => screen.text).toMatch(/The shell has ended with 3.*\n3 project \$ $/);
  await type('again');
  expect(workspace.shells).toHaveLength(2);
});

test('what was typed ahead and not read is a line of its own afterwards', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('sleep 1');
  await shell.feed('echo two\rhalf');
  expect(typed.written).toEqual(['echo two\n']);
  typed.done({ unread: 'echo two\n' });
  await expect.poll(() => typed.lines).toEqual(['sleep 1', 'echo two']);
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ half$/);
});

test('what came too late for a program goes before what is typed at the prompt, or to the next line', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('less a');
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ $/);
  await shell.feed('o hi');
  for (const unread of ['e', 'c', 'h']) typed.done({ unread });
  await expect.poll(() => screen.text).toMatch(/\$ echo hi$/);
  await shell.feed('\r');
  typed.done({ count: 1, unread: 'late\n' });
  await expect.poll(() => typed.written).toEqual(['late\n']);
  typed.print('still');
  await expect.poll(() => screen.text).toMatch(/echo hi\nstill$/);
});

test('lines that came too late one after the other are each run once, in their order', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('server | grep ready');
  await shell.feed('one\rtwo\rthree\r');
  typed.done();
  for (const unread of ['one\n', 'two\n', 'three\n']) typed.done({ count: 1, unread });
  await expect.poll(() => typed.written.slice(3)).toEqual(['two\n', 'three\n']);
  expect(typed.lines.slice(1)).toEqual(['one']);
  typed.done({ unread: 'two\nthree\n' });
  await expect.poll(() => typed.lines.slice(1)).toEqual(['one', 'two']);
  typed.done({ unread: 'three\n' });
  await expect.poll(() => typed.lines.slice(1)).toEqual(['one', 'two', 'three']);
  typed.done();
  await expect.poll(() => screen.text).toMatch(/\$ $/);
});

test('a program is given each key, and Ctrl-C is none; what the agent ran meanwhile is shown after it', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('less a');
  typed.tell({ type: 'keyboard', raw: true, echo: false });
  typed.print('drawn');
  await expect.poll(() => screen.text).toMatch(/drawn$/);
  await shell.feed('j');
  await shell.feed('\x1b[B\r');
  expect(typed.written).toEqual(['j', '\x1b[B\n']);
  await shell.feed('\x03');
  expect(typed.interrupts).toBe(1);
  shell.mirror({ type: 'started', id: '1', command: 'npm test' });
  expect(screen.text).toMatch(/drawn$/);
  typed.tell({ type: 'keyboard', raw: false, echo: true });
  typed.done();
  await expect.poll(() => screen.text).toBe('project $ less a\ndrawn\n┃ agent ▸ npm test\nproject $ ');
});

test('a secret does not show', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('read -s x');
  typed.tell({ type: 'keyboard', raw: false, echo: false });
  typed.print('Word: ');
  await expect.poll(() => screen.text).toMatch(/Word: $/);
  await shell.feed('hidden\r');
  expect(typed.written).toEqual(['hidden\n']);
  expect(screen.text).toMatch(/Word: $/);
});

test('a new size is told to the shell; what it has set is completed', async () => {
  const { type, screen, shell } = await setupLasting();
  const typed = await type('x');
  typed.done({ names: { commands: ['myfunction'], variables: ['MYVAR'] } });
  await expect.poll(() => screen.text).toMatch(/\$ $/);
  screen.resized();
  expect(typed.size).toEqual({ columns: 80, rows: 24 });
  expect(typed.resizes).toBe(1);
  await shell.feed('myf\t$MY\t');
  expect(screen.text).toMatch(/myfunction \$MYVAR$/);
});

test('a line that goes on has the prompt of bash for that', async () => {
  const { shell, screen, workspace } = await setupLasting();
  await shell.feed('if true\rthen echo a\r');
  expect(screen.text).toBe('project $ if true\n> then echo a\n> ');
  await shell.feed('fi\r');
  expect(workspace.shells[0]?.lines).toEqual(['if true\nthen echo a\nfi']);
});

test('a line that was chosen elsewhere runs, and what was half typed can be put back', async () => {
  const { shell, screen, workspace } = await setup();
  await shell.feed('half');
  await shell.run('echo one\necho two');
  await expect.poll(() => workspace.processes.map(({ command }) => command)).toEqual(['echo one\necho two']);
  expect(screen.text).toBe('project $ echo one\n> echo two\n');
  // It would be read as input by what runs.
  await shell.run('rm all');
  expect(workspace.processes).toHaveLength(1);
  expect(screen.text).toContain('Not run, because something runs: rm all');
  workspace.processes[0]!.end();
  await expect.poll(() => screen.text).toMatch(/project \$ $/);
  await shell.feed('\x19');
  expect(screen.text).toMatch(/project \$ half$/);
});
