import { describe, expect, it } from 'vitest';
import { shell, type ShellSetting } from '../../../test/support/shell.ts';
import { runShell } from '../engine.ts';
import { StreamedInput } from '../input.ts';
import { memoryFiles, ROOT } from '../../../test/support/shell.ts';
import '../commands/archives/part.ts';
import '../commands/awk/part.ts';
import '../commands/jq/part.ts';

async function output(script: string, setting?: ShellSetting): Promise<string> {
  return (await shell(script, setting)).output;
}

describe('a pipeline', () => {
  it('ends at once when its reader has gone', async () => {
    expect(await output('yes | head -3; echo ${PIPESTATUS[@]}')).toBe('y\ny\ny\n141 0\n');
    expect(await output('while :; do echo y; done | head -1; echo ${PIPESTATUS[0]}')).toBe('y\n141\n');
    expect(await output('set -o pipefail; seq 1000000 | head -1; echo $?')).toBe('1\n141\n');
    expect(await output("trap '' PIPE; { echo a; sleep 0.01; echo b; } 2>&1 | true; echo $?")).toBe('0\n');
  });

  it('runs its stages together, and what they print appears as they print it', async () => {
    const stdin = new StreamedInput();
    const seen: string[] = [];
    const run = shell('cat | while read -r x; do echo "<$x>"; done | cat', {
      stdin,
      output(chunk) {
        seen.push(chunk);
        if (seen.length === 1) stdin.add(new TextEncoder().encode('two\n'));
        else stdin.end();
      },
    });
    stdin.add(new TextEncoder().encode('one\n'));
    expect((await run).chunks).toEqual(['<one>\n', '<two>\n']);
  });

  it.each([
    ['jq -c .a', '{"a":1}\n', '1\n'],
    ['jq -R length', 'abc\n', '3\n'],
    ['rg -n o', 'two\n', '1:two\n'],
    ['comm -13 <(echo a) -', 'b\nc\n', 'b\nc\n'],
    ['join <(echo 1 x; echo 3 z) -', '1 y\n2 z\n', '1 x y\n'],
    ['bc', '1+1\n', '2\n'],
    ['xxd -c 4', 'abc\n', '00000000: 6162 630a  abc.\n'],
    ['od -An -c -w4', 'abc\n', '   a   b   c  \\n\n'],
    ['dd status=none', 'abc\n', 'abc\n'],
    ['envsubst', '$HOME\n', '/home\n'],
  ])('of %s shows what comes while more is still to come', async (command, piece, shown) => {
    const stdin = new StreamedInput();
    const run = shell(`cat | ${command} | cat`, { stdin, output: () => stdin.end() });
    // Without what it makes of this the input would not end.
    stdin.add(new TextEncoder().encode(piece));
    expect((await run).chunks[0]).toBe(shown);
  });

  it('ends what packs, expands, lists and searches when its reader has gone', async () => {
    const big = 'yes some text | head -300000 | gzip > big.gz';
    expect(await output(`${big}; gzip -dc big.gz | head -1; echo \${PIPESTATUS[@]}`)).toBe(
      'some text\n141 0\n',
    );
    expect(await output('yes | gzip | head -c 2 | od -An -tx1')).toBe(' 1f 8b\n');
    expect(await output('yes | rg -m 1 y; yes | rg -q y; echo $?')).toBe('y\n0\n');
    expect(await output(`yes '{"a":[1]}' | jq -c .a | head -1; yes | od -vc | head -1 | wc -l`)).toBe(
      '[1]\n1\n',
    );
    const many = 'mkdir d; for i in {1..300}; do printf %9000s x > d/$i; done';
    expect(await output(`${many}; tar c d | tar t | head -1; echo \${PIPESTATUS[@]}`)).toMatch(
      /^d\/\n141 141 0\n/,
    );
    expect(await output(`${many}; tar cz d | (mkdir e; cd e; tar xz); ls e/d | wc -l`)).toBe('300\n');
  });

  it('stops a writer that is faster than its reader', async () => {
    const script =
      "(trap '' PIPE; while echo a line of its own; do ((n++)); done 2> errors; echo $n > made) | { read -r x; sleep 0.05; echo $x; }; cat made";
    const [first, made] = (await output(script)).split('\n');
    expect(first).toBe('a line of its own');
    // 64 kB of lines of 18 bytes, and no more.
    expect(Number(made)).toBeGreaterThan(10);
    expect(Number(made)).toBeLessThan(20_000);
  });

  it('leaves to the next command what the one before has not taken', async () => {
    const files = { f: '1\n2\n3\n' };
    expect(await output('{ read a; head -1; cat; } < f', { files })).toBe('2\n3\n');
    expect(await output('printf "a\\nb\\nc\\n" | { read x; echo "[$x]"; cat; }')).toBe('[a]\nb\nc\n');
  });

  it('keeps both streams in the order in which they were written', async () => {
    expect(await output('for i in 1 2; do echo o$i; echo e$i >&2; done 2>&1 | cat')).toBe('o1\ne1\no2\ne2\n');
    expect(await output('bash -c "echo o; echo e >&2; echo p"')).toBe('o\ne\np\n');
  });

  it('is read and written by processes beside it', async () => {
    expect(await output('cat <(echo a) <(echo b)')).toBe('a\nb\n');
    expect(await output('echo x | tee >(tr x y > out) > /dev/null; sleep 0.02; cat out')).toBe('y\n');
    expect(await output('while read -r l; do echo "$l"; done < <(yes) | head -2')).toBe('y\ny\n');
    expect(await output('exec 3< <(echo later); read -r -u 3 x; echo $x')).toBe('later\n');
  });
});

