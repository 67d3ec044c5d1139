import type { WebContainer, WebContainerProcess } from '@webcontainer/api';

/** Questions that only the real runtime answers. The answers are written down, not judged. */
export interface Question {
  readonly id: string;
  readonly asks: string;
  readonly seconds?: number;
  ask(client: WebContainer): Promise<unknown>;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const MAX_SHOWN = 2_000;

/** Everything that a process prints, as it comes: with carriage returns, escapes and echoes. */
function printed(process: WebContainerProcess) {
  const state = { text: '', ended: false };
  void process.output
    .pipeTo(new WritableStream({ write: (piece) => void (state.text += piece) }))
    .then(() => (state.ended = true))
    .catch(() => {});
  return state;
}

interface RunOptions {
  readonly typed?: readonly string[];
  readonly killAfterMs?: number;
  readonly exitWithinMs?: number;
}

async function run(
  client: WebContainer,
  program: string,
  args: readonly string[],
  { typed = [], killAfterMs, exitWithinMs = 12_000 }: RunOptions = {},
) {
  const process = await client.spawn(program, [...args]);
  const output = printed(process);
  const writer = process.input.getWriter();
  for (const text of typed) {
    await wait(400);
    await writer.write(text);
  }
  if (killAfterMs !== undefined) setTimeout(() => process.kill(), killAfterMs);
  const late = wait(exitWithinMs).then(() => 'it does not end');
  const exit = await Promise.race([
    process.exit.catch((error: unknown) => `rejects: ${String(error)}`),
    late,
  ]);
  if (typeof exit === 'string') process.kill();
  await wait(500);
  return { exit, output: output.text.slice(0, MAX_SHOWN), streamEnded: output.ended };
}

const node = (client: WebContainer, code: string, options?: RunOptions) =>
  run(client, 'node', ['-e', code], options);
const jsh = (client: WebContainer, line: string, options?: RunOptions) =>
  run(client, 'jsh', ['-c', line], options);
const LATER = 'setTimeout(() => {}, 2500)';

/** Guessed until now: these come first. */
const guessed: readonly Question[] = [
  {
    id: 'echo',
    asks: 'What shows of text and of Ctrl-D that are typed to a program which reads nothing?',
    ask: (client) => node(client, LATER, { typed: ['typed\n', '\x04'] }),
  },
  {
    id: 'echo-to-reader',
    asks: 'What shows of text typed to `cat`, and does Ctrl-D end its input?',
    ask: (client) => jsh(client, 'cat', { typed: ['one\r\n', 'two\n', '\x04'], exitWithinMs: 5_000 }),
  },
  {
    id: 'raw-mode',
    asks: 'What does a program in raw mode get of what is typed, and does it still show?',
    ask: (client) =>
      node(
        client,
        `process.stdin.setRawMode?.(true); process.stdin.on('data', (piece) => { console.log(JSON.stringify(String(piece))); if (String(piece).includes('q')) process.exit(0) })`,
        { typed: ['a', '<YQ==>\n', '\x04', 'q\n'], exitWithinMs: 6_000 },
      ),
  },
  {
    id: 'carriage-returns',
    asks: 'What becomes of line feeds and carriage returns in output?',
    ask: (client) => node(client, `process.stdout.write('a\\nb\\r\\nc\\rd\\te')`),
  },
  {
    id: 'large-frames',
    asks: 'Does a line of 4 MB come whole through the terminal, and how long does it take?',
    seconds: 60,
    async ask(client) {
      const started = performance.now();
      const process = await client.spawn('node', [
        '-e',
        `process.stdout.write('@@' + 'x'.repeat(4e6) + '@@')`,
      ]);
      const output = printed(process);
      await process.exit;
      while (!output.text.endsWith('@@') && performance.now() - started < 20_000) await wait(100);
      const breaks = output.text.match(/[^x@]+/g) ?? [];
      return {
        length: output.text.length,
        whole: output.text.replace(/[^x@]/g, '').length === 4_000_004,
        inserted: [...new Set(breaks)].slice(0, 5),
        ms: Math.round(performance.now() - started),
      };
    },
  },
  {
    id: 'node-starts-jsh',
    asks: 'Can Node start jsh with its input as a pipe, and does the end of that pipe arrive?',
    ask: (client) =>
      node(
        client,
        `const child = require('child_process').spawn('jsh', ['-c', 'cat; exit 7'], { stdio: 'pipe' });
         child.stdout.on('data', (bytes) => console.log('out', JSON.stringify(String(bytes))));
         child.stderr.on('data', (bytes) => console.log('err', JSON.stringify(String(bytes))));
         child.on('close', (code) => { console.log('code', code); process.exit(0) });
         child.stdin.write(Buffer.from([120, 10])); child.stdin.end()`,
        { exitWithinMs: 6_000 },
      ),
  },
  {
    id: 'modes-after-mount',
    asks: 'Do `chmod` and `utimes` hold on files that were mounted?',
    async ask(client) {
      await client.mount({ 'mounted.txt': { file: { contents: 'x' } } });
      return node(
        client,
        `const fs = require('fs').promises; (async () => { await fs.chmod('mounted.txt', 0o755); await fs.utimes('mounted.txt', 1, 1);
         const { mode, mtimeMs } = await fs.lstat('mounted.txt'); console.log(JSON.stringify({ mode: mode.toString(8), mtimeMs })) })()`,
      );
    },
  },
  {
    id: 'preview',
    asks: 'Does a preview load in a frame of this page, and what does the server see of it?',
    seconds: 40,
    async ask(client) {
      const ready = new Promise<string>((resolve) => client.on('server-ready', (_port, url) => resolve(url)));
      const process = await client.spawn('node', [
        '-e',
        `require('http').createServer((request, response) => { console.log(request.method, request.url); response.end('<p>shown</p>') }).listen(5173)`,
      ]);
      const output = printed(process);
      const url = await ready;
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', () => resolve('load')));
      frame.allow = 'cross-origin-isolated';
      frame.src = url;
      document.body.append(frame);
      const event = await Promise.race([loaded, wait(20_000).then(() => 'nothing in 20 s')]);
      await wait(1_000);
      frame.remove();
      process.kill();
      return { url, event, requests: output.text.slice(0, MAX_SHOWN) };
    },
  },
];

const shellAndPrograms: readonly Question[] = [
  {
    id: 'missing-program',
    asks: 'A program that is not there: does `spawn` reject, or does it end with 127?',
    ask: (client) => run(client, 'no-such-program', []),
  },
  { id: 'missing-in-shell', asks: 'And in the shell?', ask: (client) => jsh(client, 'no-such-program') },
  { id: 'exit-code', asks: 'Does jsh pass exit codes on?', ask: (client) => jsh(client, 'exit 7') },
  {
    id: 'killed',
    asks: 'What does a process that was killed end with?',
    ask: (client) => node(client, 'setTimeout(() => {}, 60000)', { killAfterMs: 500 }),
  },
  {
    id: 'child-of-killed-shell',
    asks: 'Does the child of a shell that was killed go on?',
    seconds: 30,
    async ask(client) {
      const ticks = `setInterval(() => require('fs').promises.writeFile('ticks', String(Date.now())), 100)`;
      await jsh(client, `node -e "${ticks}"`, { killAfterMs: 3_000 });
      const read = () => client.fs.readFile('ticks', 'utf8').catch(() => 'nothing');
      const before = await read();
      await wait(1_500);
      return { goesOn: (await read()) !== before };
    },
  },
  {
    id: 'busy-loop',
    asks: 'Does a busy loop end when it is killed?',
    ask: (client) =>
      node(client, 'const t = Date.now(); while (Date.now() - t < 8000);', { killAfterMs: 500 }),
  },
  {
    id: 'here-document',
    asks: 'Does jsh know here-documents?',
    ask: (client) => jsh(client, 'cat <<E\nx\nE'),
  },
  {
    id: 'loop',
    asks: 'Does jsh know loops?',
    ask: (client) => jsh(client, 'for x in a b; do echo $x; done'),
  },
  { id: 'function', asks: 'Does jsh know functions?', ask: (client) => jsh(client, 'f() { echo in; }; f') },
  { id: 'assignment', asks: 'Does jsh know assignments?', ask: (client) => jsh(client, 'a=1; echo $a') },
  {
    id: 'directory-note',
    asks: 'Does `cd DIR && pwd > FILE` write where the shell is?',
    ask: (client) => jsh(client, 'mkdir -p dir && cd dir && pwd > ../pwd.txt && cat ../pwd.txt'),
  },
  {
    id: 'programs',
    asks: 'Which programs are there?',
    ask: (client) => jsh(client, 'ls /bin /usr/bin /usr/local/bin'),
  },
  {
    id: 'node-start',
    asks: 'Which Node is it, and how long does it take to start?',
    ask: (client) => node(client, 'console.log(process.version)'),
  },
  ...[10_000, 100_000, 1_000_000].map((size) => ({
    id: `argument-${size}`,
    asks: `May an argument have ${size} characters?`,
    ask: (client: WebContainer) =>
      run(client, 'node', ['-e', 'console.log(process.argv[1].length)', 'x'.repeat(size)]),
  })),
];

const files: readonly Question[] = [
  {
    id: 'private-stat',
    asks: 'Does the remote file system know `stat`?',
    async ask(client) {
      const remote: unknown = Reflect.get(client.fs, '_fs');
      const stat: unknown = Reflect.get(Object(remote), 'stat');
      return typeof stat === 'function' ? ((await stat.call(remote, 'mounted.txt')) as unknown) : 'no';
    },
  },
  {
    id: 'watch',
    asks: 'What does a recursive watch tell of one write?',
    async ask(client) {
      const heard: unknown[] = [];
      const watcher = client.fs.watch('.', { recursive: true }, (...told) => void heard.push(told));
      await client.fs.readdir('.');
      await client.fs.writeFile('watched.txt', 'x');
      await wait(1_000);
      watcher.close();
      return heard;
    },
  },
  {
    id: 'home',
    asks: 'May a process write in its home and in its temporary folder?',
    ask: (client) =>
      node(
        client,
        `const fs = require('fs').promises; const tmp = require('os').tmpdir(); (async () => { await fs.mkdir('/home/.opencode/x', { recursive: true }); await fs.writeFile(tmp + '/x', 'x'); console.log(tmp, await fs.readdir('/home/.opencode')) })().catch((error) => console.log(String(error)))`,
      ),
  },
  {
    id: 'absolute-path',
    asks: 'Does the file system take absolute paths?',
    ask: (client) => client.fs.readFile(`${client.workdir}/mounted.txt`, 'utf8'),
  },
  {
    id: 'export',
    asks: 'Are hidden files exported, and are `excludes` heeded?',
    async ask(client) {
      await client.fs.writeFile('.hidden', 'x');
      const names = async (excludes?: string[]) =>
        Object.keys(await client.export('.', { format: 'json', ...(excludes && { excludes }) }));
      return { all: await names(), without: await names(['mounted.txt']) };
    },
  },
  ...Object.entries<(client: WebContainer) => Promise<unknown>>({
    'read of what is missing': (client) => client.fs.readFile('none'),
    'read of a folder': (client) => client.fs.readFile('.'),
    'list of a file': (client) => client.fs.readdir('mounted.txt'),
    'removal of what is missing': (client) => client.fs.rm('none'),
    'renaming of what is missing': (client) => client.fs.rename('none', 'x'),
  }).map(([what, ask]) => ({
    id: `error-${what.replaceAll(' ', '-')}`,
    asks: `How does a ${what} fail?`,
    ask,
  })),
];

/** Asked of every runtime page, in this order. */
export const questions: readonly Question[] = [...guessed, ...shellAndPrograms, ...files];
