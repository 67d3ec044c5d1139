import { expect, it } from 'vitest';
import { ROOT } from '../../test/support/shell.ts';
import { TypedInto } from '../../test/support/typed-into.ts';

it.each([
  [['x=1; a=(b c)', 'echo $x ${a[1]}'], '1 c\n'],
  [['f() { echo "f $1"; }', 'f x'], 'f x\n'],
  [["alias say='echo said'", 'say it'], 'said it\n'],
  [
    ['set -u; shopt -s nullglob; set -o pipefail', 'echo $- | grep -c u; echo *.none; set -o | \\grep pipef'],
    '1\n\npipefail       \ton\n',
  ],
  [['export E=5', "bash -c 'echo $E'"], '5\n'],
  [['cd /tmp', 'pwd; echo $OLDPWD'], `/tmp\n${ROOT}\n`],
  [['false', 'echo $?', '', 'echo $?'], '1\n0\n'],
  [['(exit 7)', '', 'echo $?'], '7\n'],
  [["trap 'echo got' USR1", 'kill -USR1 $$'], 'got\n'],
  [["trap 'echo err' ERR", 'false'], 'err\n'],
  [['exec 3> out', 'echo three >&3', 'exec 3>&-; cat out'], 'three\n'],
  [['echo "a\nb"\nfor i in 1 2; do\n echo $i; done'], 'a\nb\n1\n2\n'],
  [['set -- p q', 'echo $2 $#'], 'q 2\n'],
  [['echo ${nothing:?is missing}', 'echo on'], 'bash: nothing: is missing\non\n'],
  [['set -u', 'echo $nothing', 'echo on'], 'bash: nothing: unbound variable\non\n'],
  [
    ['nosuchthing 2>&1 | head -1', 'nosuchthing 2> /dev/null', 'echo $?'],
    'bash: nosuchthing: command not found\n127\n',
  ],
  [['if; then', 'echo on'], "bash: syntax error: expected command after 'if'\non\n"],
  [['break', 'return', 'echo on'], null],
  [['echo one', 'history'], 'one\n    1  echo one\n    2  history\n'],
  [['echo $LINENO', '', 'echo $LINENO'], '1\n3\n'],
])('%j', async (lines, printed) => {
  const terminal = new TypedInto();
  const output = await terminal.run(...lines);
  if (printed === null) expect(output).toMatch(/on\n$/);
  else expect(output).toBe(printed);
  terminal.stop();
});

it('runs jobs from line to line and tells of their ends', async () => {
  const terminal = new TypedInto();
  expect(await terminal.run('sleep 100 &')).toMatch(/^\[1\] \d+\n$/);
  expect(await terminal.run('jobs')).toBe('[1]+  Running                 sleep 100 &\n');
  expect(await terminal.run('kill %1; wait %1; echo $?')).toMatch(/^143\n/);
  expect(terminal.output).toContain('[1]+  Terminated              sleep 100\n');
  expect(await terminal.run('jobs')).toBe('');
  await terminal.run('(exit 3) & p=$!');
  expect(await terminal.run('wait $p; echo $?')).toBe('3\n[1]+  Exit 3                  (exit 3)\n');
  expect(await terminal.run('sleep 0.01 & wait')).toMatch(/^\[1\] \d+\n\[1\]\+ {2}Done {20}sleep 0\.01\n$/);
  terminal.stop();
});

it('set -b tells of a job as soon as it ends', async () => {
  const terminal = new TypedInto();
  await terminal.run('set -b', 'sleep 0.01 &');
  await terminal.printed('[1]+  Done                    sleep 0.01\n');
  expect(await terminal.run('jobs')).toBe('');
  terminal.stop();
});

