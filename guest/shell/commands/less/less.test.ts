import { expect, test } from 'vitest';
import { TypedInto } from '../../../../test/support/typed-into.ts';
import './part.ts';

const TEN_ROWS = { columns: 20, rows: 10 };
const numbers = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join('');

/** What the last drawn screen shows, row by row, with what is inverse in brackets. */
function rowsOf(output: string): string[] {
  const drawn = output.slice(output.lastIndexOf('\x1b[?25l'));
  return drawn
    .split(/\x1b\[\d+;1H/)
    .slice(1)
    .map((row) =>
      row
        .replaceAll('\x1b[27m\x1b[7m', '')
        .replace(/\x1b\[7m/g, '[')
        .replace(/\x1b\[27m/g, ']')
        .replace(/\x1b\[[\d;?]*[a-zA-Z]/g, ''),
    );
}

async function open(line: string, files: Record<string, string> = {}, size = TEN_ROWS) {
  const terminal = new TypedInto({ 'n.txt': numbers, ...files }, size);
  terminal.session.line(line);
  const shows = async (first: string | RegExp, last: string | RegExp) => {
    await expect
      .poll(() => [rowsOf(terminal.output)[0], rowsOf(terminal.output).at(-1)], { interval: 1 })
      .toEqual(
        [first, last].map((row) => (typeof row === 'string' ? row : (expect.stringMatching(row) as unknown))),
      );
  };
  const ends = async () => {
    await expect.poll(() => terminal.states.length, { interval: 1 }).toBe(1);
    terminal.stop();
    return terminal.states[0];
  };
  return { terminal, shows, ends };
}

test('a screen at a time, there and back, to the end, to a line, and out', async () => {
  const { terminal, shows, ends } = await open('less n.txt');
  await shows('line 1', '[n.txt]');
  expect(rowsOf(terminal.output)).toHaveLength(10);
  for (const [key, first, last = ':'] of [
    [' ', 'line 10'],
    ['\x1b[6~', 'line 19'],
    ['b', 'line 10'],
    ['j', 'line 11'],
    ['\x1b[B', 'line 12'],
    ['k', 'line 11'],
    ['5j', 'line 16'],
    ['d', 'line 21'],
    ['u', 'line 16'],
    ['\n', 'line 17'],
    ['G', 'line 92', '[(END)]'],
    [' ', 'line 92', '[(END)]'],
    ['50g', 'line 50'],
    ['g', 'line 1'],
    ['k', 'line 1'],
  ] as const) {
    terminal.type(key);
    await shows(first, last);
  }
  terminal.type('q');
  expect(await ends()).toMatchObject({ exitCode: 0, unread: '' });
  expect(terminal.output).toMatch(/\x1b\[\?1049l$/);
  expect(terminal.modes).toEqual([
    { raw: true, echo: false },
    { raw: false, echo: true },
  ]);
});

test('searches both ways, marks what it found, and says what it did not find', async () => {
  const { terminal, shows, ends } = await open('less n.txt');
  await shows('line 1', '[n.txt]');
  terminal.type('/9$');
  await shows('line 1', '/9$');
  for (const [key, first, last = ':'] of [
    ['\n', 'line [9]'],
    ['n', 'line 1[9]'],
    ['n', 'line 2[9]'],
    ['N', 'line 1[9]'],
    ['\x1bu', 'line 19'],
    ['?e 3\n', 'lin[e 3]'],
    ['n', 'lin[e 3]', '[Pattern not found]'],
    ['/nothing\n', 'line 3', '[Pattern not found]'],
    ['/(\n', 'line 3', '[Invalid pattern]'],
    ['/x\x7f\x7f', 'line 3'],
    ['/LINE 5\n', 'line 3', '[Pattern not found]'],
    ['-i', 'line 3', '[Searches ignore case]'],
    ['/line 5\n', '[line 5]'],
  ] as const) {
    terminal.type(key);
    await shows(first, last);
  }
  terminal.type('q');
  await ends();
});

test('long lines go on in the next row or are cut; numbers, tabs, wide and control characters', async () => {
  const long = 'abcdefghijklmnopqrstuvwxyz';
  const files = { 'l.txt': `${long}\n\ta\n漢字漢字漢字漢字漢字漢字\n\x01\x1b[31mred\x1b[m\n` };
  const { terminal, shows, ends } = await open('less l.txt', files);
  await shows('abcdefghijklmnopqrst', '[l.txt (END)]');
  expect(rowsOf(terminal.output).slice(1, 6)).toEqual([
    'uvwxyz',
    '        a',
    '漢字漢字漢字漢字漢字',
    '漢字',
    '[^AESC][31mred[ESC][m',
  ]);
  terminal.type('-S');
  await shows('abcdefghijklmnopqrst', '[(END)]');
  expect(rowsOf(terminal.output)[1]).toBe('        a');
  terminal.type('\x1b[C');
  await shows('klmnopqrstuvwxyz', '[(END)]');
  terminal.type('\x1b[D-S-N');
  await shows('      1 abcdefghijkl', '[(END)]');
  terminal.type('-N-R');
  await expect.poll(() => terminal.output).toContain('\x1b[31mred\x1b[m');
  terminal.type('q');
  await ends();
});

test('reads a pipe only as far as someone looks, and leaves the keys to the next reader', async () => {
  const { terminal, shows, ends } = await open('yes | less; read -r x; echo "<$x>"');
  await shows('y', ':');
  terminal.type('  qafter\n');
  await terminal.printed('<after>\n');
  expect(await ends()).toMatchObject({ exitCode: 0 });
});

test('what never ends is left with Ctrl-C, a slow pipe with q', async () => {
  const { terminal, shows, ends } = await open('yes | less');
  await shows('y', ':');
  terminal.type('G');
  await shows('y', /Reading to the end/);
  terminal.session.signal('SIGINT');
  expect(await ends()).toMatchObject({ exitCode: 130 });
  const slow = await open('(echo one; sleep 100) | less');
  await slow.shows('one', ':');
  slow.terminal.type('q');
  slow.terminal.session.signal('SIGINT');
  await slow.ends();
});

test('several files, help, starting places, -F, and what is missing', async () => {
  const { terminal, shows, ends } = await open('less +20 n.txt b.txt none', { 'b.txt': 'b\n' });
  await shows('line 20', ':');
  expect(terminal.output).toContain('less: none: No such file or directory\n');
  terminal.type(':n');
  await shows('b', /b\.txt \(file 2 of 2\) \(END\)/);
  terminal.type(':p');
  await shows('line 20', ':');
  terminal.type('=');
  await shows('line 20', /^\[n\.txt lines 20-28\/100 file 1 of 2/);
  terminal.type('h');
  await shows('', /HELP/);
  terminal.type('q');
  await shows('line 20', ':');
  terminal.type('q');
  await ends();
  const fits = await open('less -F b.txt', { 'b.txt': 'b\n' });
  await fits.ends();
  expect(fits.terminal.output).toBe('b\n');
  const end = await open('less +G n.txt');
  await end.shows('line 92', '[(END)]');
  end.terminal.type('q');
  await end.ends();
});

test('draws anew at a new size', async () => {
  const { terminal, shows, ends } = await open('less n.txt');
  await shows('line 1', '[n.txt]');
  terminal.session.resize(20, 5);
  await expect.poll(() => rowsOf(terminal.output).length).toBe(5);
  terminal.type('q');
  await ends();
});

test('passes everything on where nobody looks', async () => {
  const terminal = new TypedInto({ 'n.txt': numbers });
  expect(await terminal.run('less n.txt | tail -1; less < n.txt | wc -l')).toBe('line 100\n100\n');
  terminal.stop();
});