describe('a signal', () => {
  async function interrupted(script: string, signal: string): Promise<{ output: string; code: number }> {
    let send: (name: string) => void = () => {};
    let text = '';
    const end = await runShell(memoryFiles(), script, {
      cwd: ROOT,
      env: {},
      stdin: new Uint8Array(),
      aborted: () => false,
      signals: (given) => (send = given),
      output(chunk) {
        text += new TextDecoder().decode(chunk);
        if (text.endsWith('ready\n')) setTimeout(() => send(signal));
      },
    });
    return { output: text, code: end.exitCode };
  }

  it('ends the shell and what it runs, after its EXIT trap', async () => {
    expect(await interrupted('echo ready; sleep 100; echo no', 'SIGINT')).toEqual({
      output: 'ready\n',
      code: 130,
    });
    expect(await interrupted('echo ready; while :; do :; done', 'SIGTERM')).toEqual({
      output: 'ready\n',
      code: 143,
    });
    expect(await interrupted("trap 'echo bye' EXIT; echo ready; sleep 100 | cat", 'SIGINT')).toEqual({
      output: 'ready\nbye\n',
      code: 130,
    });
  });

  it('runs its trap, after which the script goes on', async () => {
    expect(await interrupted("trap 'echo caught' INT; echo ready; sleep 100; echo on", 'SIGINT')).toEqual({
      output: 'ready\ncaught\non\n',
      code: 0,
    });
    expect(await interrupted("trap '' INT; echo ready; sleep 0.05; echo on", 'SIGINT')).toMatchObject({
      code: 0,
    });
    expect(
      await interrupted("trap 'echo t; exit 5' TERM; echo ready; sleep 100 & wait; sleep 100", 'SIGTERM'),
    ).toEqual({
      output: 'ready\nt\n',
      code: 5,
    });
  });

  it('ends jobs, which keep what they printed', async () => {
    const script =
      '{ echo started; sleep 100; echo no; } > log & sleep 0.02; kill $!; wait $!; echo $?; cat log';
    expect(await output(script)).toBe('143\nstarted\n');
    expect(await output('sleep 100 | sleep 100 & kill %1; wait; echo over')).toBe('over\n');
    // Killed after something was waited for.
    expect(await shell('sleep 0.01; kill -TERM $$; echo alive')).toMatchObject({ output: '', code: 143 });
    expect(await output('sleep 0.01; (kill -TERM $BASHPID; echo alive); echo $?')).toBe('143\n');
    expect(await output('(while :; do :; done) & sleep 0.02; kill $!; wait $!; echo $?')).toBe('143\n');
    expect(await shell('trap "echo no" EXIT TERM; kill -9 $$; echo alive')).toMatchObject({
      output: '',
      code: 137,
    });
    expect(await output("bash -c 'kill -9 $$; echo no'; echo $?")).toBe('137\n');
  });

  it('has a name, which a shell that it starts is given', async () => {
    const script = `echo 'echo $0 $1' > f.sh; bash -c 'echo $0'; bash -c 'echo $0 $1' name one; bash f.sh two
      chmod +x f.sh; ./f.sh three; echo 'echo $0' | sh; f() { bash -c 'bash -c "echo \\$0" inner' outer; }; f`;
    expect(await output(script)).toBe('bash\nname one\nf.sh two\n./f.sh three\nsh\ninner\n');
  });
});

describe('what runs in the background', () => {
  it('runs on beside the shell, and is waited for at its end', async () => {
    expect(await output('{ sleep 0.02; echo late; } & echo first')).toBe('first\nlate\n');
    expect(await output('x=$(sleep 0.02 && echo in &); echo "[$x]"')).toBe('[in]\n');
  });

  it('is ended with the shell', async () => {
    let looks = 0;
    const end = await shell('while :; do :; done & sleep 100 & echo a; wait; echo b', {
      aborted: () => ++looks > 200,
    });
    expect(end).toMatchObject({ output: 'a\n', code: 124 });
  });
});

describe('what goes deeper and deeper', () => {
  it('is run as far as scripts go', async () => {
    const script = 'f() { local n=$1; ((n > 0)) && f $((n - 1)); :; }; f 2000; echo deep';
    expect(await output(script)).toBe('deep\n');
  });

  it('is ended before it takes all memory', async () => {
    expect(await output('f() { f; }; f 2>&1; echo no')).toContain('maximum function nesting level exceeded');
    expect(await output('f() { (f); }; f 2> said; echo $?; grep -q fork said && echo said')).toBe(
      '254\nsaid\n',
    );
  });
});

it('what is left in the background may say its last, and is then ended with its command', async () => {
  const short = await shell('(sleep 0.05; echo last) & echo first');
  expect(short).toMatchObject({ output: 'first\nlast\n', code: 0 });
  const endless = await shell('sleep 1000 > out & (while :; do sleep 0.01; done) & echo up', {
    lingerMs: 50,
  });
  expect(endless).toMatchObject({
    output: 'up\nbash: what ran in the background was ended with the command that started it\n',
    code: 0,
  });
});
