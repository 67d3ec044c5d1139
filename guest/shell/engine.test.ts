import { describe, expect, it } from 'vitest';
import { memoryFiles, shell, type ShellSetting } from '../../test/support/shell.ts';
import { runShell, shellCommands } from './engine.ts';
import { StreamedInput } from './input.ts';

async function output(script: string, setting?: ShellSetting): Promise<string> {
  return (await shell(script, setting)).output;
}

describe('output', () => {
  it('comes per finished statement', async () => {
    const { chunks, code } = await shell('echo one; echo two; exit 3');
    expect(chunks).toEqual(['one\n', 'two\n']);
    expect(code).toBe(3);
  });

  it('comes while loops, functions, groups, conditions and scripts still run', async () => {
    const script = `
      f() { echo f; echo f2; }
      for i in 1 2; do echo $i; done
      f
      { echo g; (echo s); }
      if echo c; then echo t; fi
      bash test.sh; ./run.sh; source lib.sh; eval 'echo e1; echo e2'
      printf 'a\\nb\\n' | while read -r x; do echo "r$x"; done`;
    const files = {
      'test.sh': 'echo s1\necho s2\n',
      'run.sh': { content: '#!/bin/bash\necho r1; echo r2\n', mode: 0o755 },
      'lib.sh': 'echo l1; echo l2',
    };
    const { chunks } = await shell(script, { files });
    const expected = '1 2 f f2 g s c t s1 s2 r1 r2 l1 l2 e1 e2 ra rb';
    expect(chunks).toEqual(expected.split(' ').map((word) => `${word}\n`));
  });

  it('keeps the order of both streams, also through 2>&1 into a pipe or file', async () => {
    const noisy = 'echo 1; echo 2 >&2; echo 3';
    expect(await output(noisy)).toBe('1\n2\n3\n');
    expect(await output(`{ ${noisy}; } 2>&1`)).toBe('1\n2\n3\n');
    expect(await output(`{ ${noisy}; } 2>&1 | cat`)).toBe('1\n2\n3\n');
    expect(await output(`{ ${noisy}; } |& cat`)).toBe('1\n2\n3\n');
    expect(await output('bash t.sh 2>&1 | cat', { files: { 't.sh': noisy } })).toBe('1\n2\n3\n');
    expect(await output(`f() { ${noisy}; }; f > log 2>&1; f &>> log; cat log`)).toBe('1\n2\n3\n1\n2\n3\n');
    expect(await output(`f() { ${noisy}; }; f 2>&1 >/dev/null | tr 2 b`)).toBe('b\n');
    expect(await output(`x=$(${noisy}); echo "[$x]"`)).toBe('2\n[1\n3]\n');
    expect(await output(`{ ${noisy}; } 2>/dev/null`)).toBe('1\n3\n');
    expect(await output('set -x; f() { echo in; }; f')).toBe('+ f\n+ echo in\nin\n');
  });

  it('waits for whoever reads it', async () => {
    const log: string[] = [];
    const slow = async (chunk: Uint8Array) => {
      log.push(`start ${new TextDecoder().decode(chunk).trim()}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push('done');
    };
    const setting = { cwd: '/', env: {}, stdin: new Uint8Array(), output: slow, aborted: () => false };
    await runShell(memoryFiles(), 'for i in 1 2; do echo $i; done', setting);
    expect(log).toEqual(['start 1', 'done', 'start 2', 'done']);
  });

  it('is UTF-8 and bytes, whatever passes on the way', async () => {
    const word = 'żółw 🐢 日本';
    const files = { 'a.txt': `${word}\n` };
    for (const script of [
      `echo '${word}'`,
      'cat a.txt',
      'cat < a.txt | cat',
      'x=$(cat a.txt); echo "$x"',
      'read -r x < a.txt; echo "$x"',
      'while read -r x; do printf "%s\\n" "$x"; done < a.txt',
      'grep 日 a.txt',
      "sed 's/x/y/' a.txt",
      "awk '{print}' a.txt",
      'sort a.txt | uniq',
      'head -1 a.txt | tail -n 1',
      '{ cat a.txt; }',
      'tee b.txt < a.txt',
      'bash -c "cat a.txt"',
      'mapfile -t l < a.txt; echo "${l[0]}"',
      'cat <<< "$(cat a.txt)"',
      `echo '${word}' > c.txt; cat c.txt`,
      `cat <<EOF\n${word}\nEOF`,
      'xargs < a.txt',
    ]) {
      expect(await output(script, { files }), script).toBe(`${word}\n`);
    }
    expect(await output(`ls`, { files: { [word]: '' } })).toBe(`${word}\n`);
    expect(await output(`x='${word}'; echo \${#x} | cat; printf '${word}' | wc -c`)).toBe('9\n19\n');
  });

  it('carries bytes that are no text', async () => {
    const binary = Uint8Array.from({ length: 256 }, (_, i) => i);
    const files = { 'a.bin': binary };
    expect((await shell('cat a.bin', { files })).bytes).toEqual(binary);
    expect((await shell('cat < a.bin | cat > b.bin; cat b.bin', { files })).bytes).toEqual(binary);
    expect((await shell('cat', { stdin: binary })).bytes).toEqual(binary);
  });
});

describe('the end', () => {
  it('has the exit code and directory of the shell', async () => {
    expect(await shell('mkdir -p a/b; cd a/b; false')).toMatchObject({ code: 1, cwd: '/home/project/a/b' });
    expect(await shell('cd /tmp && (cd /) && exit 7')).toMatchObject({ code: 7, cwd: '/tmp' });
    expect(await shell('cd nowhere')).toMatchObject({ code: 1, cwd: '/home/project' });
    expect(await shell('set -e; cd /tmp; false; cd /')).toMatchObject({ code: 1, cwd: '/tmp' });
    expect(await shell('if true; then', {})).toMatchObject({ code: 2, cwd: '/home/project' });
    expect(await shell('')).toMatchObject({ code: 0, output: '' });
    expect((await shell('exit 256')).code).toBe(0);
  });

  it('is told by the flag, even in a busy loop, and what was printed stays', async () => {
    for (const loop of [
      'while :; do :; done',
      'until false; do true; done',
      'for ((;;)); do :; done',
      'f() { while :; do :; done; }; f',
      'bash -c "while :; do :; done"',
      '(while :; do :; done) | cat',
      'x=$(while :; do :; done)',
      'timeout 100 bash -c "while :; do :; done"',
      'sleep 1000',
      'sleep 1000 | cat',
      'yes > /dev/null; while :; do :; done',
    ]) {
      let looks = 0;
      const aborted = () => ++looks > 40;
      const end = await shell(`cd /tmp; echo before; ${loop}; echo after`, { aborted });
      expect(end.output, loop).toBe('before\n');
      expect(end, loop).toMatchObject({ code: 124, cwd: '/tmp' });
    }
  });

  it('keeps what loops and scripts printed before they were ended', async () => {
    let printed = 0;
    const end = await shell('bash -c "for i in 1 2 3 4 5; do echo \\$i; done; echo no"', {
      output: () => void printed++,
      aborted: () => printed >= 3,
    });
    expect(end.output).toBe('1\n2\n3\n');
  });

  it('keeps the files written before', async () => {
    let printed = 0;
    const end = await shell('echo a > f; echo now; while :; do :; done', {
      output: () => void printed++,
      aborted: () => printed > 0,
    });
    expect(await end.files.readFile('/home/project/f')).toBe('a\n');
  });

  it('comes from timers inside busy loops too', async () => {
    const { output, code } = await shell('timeout 0.1 bash -c "echo a; while :; do :; done"; echo $?');
    expect(output).toBe('a\n124\n');
    expect(code).toBe(0);
  });
});

describe('standard input', () => {
  it('is read by the command that asks for it', async () => {
    expect(await output('cat', { stdin: 'a\nb\n' })).toBe('a\nb\n');
    expect(await output('read -r x; read -r y; echo "$y$x"', { stdin: 'a\nb\n' })).toBe('ba\n');
    expect(await output('while read -r x; do echo "<$x>"; done', { stdin: 'a\nb\n' })).toBe('<a>\n<b>\n');
    expect(await output('bash -c "read -r x; echo \\$x"', { stdin: 'a\n' })).toBe('a\n');
    expect(await output('bash s.sh | tr a-z A-Z', { stdin: 'a\n', files: { 's.sh': 'cat' } })).toBe('A\n');
    expect(await output('bash', { stdin: 'echo hi' })).toBe('hi\n');
    expect(await output('f() { grep b; }; f', { stdin: 'a\nb\n' })).toBe('b\n');
    expect(await output('mapfile -t l; echo ${#l[@]}', { stdin: 'a\nb\n' })).toBe('2\n');
    expect(await output('cat; echo end')).toBe('end\n');
  });

  it('is not waited for by commands that have their own or need none', async () => {
    const asked = () => Promise.reject(new Error('asked'));
    const stdin = { readLine: asked };
    const script = `echo a; ls; x=$(echo b | cat); echo $x; cat < f; grep -c c f; cat <<< d; sort f | head -1;
      : | cat; bash s.sh; while read -r l; do echo $l; done < f; wc -l f; awk 'END{print NR}' f; sed -n 1p f; jq . <<< 1`;
    const files = { f: 'c\n', 's.sh': 'echo s; cat f' };
    expect(await output(script, { stdin, files })).toBe('a\nf\ns.sh\nb\nc\n1\nd\nc\ns\nc\nc\n1 f\n1\nc\n1\n');
    await expect(shell('cat', { stdin })).rejects.toThrow('asked');
    await expect(shell('read x', { stdin })).rejects.toThrow('asked');
  });

  it('is shared: each takes on where the one before stopped', async () => {
    const script =
      '(read -r x; echo $x); bash -c "read -r -n 1 y; echo \\$y"; cat; read z; echo $?; cat; echo end';
    expect(await output(script, { stdin: 'a\nbcd\ne\n' })).toBe('a\nb\ncd\ne\n1\nend\n');
    expect(await output('cat; cat; echo end', { stdin: 'a\n' })).toBe('a\nend\n');
    expect(await output('read x; echo "$x"; cat', { stdin: 'a\\\nb\nc\n' })).toBe('ab\nc\n');
    expect(await output("read -r -d ';' x; echo $x; cat", { stdin: 'a\nb;c' })).toBe('a b\nc');
  });

  it('is read by lines as they are typed, after the question', async () => {
    const stdin = new StreamedInput();
    const seen: string[] = [];
    const said = { 'name? ': 'Ada\n', 'hi Ada\n': 'one\ntwo\n', '<two>\n': '' };
    const run = shell('read -rp "name? " n; echo "hi $n"; while read -r l; do echo "<$l>"; done; echo over', {
      stdin,
      columns: 80,
      output(chunk) {
        seen.push(chunk);
        if (chunk in said) stdin.add(new TextEncoder().encode(said[chunk as keyof typeof said]));
        if (chunk === '<two>\n') stdin.end();
      },
    });
    expect((await run).output).toBe('name? hi Ada\n<one>\n<two>\nover\n');
    expect(await output('read -p "name? " n; echo $n', { stdin: 'Ada\n' })).toBe('Ada\n');
  });

  it('does not hold up an abort', async () => {
    for (const command of ['cat', 'read x']) {
      let looks = 0;
      const run = shell(`echo a; ${command}; echo b`, {
        stdin: new StreamedInput(),
        aborted: () => ++looks > 20,
      });
      expect(await run).toMatchObject({ output: 'a\n', code: 124 });
    }
  });
});

describe('the world outside', () => {
  it('has commands in /bin that cannot be changed, and nothing asks the files for them', async () => {
    const asked: string[] = [];
    const files = memoryFiles({ f: 'x\n' });
    for (const name of ['stat', 'exists', 'lstat', 'readFile'] as const) {
      const original = files[name].bind(files);
      Object.assign(files, { [name]: (path: string) => (asked.push(path), original(path)) });
    }
    const script =
      'ls /bin | grep -c .; which grep; test -x /usr/bin/awk && echo x; ls -d /bin /usr/bin; cat f';
    const { output } = await shell(script, { files });
    expect(output).toBe(`${shellCommands.length}\n/usr/bin/grep\nx\n/bin\n/usr/bin\nx\n`);
    expect(asked.filter((path) => path.startsWith('/bin') || path.startsWith('/usr'))).toEqual([]);
    const refused = await shell('echo x > /bin/ls; echo $?; rm /bin/ls; mv /bin/ls a; touch /bin/new', {
      files,
    });
    expect(refused.output).toContain('bash: line 1: /bin/ls: Read-only file system\n1\n');
    expect((await shell('ls f', { files })).output).toBe('f\n');
  });

  it('may refuse files: the command fails and the shell goes on', async () => {
    const files = memoryFiles();
    const refuse = (path: string) => Promise.reject(new Error(`EACCES: permission denied, open '${path}'`));
    Object.assign(files, { writeFile: refuse, appendFile: refuse });
    const { output, code } = await shell(
      'echo a > f; echo $?; { echo b; } >> f || echo no; f() { echo c; }; f > f; echo end',
      {
        files,
      },
    );
    const refusal = 'bash: line 1: f: Permission denied\n';
    expect(output).toBe(`${refusal}1\n${refusal}no\n${refusal}end\n`);
    expect(code).toBe(0);
  });

  it('is told apart from the script when it fails', async () => {
    const output = () => {
      throw new Error('nobody listens');
    };
    await expect(shell('for i in 1 2 3; do echo $i; done; echo x || true', { output })).rejects.toThrow(
      'nobody listens',
    );
  });

  it('has no other commands, and says what to do instead', async () => {
    const { output, code } = await shell('hg status; echo $?; python3 -c 1; ./nothing; nonsense');
    expect(code).toBe(127);
    expect(output).toBe(
      `bash: line 1: hg: command not found
hg is not installed here. Use git.
127
bash: line 1: python3: command not found
python3 is not installed here. Use node, awk, jq or bash instead.
bash: line 1: ./nothing: No such file or directory
bash: line 1: nonsense: command not found
nonsense is not installed here. Run help for the list of commands.
`,
    );
  });

  it('is described truly by help, type, which and command -v', async () => {
    const { output } = await shell(
      'help; for c in $(ls /bin) cd read trap set; do type -t $c > /dev/null || echo "untrue: $c"; done',
    );
    for (const name of shellCommands)
      expect(output).toMatch(new RegExp(`(^|\\s)${name.replace('[', '\\[')}(\\s|$)`));
    expect(output).not.toContain('untrue');
    expect((await shell('which hg python; command -v hg; type nothing')).output).toBe(
      'bash: line 1: type: nothing: not found\n',
    );
  });

  it('gives every run its own environment, directory and width', async () => {
    const files = memoryFiles({ 'd/f': '' });
    await shell('export LEFT=1; f() { :; }; trap "echo x" EXIT; cd d; set -e', { files });
    const { output, cwd } = await shell(
      'echo "[$LEFT$A]" $COLUMNS; type f >/dev/null 2>&1 || echo none; false; pwd',
      {
        files,
        env: { A: 'a' },
      },
    );
    expect(output).toBe('[a]\nnone\n/home/project\n');
    expect(cwd).toBe('/home/project');
  });
});

describe('rm', () => {
  it('never empties what a link leads to, nor the root', async () => {
    const files = memoryFiles({ 'd/f': 'kept' });
    const said = await output('ln -s d l; rm -rf l/; echo $?; cat d/f; rm -rf /; echo $?; rm -r l; cat d/f', {
      files,
    });
    expect(said).toMatch(
      /^rm: cannot remove 'l\/': Not a directory\n1\nkeptrm: it is dangerous .*\n1\nkept$/,
    );
  });
});

it('a script that PATH leads to is called by the place as PATH has it', async () => {
  const files = { 'a/s.sh': 'echo $0\n' };
  const line = 'chmod +x a/s.sh; PATH=$PATH:./a; s.sh; cd a; PATH=/bin:; s.sh; PATH=.:/bin; s.sh; type s.sh';
  expect((await shell(line, { files })).output).toBe('./a/s.sh\n./s.sh\n./s.sh\ns.sh is ./s.sh\n');
});

it('a script that forks without end leaves room for timers, and says once a second that it may not', async () => {
  const started = performance.now();
  let isLate = false;
  const late = setTimeout(() => (isLate = true), 300);
  const text: string[] = [];
  const { exitCode } = await runShell(memoryFiles(), ':() { : | : & }; :', {
    cwd: '/',
    env: {},
    stdin: new Uint8Array(),
    output: (chunk) => void text.push(new TextDecoder().decode(chunk)),
    // A busy machine may need longer than the timer until no more can be forked.
    aborted: () => isLate && text.length > 0,
  });
  clearTimeout(late);
  expect(exitCode).toBe(124);
  expect(text.join('')).toMatch(
    /^(environment: line 1: fork: (retry: )?Resource temporarily unavailable\n)+$/,
  );
  expect(text.length).toBeLessThan(3 + (performance.now() - started) / 1000);
});