it('Ctrl-C ends the line in front, not the shell and not its jobs', async () => {
  const terminal = new TypedInto();
  await terminal.run('x=kept; sleep 100 &');
  for (const line of [
    'sleep 100; echo not',
    'echo up; while :; do :; done',
    'echo up; seq 1 9 | { cat; sleep 100; }',
    'echo up; read y',
  ]) {
    const before = terminal.states.length;
    terminal.session.line(line);
    if (line.includes('up')) await terminal.printed('up');
    terminal.session.signal('SIGINT');
    await expect.poll(() => terminal.states.length, { interval: 1 }).toBe(before + 1);
    expect(terminal.states.at(-1)?.exitCode).toBe(130);
  }
  expect(terminal.output).not.toContain('not');
  expect(await terminal.run('echo $x; jobs -r')).toContain('kept\n[1]+  Running');
  terminal.stop();
});

it('a trap for INT runs in the shell, at the prompt too', async () => {
  const terminal = new TypedInto();
  await terminal.run("trap 'echo no' INT");
  terminal.session.signal('SIGINT');
  await terminal.printed('no\n');
  terminal.session.line('echo up; sleep 100; echo on');
  await terminal.printed('up\n');
  terminal.session.signal('SIGINT');
  await terminal.printed('up\nno\non\n');
  terminal.stop();
});

it('exit ends it with its EXIT trap and its jobs; so do set -e, exec and a hang-up', async () => {
  const terminal = new TypedInto();
  await terminal.run("trap 'echo bye' EXIT", 'sleep 100 &');
  terminal.session.line('exit 3');
  expect(await terminal.session.ended).toEqual({ exitCode: 3, cwd: ROOT });
  expect(terminal.output).toMatch(/bye\n$/);
  for (const [line, exitCode] of [
    ['set -e; false', 1],
    ['exec true', 0],
    ['kill -HUP $$', 129],
  ] as const) {
    const other = new TypedInto();
    other.session.line(line);
    expect(await other.session.ended).toMatchObject({ exitCode });
  }
});

it('is stopped for certain, whatever it waits for', async () => {
  const idle = new TypedInto();
  await idle.run('sleep 100 &');
  idle.stop();
  expect(await idle.session.ended).toMatchObject({ exitCode: 124 });
  const busy = new TypedInto();
  busy.session.line('sleep 100');
  busy.stop();
  expect(await busy.session.ended).toMatchObject({ exitCode: 124 });
});

it('what is typed goes to the program in front; Ctrl-D is the end for that one', async () => {
  const terminal = new TypedInto();
  terminal.session.line('cat; cat; read x; echo "<$x>"');
  terminal.type('one\n');
  await terminal.printed('one\n');
  terminal.session.endInput();
  terminal.type('two\n');
  await terminal.printed('two\n');
  terminal.session.endInput();
  terminal.type('three\n');
  await terminal.printed('<three>\n');
  await expect.poll(() => terminal.states.length).toBe(1);
  terminal.session.line('sleep 0.01');
  terminal.type('echo ahead\n');
  await expect.poll(() => terminal.states.at(1)?.unread).toBe('echo ahead\n');
  terminal.stop();
});

it('what comes when nothing runs is handed back at once, and counts for no line', async () => {
  const terminal = new TypedInto();
  await terminal.run('true');
  terminal.type('late');
  await expect.poll(() => terminal.states.at(-1)).toMatchObject({ count: 1, unread: 'late' });
  await terminal.run('true');
  expect(terminal.states.at(-1)).toMatchObject({ count: 2, unread: '' });
  terminal.stop();
});

it('read -s and read -n ask for keys, and give the keyboard back', async () => {
  const terminal = new TypedInto();
  terminal.session.line('read -s -p "Word: " x; echo "<$x>"');
  await terminal.printed('Word: ');
  expect(terminal.modes).toEqual([{ raw: false, echo: false }]);
  terminal.type('secret\n');
  await terminal.printed('<secret>\n');
  terminal.session.line('read -n1 y; echo "<$y>"');
  await expect.poll(() => terminal.modes.at(-1)).toEqual({ raw: true, echo: true });
  terminal.type('k');
  await terminal.printed('k<k>\n');
  await expect.poll(() => terminal.modes.at(-1)).toEqual({ raw: false, echo: true });
  terminal.stop();
});

