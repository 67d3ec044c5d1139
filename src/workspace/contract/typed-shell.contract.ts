import { describe, expect, test } from 'vitest';
import type { LineState, TypedShell } from '../typed-shell.ts';
import { ROOT } from '../workspace.ts';
import { fresh, put, textAt, type Fixture } from './fixture.ts';

/** Runs lines in one interactive shell. Returns what each line printed, and the shell's state after it. */
class Lines {
  readonly #shell: TypedShell;
  readonly #events: AsyncIterator<string | { readonly type: string }>;
  seen = '';

  constructor(shell: TypedShell) {
    this.#shell = shell;
    this.#events = shell.events[Symbol.asyncIterator]();
  }

  async run(line: string): Promise<{ readonly output: string; readonly state: LineState }> {
    this.#shell.run(line);
    return this.done();
  }

  async done(): Promise<{ readonly output: string; readonly state: LineState }> {
    for (;;) {
      const { value, done } = await this.#events.next();
      if (done) throw new Error(`the shell ended after ${JSON.stringify(this.seen)}`);
      if (typeof value === 'string') this.seen += value;
      else if (isLine(value)) {
        const output = this.seen;
        this.seen = '';
        return { output, state: value };
      }
    }
  }

  async until(text: string): Promise<void> {
    while (!this.seen.includes(text)) {
      const { value, done } = await this.#events.next();
      if (done) throw new Error(`the shell ended after ${JSON.stringify(this.seen)}`);
      if (typeof value === 'string') this.seen += value;
    }
  }
}

function isLine(event: { readonly type: string }): event is { readonly type: 'line' } & LineState {
  return event.type === 'line';
}

export function typedShellContract(make: () => Promise<Fixture>): void {
  describe('a shell for a terminal', () => {
    const open = async () => {
      const made = await fresh(make);
      const shell = made.workspace.openShell?.({ columns: 80, rows: 24 });
      return shell && { ...made, shell, lines: new Lines(shell) };
    };

    test('keeps from line to line what they set, apart from every other process', async ({ skip }) => {
      const made = await open();
      if (!made) return skip();
      const { workspace, shell, lines } = made;
      await put(workspace, { 'sub/x': '' });
      expect(await lines.run('mine=1; f() { echo "f $mine"; }; cd sub')).toMatchObject({
        output: '',
        state: { exitCode: 0, cwd: `${ROOT}/sub`, unread: '' },
      });
      expect((await lines.run('f; echo y > made; false')).output).toBe('f 1\n');
      expect(await textAt(workspace, 'sub/made')).toBe('y\n');
      const other = workspace.spawn('echo "<$mine>"; pwd');
      let output = '';
      for await (const chunk of other.output) output += chunk;
      expect(output).toBe(`<>\n${ROOT}\n`);
      const { state } = await lines.run('tput cols; g() { :; }');
      expect(state.names.commands).toEqual(expect.arrayContaining(['f', 'g', 'cd']));
      expect(state.names.variables).toContain('mine');
      shell.kill();
      expect(await shell.exited).toMatchObject({ reason: 'killed' });
    });

    test('an interrupt ends the line, exit ends the shell', async ({ skip }) => {
      const made = await open();
      if (!made) return skip();
      const { shell, lines } = made;
      await lines.run('kept=yes');
      shell.run('echo up; sleep 100');
      await lines.until('up\n');
      shell.interrupt();
      expect((await lines.done()).state.exitCode).toBe(130);
      shell.resize({ columns: 99, rows: 20 });
      expect((await lines.run('echo $kept $COLUMNS')).output).toBe('yes 99\n');
      shell.run('read x; exit $x');
      shell.write('4\n');
      expect(await shell.exited).toMatchObject({ exitCode: 4, reason: 'exit' });
    });

    test('what is busy and lets no message in is interrupted all the same', async ({ skip }) => {
      const made = await open();
      // On a single thread, nothing could send it meanwhile.
      if (!made?.terminable) return skip();
      const { shell, lines } = made;
      for (const busy of ['awk "BEGIN { while (1) n++ }"', 'seq 1 1000000000 > /dev/null']) {
        shell.run(`kept=yes; echo up; ${busy}`);
        await lines.until('up\n');
        shell.interrupt();
        expect((await lines.done()).state.exitCode).toBe(130);
        expect((await lines.run('echo $kept')).output).toBe('yes\n');
      }
    });

    test('a line that prints without end is interrupted and says why, and the shell goes on', async ({
      skip,
    }) => {
      const made = await open();
      if (!made?.terminable) return skip();
      const { lines } = made;
      for (const endless of ['while :; do seq 1 200000; done', 'yes']) {
        const { output, state } = await lines.run(`kept=yes; ${endless}`);
        expect(output).toMatch(/interrupted, because this line printed more than 32 MB\n/);
        expect(state.exitCode).toBe(130);
        expect((await lines.run('echo $kept')).output).toBe('yes\n');
      }
    });

    test('ends with its workspace', async ({ skip }) => {
      const made = await open();
      if (!made) return skip();
      await made.lines.run('sleep 100 &');
      await made.workspace.close();
      expect(await made.shell.exited).toMatchObject({ reason: 'lost' });
    });
  });
}
