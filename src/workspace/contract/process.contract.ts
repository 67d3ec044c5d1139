import { describe, expect, test } from 'vitest';
import { ROOT, exec, type Process } from '../workspace.ts';
import { fresh, put, sleep, textAt, type Fixture } from './fixture.ts';

/** Reads a process's output until it holds `text`, then leaves the rest to `rest`. */
async function until(reader: AsyncIterator<string>, text: string): Promise<string> {
  let seen = '';
  while (!seen.includes(text)) {
    const next = await reader.next();
    if (next.done) throw new Error(`output ended at ${JSON.stringify(seen)}`);
    seen += next.value;
  }
  return seen;
}

async function rest(reader: AsyncIterator<string>): Promise<string> {
  let seen = '';
  for (;;) {
    const next = await reader.next();
    if (next.done) return seen;
    seen += next.value;
  }
}

function reading(process: Process): AsyncIterator<string> {
  return process.output[Symbol.asyncIterator]();
}

export function processContract(make: () => Promise<Fixture>): void {
  describe('processes', () => {
    test('both streams arrive merged, with the exit code and the last directory', async () => {
      const { workspace, shell } = await fresh(make);
      await put(workspace, { 'sub/x': '' });
      const result = await exec(workspace, 'echo out; echo err >&2; echo out2; cd sub; exit 7');
      expect(result).toMatchObject({
        output: 'out\nerr\nout2\n',
        exitCode: 7,
        reason: 'exit',
        // The directory in which jsh ended is not known.
        cwd: shell === 'bash' ? `${ROOT}/sub` : ROOT,
        outputMayBeCut: false,
      });
      expect(result.durationMs).toBeGreaterThanOrEqual(0);
    });

    test('output comes while the command runs', async () => {
      const { workspace } = await fresh(make);
      const process = workspace.spawn('echo first; cat > /dev/null; echo second');
      const reader = reading(process);
      expect(await until(reader, 'first')).toBe('first\n');
      process.closeInput();
      expect(await rest(reader)).toBe('second\n');
      expect(await process.exited).toMatchObject({ exitCode: 0, reason: 'exit' });
    });

    test('input all at once, in pieces, as bytes', async () => {
      const { workspace } = await fresh(make);
      expect((await exec(workspace, 'cat', { stdin: 'é\n' })).output).toBe('é\n');
      // This has every byte, including a terminal's control keys and both kinds of line breaks, at all piece boundaries.
      const odd = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7 + (index >> 8)) & 255);
      await exec(workspace, 'cat > raw', { stdin: odd });
      expect(await workspace.files.read('raw')).toEqual(odd);
      const process = workspace.spawn('read line; echo "got $line"; cat');
      process.write('one\n');
      process.write(new TextEncoder().encode('two\n'));
      process.closeInput();
      expect(await rest(reading(process))).toBe('got one\ntwo\n');
    });

    test('a line is read when it is typed', async () => {
      const { workspace } = await fresh(make);
      const process = workspace.spawn('read a; echo "got $a"; read b; echo "then $b"; cat');
      const reader = reading(process);
      process.write('one\n');
      await until(reader, 'got one\n');
      process.write('two\n');
      await until(reader, 'then two\n');
      process.write('rest\n');
      process.closeInput();
      expect(await rest(reader)).toBe('rest\n');
    });

    test('a command that reads nothing does not wait for input', async () => {
      const { workspace } = await fresh(make);
      const process = workspace.spawn('echo done');
      expect(await rest(reading(process))).toBe('done\n');
    });

    test('directory and environment are the caller’s, and nothing stays behind', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'sub/file': 'x' });
      const first = await exec(workspace, 'pwd; ls; echo "$GREETING $HOME"; export LEFT=1; f() { :; }', {
        cwd: 'sub',
        env: { GREETING: 'hi "there"' },
      });
      expect(first.output).toBe(`${ROOT}/sub\nfile\nhi "there" /home\n`);
      const second = await exec(workspace, 'pwd; echo "[$LEFT]"; type f >/dev/null 2>&1 || echo gone');
      expect(second.output).toBe(`${ROOT}\n[]\ngone\n`);
    });

    test.for(['/', '..', 'missing', 'file'])('a process cannot start in %s', async (cwd) => {
      const { workspace } = await fresh(make);
      await put(workspace, { file: '' });
      const result = await exec(workspace, 'echo ran', { cwd });
      expect(result).toMatchObject({ reason: 'lost' });
      expect(result.output).toMatch(/E(ACCES|NOENT|NOTDIR)/);
    });

    test('UTF-8 split across pieces of output arrives whole', async () => {
      const { workspace } = await fresh(make);
      const whole = new TextEncoder().encode('🦄é');
      for (const [index, byte] of whole.entries())
        await workspace.files.write(`b${index}`, Uint8Array.of(byte));
      const { output } = await exec(workspace, 'cat b0; cat b1 b2; cat b3; cat b4; cat b5');
      expect(output).toBe('🦄é');
    });

    test('every command that the workspace lists is there and starts', async () => {
      const { workspace, shell } = await fresh(make);
      const { commands } = await workspace.capabilities();
      expect(commands.length).toBeGreaterThan(20);
      const asked = commands.map((name) => `{ ${name} --help; } </dev/null >/dev/null 2>&1; echo ${name} $?`);
      const { output } = await exec(workspace, asked.join('\n'), { timeoutMs: 30_000 });
      const codes = output.trimEnd().split('\n');
      expect(codes.map((line) => line.split(' ')[0])).toEqual(commands);
      // `time` runs the command that follows it, and `--help` is none, in bash either.
      expect(codes.filter((line) => / 12[67]$/.test(line))).toEqual(shell === 'bash' ? ['time 127'] : []);
    });

    test('many at once keep apart', async () => {
      const fixture = await fresh(make);
      const results = await Promise.all(
        [1, 2, 3, 4, 5].map((n) =>
          exec(fixture.workspace, `echo ${n} > f${n}; ${sleep(fixture, n / 100)}; cat f${n}`),
        ),
      );
      expect(results.map(({ output }) => output)).toEqual(['1\n', '2\n', '3\n', '4\n', '5\n']);
    });

    test('what is interrupted may handle it and go on', async ({ skip }) => {
      const fixture = await fresh(make);
      const script = `trap 'echo caught' INT; echo ready; ${sleep(fixture, 60)}; echo on`;
      const process = fixture.workspace.spawn(script);
      if (!process.interrupt) return skip();
      const reader = reading(process);
      await until(reader, 'ready');
      process.interrupt();
      expect(await rest(reader)).toMatch(/caught\non\n$/);
      expect(await process.exited).toMatchObject({ reason: 'exit', exitCode: 0 });
    });

    test('killed and aborted processes end, keep their output and their files', async () => {
      const fixture = await fresh(make);
      const { workspace } = fixture;
      const process = workspace.spawn(`echo kept > file; echo before; ${sleep(fixture, 60)}; echo never`);
      const reader = reading(process);
      await until(reader, 'before');
      process.kill();
      process.kill();
      expect(await rest(reader)).toBe('');
      expect(await process.exited).toMatchObject({ reason: 'killed', outputMayBeCut: true });
      expect([130, 137]).toContain((await process.exited).exitCode);
      expect(await textAt(workspace, 'file')).toBe('kept\n');

      const abort = new AbortController();
      const aborted = workspace.spawn(`echo up; ${sleep(fixture, 60)}`, { signal: abort.signal });
      await until(reading(aborted), 'up');
      abort.abort();
      expect(await aborted.exited).toMatchObject({ reason: 'killed' });
      expect(await exec(workspace, 'echo x', { signal: AbortSignal.abort() })).toMatchObject({
        reason: 'killed',
      });
      expect((await exec(workspace, 'echo alive')).output).toBe('alive\n');
    });

    test('a time limit ends what sleeps', { retry: 2 }, async () => {
      const fixture = await fresh(make);
      // On a slow machine a shell alone may take hundreds of milliseconds to start.
      const result = await exec(fixture.workspace, `echo a; ${sleep(fixture, 60)}`, { timeoutMs: 2000 });
      expect(result).toMatchObject({ output: 'a\n', exitCode: 124, reason: 'timeout' });
      expect(result.durationMs).toBeGreaterThanOrEqual(1900);
      expect(result.durationMs).toBeLessThan(3000);
    });

    test.for([
      ['a loop', 'echo before; echo x > file; while :; do :; done'],
      ['a loop that prints', 'echo before; echo x > file; while :; do echo y; done'],
      ['a loop that writes', 'echo before; echo x > file; while :; do echo y > other; done'],
      ['awk', `echo before; echo x > file; awk 'BEGIN { while (1) n++ }'`],
      ['a regular expression', `echo before; echo x > file; echo ${'a'.repeat(60)}! | grep -E '^(a+)+b$'`],
      ['a substitution', 'echo before; echo x > file; n=$(while :; do :; done)'],
      ['recursion', 'echo before; echo x > file; f() { while :; do f; done; }; f'],
      ['a pipeline', 'echo before; echo x > file; while :; do echo y; done | cat'],
      ['a background job', 'echo before; echo x > file; while :; do :; done & wait'],
      ['a program', 'echo before; echo x > file; node -e "for (;;);"'],
    ])('%s that never ends dies at its limit', async ([, script = ''], { skip }) => {
      const { workspace, terminable, shell } = await fresh(make);
      if (!terminable || (shell === 'jsh') !== script.includes('node ')) skip();
      // In this time a slow machine that does other work, too, has printed and written what comes first.
      const result = await exec(workspace, script, { timeoutMs: 3000 });
      // Beside other work on a slow machine it took up to six seconds.
      expect(result.durationMs).toBeLessThan(15_000);
      expect(result.output.slice(0, 7)).toBe('before\n');
      expect(await textAt(workspace, 'file')).toBe('x\n');
      expect(await exec(workspace, 'echo alive')).toMatchObject({ output: 'alive\n', exitCode: 0 });
      expect(['timeout', 'exit']).toContain(result.reason);
    });

    test('random bytes are there, and other ones each time', async ({ skip }) => {
      const { workspace, shell } = await fresh(make);
      if (shell === 'jsh') skip();
      const { output } = await exec(
        workspace,
        'for i in 1 2; do head -c 16 /dev/urandom | base64; done | sort -u | wc -l; head -c 9 /dev/random | wc -c',
      );
      expect(output).toBe('2\n9\n');
    });

    test('programs can read what system they run on', async ({ skip }) => {
      const { workspace, shell } = await fresh(make);
      if (shell === 'jsh') skip();
      const { output } = await exec(
        workspace,
        'grep -c "^ID=" /etc/os-release; grep -c "^$(id -un):" /etc/passwd; grep -c ^processor /proc/cpuinfo',
      );
      expect(output).toBe(`1\n1\n${(await exec(workspace, 'nproc')).output}`);
    });

    test('programs keep files in HOME, outside the workspace', async ({ skip }) => {
      const { workspace, shell } = await fresh(make);
      if (shell === 'jsh') skip();
      const wrote = await exec(workspace, 'mkdir -p ~/.config/tool && echo kept > ~/.config/tool/rc');
      expect(wrote).toMatchObject({ exitCode: 0, output: '' });
      expect((await exec(workspace, 'cat "$HOME/.config/tool/rc"')).output).toBe('kept\n');
      expect(await workspace.files.list('.')).toEqual([]);
    });

    test('the rest of the machine can be looked at, not changed', async ({ skip }) => {
      const { workspace, shell } = await fresh(make);
      if (shell === 'jsh') skip();
      for (const command of [
        'echo x > /evil',
        'echo x > /home/.opencode/evil',
        'mkdir /opt',
        'mv /home/project /tmp/stolen',
        'ln -s x /etc/link',
        'cp -r /etc /usr/etc',
        'chmod 777 /home',
      ])
        expect(await exec(workspace, command), command).not.toMatchObject({ exitCode: 0 });
      await exec(workspace, 'rm -rf /home/project /tmp /home');
      const after = await exec(
        workspace,
        'ls /home; echo ok > /tmp/t; cat /tmp/t; echo gone > /dev/null; cat /dev/null',
      );
      expect(after.output).toBe('project\nok\n');
      expect(await workspace.files.list('.')).toEqual([]);
    });

    test('what can be run is told', async () => {
      const { workspace, shell } = await fresh(make);
      const { commands, title } = await workspace.capabilities();
      expect(commands).toContain(shell === 'bash' ? 'grep' : 'node');
      expect([...commands].sort()).toEqual(commands);
      expect(title).not.toBe('');
    });
  });
}