it('a new size is told by WINCH, COLUMNS, LINES, tput and stty', async () => {
  const terminal = new TypedInto();
  expect(await terminal.run('echo $COLUMNS $LINES; tput cols; tput lines')).toBe('80 24\n80\n24\n');
  await terminal.run("trap 'echo now $COLUMNS' WINCH");
  terminal.session.resize(100, 30);
  await terminal.printed('now 100\n');
  expect(await terminal.run('echo $COLUMNS $LINES; tput cols; stty size')).toBe('100 30\n100\n30 100\n');
  expect(await terminal.run('x=$(tput cols); echo $x; tput cols | cat')).toBe('100\n100\n');
  terminal.stop();
});

it('COLUMNS and LINES are not exported, and a shell learns them from its first program', async () => {
  const terminal = new TypedInto();
  expect(await terminal.run('env | grep -c -e ^COLUMNS= -e ^LINES=')).toBe('0\n');
  const told = 'echo "[$COLUMNS]"; true; echo "[$COLUMNS]"; env true; echo "[$COLUMNS $LINES]"';
  expect(await terminal.run(`bash -c '${told}'`)).toBe('[]\n[]\n[80 24]\n');
  expect(await terminal.run("bash -c 'shopt -u checkwinsize; env true; echo $COLUMNS'")).toBe('\n');
  expect(await terminal.run("COLUMNS=5; env true; echo $COLUMNS; COLUMNS=5 env | sed -n '/^COL/p'")).toBe(
    '80\nCOLUMNS=5\n',
  );
  expect(await terminal.run("export COLUMNS; env | sed -n '/^COL/p'")).toBe('COLUMNS=80\n');
  terminal.stop();
});

it('what git prints to a pipe has 80 columns, whatever the terminal is wide', async () => {
  const terminal = new TypedInto();
  terminal.session.resize(40, 10);
  await terminal.run('git init -q; seq 200 > a-long-name-of-a-file-with-numbers.txt; git add .');
  expect(await terminal.run('git diff --cached --stat | head -1 | wc -m')).toBe('80\n');
  expect(await terminal.run('git diff --cached --stat > s; head -1 s | wc -m')).toBe('80\n');
  terminal.stop();
});

it('shows files in columns and colours, to a person only', async () => {
  const terminal = new TypedInto({ 'src/a.ts': '', 'b.txt': 'word\n', 'c.zip': '', 'long-name.txt': '' });
  await terminal.run('chmod +x b.txt');
  const blue = '\x1b[01;34msrc\x1b[0m';
  const green = '\x1b[01;32mb.txt\x1b[0m';
  const red = '\x1b[01;31mc.zip\x1b[0m';
  expect(await terminal.run('ls')).toBe(`${green}  ${red}  long-name.txt  ${blue}\n`);
  terminal.session.resize(24, 10);
  expect(await terminal.run('ls')).toBe(`${green}  long-name.txt\n${red}  ${blue}\n`);
  expect(await terminal.run('ls | cat; \\ls -1')).toBe('b.txt\nc.zip\nlong-name.txt\nsrc\n'.repeat(2));
  expect(await terminal.run('grep or b.txt')).toContain('\x1b[01;31m');
  terminal.stop();
});

it('names what can be completed', async () => {
  const terminal = new TypedInto();
  await terminal.run('mine=1; myfun() { :; }; alias myal=ls');
  const names = terminal.states.at(-1)?.names;
  expect(names?.variables).toEqual(expect.arrayContaining(['mine', 'HOME', 'COLUMNS']));
  expect(names?.commands).toEqual(expect.arrayContaining(['myfun', 'myal', 'cd', 'export']));
  terminal.stop();
});
