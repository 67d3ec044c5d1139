import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import type { KeyboardMode, TypedShell } from '../typed-shell.ts';
import { exec, type Workspace } from '../workspace.ts';
import { openEmbedded } from './open.ts';

/**
 * Waits for each text to be printed, in order, and then runs its action; ends the shell after its line. Resolves with the
 * output after the last text.
 */
async function answering(
  shell: TypedShell,
  answers: [string, () => void][],
  onKeyboard: (mode: KeyboardMode) => void,
): Promise<string> {
  let printed = '';
  for await (const event of shell.events) {
    if (typeof event !== 'string') {
      if (event.type === 'keyboard') onKeyboard(event);
      else shell.run('exit');
      continue;
    }
    printed += event;
    for (let [next] = answers; next && printed.includes(next[0]); [next] = answers) {
      printed = printed.slice(printed.indexOf(next[0]) + next[0].length);
      answers.shift();
      next[1]();
    }
  }
  return printed;
}

/**
 * Tests of things that only exist in the real frame: workers, shared memory, stacks of V8. node.cases.browser.test.ts
 * compares with Node itself.
 */
describe('node in the embedded workspace', () => {
  let workspace: Workspace;

  beforeAll(() => {
    workspace = openEmbedded({
      id: 'wsp_node_itself',
      journal: new MemoryJournal(),
      container: document.body,
    });
  });
  afterAll(() => workspace.close());

  const run = async (command: string, options: Parameters<typeof exec>[2] = {}) =>
    exec(workspace, command, { timeoutMs: 60_000, stdin: '', ...options });
  const write = (path: string, text: string) => workspace.files.write(path, new TextEncoder().encode(text));

  test('a script runs, and what it writes is in the workspace', async () => {
    await write('made.js', "require('fs').writeFileSync('out.txt', process.argv.slice(2).join())");
    expect(await run('node made.js a b && cat out.txt')).toMatchObject({ output: 'a,b', exitCode: 0 });
    expect(new TextDecoder().decode(await workspace.files.read('out.txt'))).toBe('a,b');
  });

  test('modules in a cycle see each other, with live bindings and an await at the top', async () => {
    await write(
      'a.mjs',
      "import { b, early } from './b.mjs'; export let a = 1; export function f() { return 'f' } a = 2; console.log(b(), early, await 3);",
    );
    await write(
      'b.mjs',
      "import { a, f } from './a.mjs'; export const early = f(); export const b = () => a;",
    );
    expect((await run('node a.mjs')).output).toBe('2 f 3\n');
  });

  test('an uncaught error names file, line and column of what was written', async () => {
    await write(
      'types.ts',
      'type A = { a: string };\nfunction fail(a: A): never { throw new Error(a.a); }\nfail({ a: "no" });\n',
    );
    const { output, exitCode } = await run('node types.ts');
    expect(exitCode).toBe(1);
    expect(output).toContain('at fail (/home/project/types.ts:2:36)');
    expect(output).toContain('at Object.<anonymous> (/home/project/types.ts:3:1)');
  });

  test('a program that never looks up is ended, and what it had printed is there', async () => {
    const { output, reason } = await run('node -e "console.log(1); for (;;);"', { timeoutMs: 1500 });
    expect(output).toContain('1\n');
    expect(reason).toBe('timeout');
    const asking = 'node -e "for (;;) fs.statSync(process.cwd())"';
    expect((await run(asking, { timeoutMs: 700 })).reason).toBe('timeout');
    expect((await run('node -p 2')).output).toBe('2\n');
  });

  test('one process runs others, waits for them, and is told of their signals', async () => {
    await write(
      'parent.js',
      "const cp = require('child_process'); console.log(String(cp.execSync('echo from the shell'))); " +
        "const c = cp.spawn('node', ['-e', 'process.on(\"SIGTERM\", () => process.exit(7)); console.log(\"up\"); setInterval(() => {}, 1000)']); " +
        "c.stdout.once('data', () => c.kill()); c.on('close', (code, signal) => console.log(code, signal));",
    );
    expect((await run('node parent.js')).output).toBe('from the shell\n\n7 null\n');
  });

  test('files asked for in quick turns are what they are, whatever their size and whoever else asks', async () => {
    await write(
      'quick.js',
      `const fs = require('fs'), [, , name] = process.argv, assert = require('assert');
      const sizes = [0, 1, 1000, 40_000, 70_000, 262_144, 700_000];
      for (let n = 0; n < 300; n++) {
        const path = name + n % 10, bytes = Buffer.alloc(sizes[n % 7], n % 251);
        fs.writeFileSync(path, bytes);
        if (n % 50 === 0) console.log(n);
        assert(fs.readFileSync(path).equals(bytes));
        assert.equal(fs.statSync(path).size, bytes.length);
        assert.equal(fs.existsSync(path + '-not'), false);
        assert.throws(() => fs.readdirSync(path), { code: 'ENOTDIR' });
      }
      const file = fs.openSync(name + 'ä€😀', 'w+');
      for (let n = 0; n < 200; n++) assert.equal(fs.writeSync(file, String(n % 10)), 1);
      const part = Buffer.alloc(5);
      assert.equal(fs.readSync(file, part, 0, 5, 100), 5);
      console.log(String(part), fs.readdirSync('.').includes(name + 'ä€😀'));`,
    );
    const { output, exitCode } = await run(
      'node quick.js one > one.log & node quick.js two; wait; cat one.log',
    );
    const each = '0\n50\n100\n150\n200\n250\n01234 true\n';
    expect({ output, exitCode }).toEqual({ output: each + each, exitCode: 0 });
  });

  test('files that are asked for side by side are what they are, whatever their size', async () => {
    await write(
      'beside.mjs',
      `import fs from 'fs';
      import assert from 'assert';
      import { mkdir, readFile, stat, unlink, writeFile, rename } from 'fs/promises';
      const sizes = [0, 1, 1000, 70_000, 700_000], all = Array.from({ length: 100 }, (_, n) => n);
      const bytes = (n) => Buffer.alloc(sizes[n % 5], n % 251);
      await Promise.all(all.map((n) => mkdir('d' + n)));
      await Promise.all(all.map((n) => writeFile(\`d\${n}/f\`, bytes(n))));
      const read = await Promise.all(all.map((n) => readFile(\`d\${n}/f\`)));
      for (const n of all) assert(read[n].equals(bytes(n)));
      assert.equal(new Set(read.filter(({ length }) => length > 10_000).map(({ buffer }) => buffer)).size, 40);
      const mixed = await Promise.allSettled(
        all.flatMap((n) => [stat(\`d\${n}/f\`), rename(\`d\${n}/f\`, \`d\${n}/g\`), stat(\`d\${n}/f\`), unlink('d' + n)]),
      );
      console.log(all.every((n) => mixed[4 * n].value.size === sizes[n % 5]));
      console.log([...new Set(mixed.map(({ reason }) => reason?.code + ' ' + reason?.syscall))].join());
      const files = await Promise.all(all.map((n) => new Promise((done, fail) =>
        fs.open('w' + n, 'w', (error, fd) => (error ? fail(error) : done(fd))))));
      await Promise.all(files.map((fd) => new Promise((done) => {
        fs.write(fd, 'one ', () => fs.write(fd, 'two', () => fs.close(fd, done)));
      })));
      console.log([...new Set(all.map((n) => fs.readFileSync('w' + n, 'utf8')))].join());`,
    );
    const { output } = await run('node beside.mjs');
    expect(output).toBe('true\nundefined undefined,ENOENT stat,EISDIR unlink\none two\n');
  });

  test('a program counts the cores of this machine', async () => {
    const { output } = await run('node -p "require(\'os\').availableParallelism()"');
    expect(Number(output)).toBe(Math.min(8, navigator.hardwareConcurrency));
  });

  test('what was asked for first is there first: a watcher hears of the file that is written next', async () => {
    await write(
      'watcher.js',
      `const fs = require('fs');
      fs.mkdirSync('seen');
      for (let n = 0; n < 50; n++) fs.statSync('seen');
      const watcher = fs.watch('seen', (event, file) => { console.log(event, file); watcher.close(); });
      fs.writeFileSync('seen/first', '');`,
    );
    expect((await run('node watcher.js')).output).toBe('rename first\n');
  });

  test('a child that reads nothing leaves its input to the next command', async () => {
    expect((await run('printf "a\\nb\\n" | { node -p 1; cat; }')).output).toBe('1\na\nb\n');
  });

  test('a program sees node, and not a worker of a page', async () => {
    const names = [
      'self',
      'importScripts',
      'WorkerGlobalScope',
      'postMessage',
      'location',
      'indexedDB',
      'caches',
      'XMLHttpRequest',
    ];
    const { output } = await run(`node -p '[${names.map((name) => `typeof ${name}`).join()}].join()'`);
    expect(output).toBe(`${names.map(() => 'undefined').join()}\n`);
  });

  test('in a terminal a program has keys as they are pressed and the size of the window, until it dies', async () => {
    await write(
      'keys.js',
      `const { stdin, stdout } = process;
      process.on('SIGWINCH', (name, number) => console.log([name, number].join()));
      stdout.on('resize', () => console.log([stdout.columns, stdout.rows, ...stdout.getWindowSize()].join()));
      stdin.setRawMode(true).on('data', (key) => {
        console.log([JSON.stringify(String(key)), stdin.isRaw].join());
        if (String(key) === 'x') throw new Error('died of it');
      });
      console.log(['up', stdout.columns, stdout.rows].join());`,
    );
    const shell = workspace.openShell?.({ columns: 80, rows: 24 });
    if (!shell) throw new Error('no shell for a terminal');
    const answers: [string, () => void][] = [
      ['up,80,24\n', () => shell.resize({ columns: 100, rows: 30 })],
      ['100,30,100,30\nSIGWINCH,28\n', () => shell.write('\n')],
      ['"\\r",true\n', () => shell.write('x')],
      ['"x",true\n', () => {}],
      ['Error: died of it', () => {}],
    ];
    const modes: unknown[] = [];
    shell.run('node keys.js');
    await answering(shell, answers, (mode) => modes.push(mode));
    expect(answers).toEqual([]);
    expect(modes).toEqual([
      { type: 'keyboard', raw: true, echo: false },
      { type: 'keyboard', raw: false, echo: true },
    ]);
  });

  test.each([
    ['spawn', `cp.spawn('node', ['picks.js'], { stdio: 'inherit' }).on('exit', over)`],
    ['a shell', `cp.spawn('node picks.js', { stdio: 'inherit', shell: true }).on('exit', over)`],
    ['npm', `cp.spawn('npm', ['run', '-s', 'picks'], { stdio: 'inherit' }).on('exit', over)`],
    ['execSync', `cp.execSync('node picks.js', { stdio: 'inherit' }); over(0)`],
  ])('a program that another one starts in its terminal has keys and size too: %s', async (_how, start) => {
    await write('package.json', JSON.stringify({ scripts: { picks: 'node picks.js' } }));
    await write(
      'picks.js',
      `const { stdin, stdout } = process;
      stdout.on('resize', () => console.log(['now', stdout.columns, stdout.rows].join()));
      stdin.setRawMode(true).on('data', (key) => {
        console.log(JSON.stringify(String(key)));
        if (String(key) === '\\r') stdin.setRawMode(false).pause();
      });
      console.log(['up', stdout.columns, stdout.rows].join());`,
    );
    await write(
      'starts.js',
      `const cp = require('child_process'); const over = (code) => console.log('over ' + code); ${start}`,
    );
    const shell = workspace.openShell?.({ columns: 80, rows: 24 });
    if (!shell) throw new Error('no shell for a terminal');
    const answers: [string, () => void][] = [
      ['up,80,24\n', () => shell.write('\x1b[B')],
      ['"\\u001b[B"\n', () => shell.resize({ columns: 100, rows: 30 })],
      ['now,100,30\n', () => shell.write('\n')],
      ['"\\r"\n', () => {}],
      ['over 0\n', () => {}],
    ];
    const raw: boolean[] = [];
    shell.run('node starts.js');
    const printed = await answering(shell, answers, ({ raw: isRaw }) => raw.push(isRaw));
    expect(
      answers.map(([text]) => text),
      printed,
    ).toEqual([]);
    expect(raw).toEqual([true, false]);
  });

  test('node in a terminal answers what is typed, keeps what was typed before, and ends with the second Ctrl-C', async () => {
    const shell = workspace.openShell?.({ columns: 80, rows: 24 });
    if (!shell) throw new Error('no shell for a terminal');
    const answers: [string, () => void][] = [
      ['Welcome to Node.js v22', () => {}],
      ['> ', () => shell.write('1 + 41\n')],
      ['\u001b[33m42\u001b[39m\n', () => {}],
      ['> ', () => shell.write('\u001b[A')],
      ['1 + 41', () => shell.write('0\n')],
      ['\u001b[33m411\u001b[39m\n', () => {}],
      ['> ', () => shell.write('[1,\n')],
      ['... ', () => shell.interrupt()],
      ['> ', () => shell.write('await new Promise(() => {})\n')],
      ['{})', () => shell.interrupt()],
      ['Script execution was interrupted by `SIGINT`', () => {}],
      ['> ', () => shell.interrupt()],
      ['(To exit, press Ctrl+C again or Ctrl+D or type .exit)', () => {}],
      ['> ', () => shell.interrupt()],
    ];
    shell.run('node');
    const printed = await answering(shell, answers, () => {});
    expect(
      answers.map(([text]) => text),
      printed,
    ).toEqual([]);
  });

  test('Ctrl-C is a key in the terminal of a program that has them all, and no signal to who started it', async () => {
    await write(
      'prompt.js',
      `const fs = require('fs');
      const { createInterface } = require('readline');
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      lines.on('close', () => fs.appendFileSync('told', 'closed '));
      lines.question('sure? ', () => {});`,
    );
    await write(
      'asks.js',
      `const fs = require('fs');
      const { spawn } = require('child_process');
      spawn('node', ['prompt.js'], { stdio: 'inherit' }).on('exit', (code) => fs.appendFileSync('told', 'over ' + code));`,
    );
    const shell = workspace.openShell?.({ columns: 80, rows: 24 });
    if (!shell) throw new Error('no shell for a terminal');
    let printed = '';
    let ran = 0;
    shell.run('node asks.js');
    for await (const event of shell.events) {
      if (typeof event !== 'string') {
        if (event.type !== 'keyboard')
          shell.run(ran++ === 0 ? 'until grep -q over told; do :; done; cat told' : 'exit');
        continue;
      }
      const isAsked = printed.includes('sure?');
      printed += event;
      if (!isAsked && printed.includes('sure?')) shell.interrupt();
    }
    expect(printed).toContain('closed over 0');
  });

  test('Ctrl-C ends what a program has started in the terminal, but not what it has detached', async () => {
    await write(
      'lives.js',
      `const fs = require('fs');
      const [, , name] = process.argv;
      process.on('exit', () => fs.writeFileSync(name + '.exit', ''));
      process.on('SIGINT', () => { fs.writeFileSync(name + '.int', ''); process.exit(1); });
      setInterval(() => fs.existsSync('enough') && process.exit(), 5);
      console.log(name + ' is up');`,
    );
    await write(
      'begins.js',
      `const { spawn } = require('child_process');
      spawn('node', ['lives.js', 'near'], { stdio: 'inherit' });
      spawn('node', ['lives.js', 'far'], { stdio: 'inherit', detached: true });`,
    );
    const shell = workspace.openShell?.({ columns: 80, rows: 24 });
    if (!shell) throw new Error('no shell for a terminal');
    let printed = '';
    let ran = 0;
    shell.run('node begins.js');
    for await (const event of shell.events) {
      if (typeof event !== 'string') {
        if (event.type !== 'keyboard')
          shell.run(
            ran++ === 0
              ? 'until [ -e near.int ]; do :; done; touch enough; until [ -e far.exit ]; do :; done; ls'
              : 'exit',
          );
        continue;
      }
      const before = /near is up/.test(printed) && /far is up/.test(printed);
      printed += event;
      if (!before && /near is up/.test(printed) && /far is up/.test(printed)) shell.interrupt();
    }
    expect(printed).toContain('far.exit');
    expect(printed).not.toContain('far.int');
  });

  test('coverage that only the engine could count is refused in so many words', async () => {
    const { output, exitCode } = await run('NODE_V8_COVERAGE=/tmp/c node -p 1; node -p 2');
    expect(output).toMatch(
      /^\(node:\d+\) Warning: NODE_V8_COVERAGE has no effect here[^\n]*\n[^\n]*\n1\n2\n$/,
    );
    expect(exitCode).toBe(0);
  });

  test('a program that looks for native code gets as far as the line that says that there is none', async () => {
    await write('a.node', '');
    const looks = `const { glibcVersionRuntime } = process.report.getReport().header;
      try { require('./a.node') } catch (error) { console.log(typeof glibcVersionRuntime, error.message) }`;
    await write('looks.js', looks);
    expect((await run('node looks.js')).output).toMatch(/^string .*native addons cannot be loaded/);
    expect(await run('/usr/lib/no-native-code --version')).toMatchObject({
      output: 'This program is native code, which cannot run in this workspace.\n',
      exitCode: 126,
    });
  });

  test('a full workspace says ENOSPC', async () => {
    await write(
      'fill.js',
      "const fs = require('fs'); const b = Buffer.alloc(50e6); try { for (let n = 0; ; n++) fs.writeFileSync('/tmp/f' + n, b) } catch (e) { console.log(e.code, e.syscall) }",
    );
    expect((await run('node fill.js; rm -f /tmp/f*')).output).toContain('ENOSPC');
  });
});
