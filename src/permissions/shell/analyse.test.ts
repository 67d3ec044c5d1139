import { describe, expect, test } from 'vitest';
import { analyse } from './analyse.ts';

async function patterns(script: string): Promise<string[]> {
  const analysis = await analyse(script);
  if ('raw' in analysis) throw new Error(`raw: ${analysis.raw}`);
  return analysis.patterns.map(({ text }) => text);
}
async function always(script: string): Promise<(string | undefined)[]> {
  const analysis = await analyse(script);
  if ('raw' in analysis) throw new Error(`raw: ${analysis.raw}`);
  return analysis.patterns.map((pattern) => pattern.always);
}
const isRaw = async (script: string) => 'raw' in (await analyse(script));

describe('every command is found', () => {
  test.each<[string, string, string[]]>([
    ['alone', 'ls -la', ['ls -la']],
    ['in a pipe', 'cat a | grep x | wc -l', ['cat a', 'grep x', 'wc -l']],
    ['in lists', 'a && b || c; d & e\nf', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['after a negation', '! rm x', ['rm x']],
    ['in a subshell and a group', '(rm a); { rm b; }', ['rm a', 'rm b']],
    ['in a substitution', 'echo "$(rm a)" `rm b`', ['echo "$(rm a)" `rm b`', 'rm a', 'rm b']],
    ['in a default', 'echo ${x:-$(rm a)}', ['echo ${x:-$(rm a)}', 'rm a']],
    ['in a process substitution', 'diff <(rm a) b', ['diff <(rm a) b', 'rm a']],
    ['in an assignment', 'X=$(rm a)', ['X=$(rm a)', 'rm a']],
    ['in a here-document', 'cat <<E\n$(rm a)\nE', ['cat', 'rm a']],
    ['not in a quoted here-document', "cat <<'E'\n$(rm a)\nE", ['cat']],
    ['in a here-string', 'cat <<< "$(rm a)"', ['cat', 'rm a']],
    ['in a redirection', 'echo x > "$(rm a)"', ['echo x > "$(rm a)"', '> "$(rm a)"', 'rm a']],
    ['in an if', 'if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['in loops', 'for i in $(a); do b; done; while c; do d; done', ['a', 'b', 'c', 'd']],
    ['in a case', 'case $x in y) a;; *) b;; esac', ['a', 'b']],
    ['in a test', '[[ -f $(a) ]] && [ -f "$(b)" ]', ['a', '[ -f "$(b)" ]', 'b']],
    ['once', 'ls; ls', ['ls']],
  ])('%s', async (_, script, expected) => expect((await patterns(script)).sort()).toEqual(expected.sort()));
});

describe('wrappers', () => {
  test.each<[string, string]>([
    ['timeout 5 rm x', 'rm x'],
    ['timeout -k 1 -s KILL 5 rm x', 'rm x'],
    ['nice -n 5 rm x', 'rm x'],
    ['nohup rm x &', 'rm x'],
    ['command -p rm x', 'rm x'],
    ['env -i -u Y X=1 rm x', 'rm x'],
    ['env X=1 sh -c "ls; rm x"', 'rm x'],
    ["bash -ec 'timeout 3 rm x'", 'rm x'],
    ['ls | xargs rm', 'rm'],
    ['ls | xargs -n1 -P 4 rm -f', 'rm -f'],
    ['ls | xargs -I{} cp {} /x', 'cp "{}" /x'],
    ['find . -name x -exec rm {} \\;', 'rm "{}"'],
    ['find . -exec ls {} + -execdir rm -f {} +', 'rm -f "{}"'],
    ['sudo -u root rm x', 'rm x'],
  ])('%s', async (script, inner) => {
    expect(await patterns(script)).toContain(inner.replaceAll('"{}"', '{}'));
  });

  test('command -v runs nothing else', async () => {
    expect(await patterns('command -v node')).toEqual(['command -v node']);
  });
});

describe('the text of a pattern', () => {
  test.each<[string, string]>([
    ['"r"m  -rf\tx', 'rm -rf x'],
    ['r\\m x', 'rm x'],
    ["'rm' 'x y'", "rm 'x y'"],
    ['git "push"', 'git push'],
    ["$'rm' x", 'rm x'],
    ['echo  $x   *.ts', 'echo $x *.ts'],
    ['echo \u{1f600}', 'echo \u{1f600}'],
  ])('%s', async (script, text) => expect(await patterns(script)).toEqual([text]));

  test('includes redirections, also as separate patterns', async () => {
    expect(await patterns('ls > out.txt 2>&1')).toEqual(['ls > out.txt', '> out.txt']);
    expect(await patterns('{ ls; } >> log')).toEqual(['>> log', 'ls']);
    expect(await patterns('ls > /dev/null 2>&1 < in')).toEqual(['ls']);
  });

  test('exists with and without the variables set for the command', async () => {
    expect(await patterns('A=1 B=2 rm x')).toEqual(['rm x', 'A=1 B=2 rm x']);
  });
});

describe('patterns that a lasting answer would save', () => {
  test.each<[string, (string | undefined)[]]>([
    ['ls -la', ['ls *']],
    ['git commit -m x', ['git commit *']],
    ['git status', ['git status *']],
    ['npm run build -- --watch', ['npm run build *']],
    ['npm install left-pad', ['npm install *']],
    ['docker compose up', ['docker compose up *']],
    ['git -C /x push', ['git -C /x push']],
    ['git --no-pager log *.ts', [undefined]],
    ['bash build.sh fast', ['bash build.sh *']],
    ['node -e x', ['node -e x']],
    ['echo x > a', ['echo *', '> a']],
    ['echo x > $a*', ['echo *', undefined]],
  ])('%s', async (script, expected) => expect(await always(script)).toEqual(expected));
});

describe('asked for as raw text', () => {
  test.each([
    '((rm x))',
    'echo $((ls); rm x)',
    "ls <(rm x)''",
    'ls a[ $',
    'ls a\\ &> f',
    'ls !# x',
    'ls {}# x',
    "ls {'}$ x'}",
    'ls a\\\nb',
    'echo $(case x in x) rm;; esac)',
    'echo "$(ls # )\n)"',
    'echo $(cat <<E\n)\nE\n)',
    'echo ${a[$(rm x)]}',
    'echo ${a[x]} ${!b} ${c@P} ${d:x:1}',
    'a[$(rm x)]=1',
    'ls; echo $(($(rm x)))',
    'ls; ((a[$(rm x)]))',
    'ls; (( `rm x` ))',
    'ls; for ((i=$(rm x);;)); do ls; done',
    'ls; ((PATH=0))',
    'echo ${x:$(rm y)}',
    'a=([$(rm x)]=1)',
    'test() { rm x; }; test',
    'env() { "$@"; }; env ls',
    'cd() { :; }; cd ..',
    'export "x=$y"',
    'command export x=$y',
    'local -n r=PATH',
    'declare -f ls',
    'echo ${x@P}',
    '$cmd x',
    '"$(which rm)" x',
    'git $x',
    '/bin/r? x',
    'source a.sh',
    'eval "$x"',
    'eval ls $x',
    'eval -x ls',
    'eval ls ~+',
    "eval 'ls' *",
    "eval 'ls' {a,b}$x",
    "eval 'PATH=.'",
    "eval 'ls &&'",
    "eval 'alias ls=rm'",
    "eval 'eval $x'",
    'trap "$x" EXIT',
    "trap 'ls' $s",
    "trap 'ls' NOSUCH",
    "trap 'ls'",
    "trap 'PATH=.' EXIT",
    'trap ~/x EXIT',
    'coproc PATH { ls; }',
    'coproc $x',
    'select PATH in .; do ls; done',
    'let "x[$(rm y)]=1"',
    'let x=$y',
    'let PATH=1',
    'echo ${!x}',
    'read x; echo ${!x}',
    'x=$y; echo ${!x}',
    "x='a[1]'; echo ${!x}",
    'x=HOME; read x; echo ${!x}',
    'x=HOME; x+=y; echo ${!x}',
    'x=HOME; for x in $y; do echo ${!x}; done',
    'x=HOME; ((x=1)); echo ${!x}',
    'x=HOME; printf -v x y; echo ${!x}',
    "x=HOME; eval 'x=y'; echo ${!x}",
    "eval 'x=HOME; echo ${!x}'",
    'REPLY=HOME; read < a; echo ${!REPLY}',
    'x=HOME; echo ${!x:-y}',
    'x=HOME; echo ${!1}',
    'echo {a,b}$x',
    'echo {a,"b"}',
    'echo {a=1,b}',
    'git {push,$x}',
    'echo {~,x}',
    '. a.sh',
    'alias ls=rm',
    'exec rm x',
    'shopt -s extglob',
    "printf -v 'a[$(rm x)]' y",
    "read 'a[$(rm x)]'",
    "unset 'a[$(rm x)]'",
    'PATH=. ls',
    'export PATH=.',
    'export "PATH=."',
    'for PATH in .; do ls; done',
    'echo ${PATH:=.}',
    'env PATH=. ls',
    'env -S "rm x"',
    'env $x',
    'timeout $t rm',
    'timeout --unknown 5 rm',
    'curl x | bash',
    'curl x | sh -s y',
    'bash < a',
    'sh -c "$x"',
    "bash -xc 'eval $x'",
    'ls | xargs $x',
    'ls | xargs sh -c',
    'ls | xargs git',
    'ls | xargs -I{} {} x',
    "ls | xargs -I{} sh -c 'rm {}'",
    'ls | xargs env',
    'ls | xargs --arg-file=x rm',
    'find . -exec {} \\;',
    "find . -exec sh -c 'rm {}' \\;",
    'find . -exec rm',
    'find $x',
    'cat <<E\nnot closed',
    'echo "not closed',
    'ls &&',
    'if ls; then',
    'echo $(ls &&)',
    'echo `echo \\`rm x\\``',
    'ls {fd}> x',
    'ls >& file',
    'ls >&$x',
    'rm\u00a0x',
    'ls\r\nrm x',
    'a\u0000b',
    'ls \ud800',
    '',
    '# nothing',
    `echo ${'x'.repeat(17_000)}`,
    `${'$('.repeat(300)}ls${')'.repeat(300)}`,
  ])('%j', async (script) => expect(await isRaw(script)).toBe(true));

  test('with the reason', async () => {
    expect(await analyse('ls {}# x')).toMatchObject({
      raw: 'it contains syntax that shells read differently',
    });
    for (const [script, raw] of [
      ['source a.sh', 'source runs the commands of a file, which are not written here'],
      ['eval "$x"', 'eval of a script that is known only at run time'],
      ['trap "$x" EXIT', 'trap of a script that is known only at run time'],
      ['alias ls=rm', 'alias changes what the names of later commands run'],
      ['echo ${!x}', 'an indirect expansion: what x names is not plainly written here'],
    ] as const)
      expect(await analyse(script)).toMatchObject({ raw });
  });

  test('if jsh would run it', async () => {
    for (const script of ['eval ls', "trap 'ls' EXIT", 'let x=1'])
      expect(await analyse(script, undefined, 'jsh')).toHaveProperty('raw');
  });
});

describe('scripts that run later, or are parsed again, ask for their commands', () => {
  test.each<[string, readonly string[]]>([
    ["eval 'ls -a; rm x'", ["eval 'ls -a; rm x'", 'ls -a', 'rm x']],
    ['eval rm "x y" \'z\'', ['eval rm "x y" z', 'rm x y z']],
    ["eval -- 'eval rm x'", ["eval -- 'eval rm x'", 'eval rm x', 'rm x']],
    ["command eval 'rm x > y'", ["eval 'rm x > y'", 'rm x > y', '> y']],
    ["trap 'rm x' EXIT INT", ["trap 'rm x' EXIT INT", 'rm x']],
    ["trap -- 'rm x; (mv a b)' 2", ['rm x', 'mv a b']],
    ["trap - EXIT; trap '' INT; trap EXIT; trap -p; trap", ['trap - EXIT', 'trap EXIT', 'trap -p', 'trap']],
    ["f() { trap 'rm x' RETURN; }; f", ["trap 'rm x' RETURN", 'rm x', 'f']],
    ['coproc rm x', ['rm x']],
    ['coproc W { rm x; mv a b; }', ['rm x', 'mv a b']],
    ['select i in a $(mv a b); do rm "$i"; done', ['mv a b', 'rm "$i"']],
    ['let x=1 "y = x + 2"', ['let x=1 "y = x + 2"']],
    ['x=HOME; echo "${!x} $x"', ['x=HOME', 'echo "${!x} $x"']],
    ['for v in HOME TMPDIR; do echo ${!v}; done', ['echo ${!v}']],
  ])('%s', async (script, expected) =>
    expect(await patterns(script)).toEqual(expect.arrayContaining([...expected])),
  );
});

describe('braces are expanded into words', () => {
  test.each<[string, string]>([
    ['touch {a,b}.txt', 'touch a.txt b.txt'],
    ['{rm,-r} x', 'rm -r x'],
    ['r{m,x} y', 'rm rx y'],
    ['git {push,-f}', 'git push -f'],
    ['echo {-delete,x}', 'echo -delete x'],
    ['rm x{1..3} {a..c}{1,2}', 'rm x1 x2 x3 a1 a2 b1 b2 c1 c2'],
    ['rm {a,{b,c}d}', 'rm a bd cd'],
    ['rm {5..1..2} {c..a}', 'rm 5 3 1 c b a'],
    ['find . -{1..2}', 'find . -1 -2'],
    ['rm src/{a,b}/x', 'rm src/a/x src/b/x'],
  ])('%s', async (script, expected) => expect(await patterns(script)).toEqual([expected]));
});

test('a function asks for the commands of its body', async () => {
  expect(await patterns('f() { local a=$1; rm "$a"; (mv b c) > log; }; time f x')).toEqual(
    expect.arrayContaining(['rm "$a"', 'mv b c', '> log', 'f x']),
  );
  expect(await patterns('((ls); rm x)')).toEqual(['ls', 'rm x']);
});

describe('scripts that can be analysed', () => {
  test.each([
    'echo $((1 + 2 * 3))',
    '[ 1 -lt 2 ] && [[ 3 -eq 4 ]]',
    '[ -f a ] && [ "$x" = y ] && [[ $x == y* ]]',
    'echo ${x:-y} ${x%.ts} ${x//a/b} ${#x} ${x:0:3} ${x^^} ${a[0]} ${a[@]}',
    'ls src/*.{ts,js}',
    'X=1; export Y=2; read -r line; unset Z',
    'a=(1 2 "$b"); echo "${a[@]}"',
    'printf "%s\\n" "$x"; printf -v out x',
    'until ls; do sleep 1; done',
    'cat <<-E\n\tx\n\tE',
    'ls 2>/dev/null >&2 3<&-',
    'set -euo pipefail; cd a && ls',
    `docker ps --format '{{.Names}}' && echo "$x" "{a}" {}`,
    'ls \\\n  -la # why',
    'find . -name "*.ts" -not -path "./node_modules/*"',
    "grep -rn '$[' . | head -5".replace('$[', 'x'),
    "awk '{ print $1 }' a",
    'for ((i = 0; i < 3; i++)); do echo "$i $((i * 2 + ${#a[@]}))"; done; ((n += i)) || true',
    '[ "$x" -gt 3 ] && [[ $x -eq y && -v a ]]',
    'time ls -la; ls !(x|*.ts); echo $"x"',
    'declare -A m=([a]=1 [b c]="2"); local x=$1 y="$(ls)"; declare -i n=3; echo ${m[$k]} ${!m[@]} ${x@Q} ${x:n:2}',
    'a[i+1]=x; a[$i]+=y; for i in {1..10}; do echo "file{1..3}" x{01..20}.ts; done',
  ])('%s', async (script) => expect(await analyse(script)).not.toHaveProperty('raw'));
});

test('words that may name files are listed, globs separately', async () => {
  expect(await analyse('cat a "b c" *.ts $x < in > out')).toMatchObject({
    files: [
      { text: 'a', glob: false },
      { text: 'b c', glob: false },
      { text: '*.ts', glob: true },
      { text: 'in', glob: false },
      { text: 'out', glob: false },
    ],
  });
});

const same = async (one: string, other: string) => {
  const [a, b] = await Promise.all([analyse(one), analyse(other)]);
  return 'canonical' in a && 'canonical' in b && a.canonical === b.canonical;
};

test.each([
  ['rm x', '  rm   x '],
  ['rm x', 'rm "x"'],
  ['rm x', "r'm' x"],
  ['rm x', 'rm x;'],
  ['rm x', 'rm \\\n  x'],
  ["echo 'a b'", 'echo "a b"'],
  ['ls && rm x', 'ls&&rm x'],
  ['ls; rm x', 'ls\nrm x\n'],
  ['ls > out', 'ls >out'],
])('%j is a different spelling of %j', async (one, other) => {
  expect(await same(one, other)).toBe(true);
});

test.each([
  ['rm a b', 'rm "a b"'],
  ['ls && rm x', 'ls || rm x'],
  ['ls; rm x', 'ls && rm x'],
  ['echo "a  b"', 'echo "a b"'],
  ['ls > a', 'ls >> a'],
  ['echo $x', "echo '$x'"],
  ['ls 2> a', 'ls 2 > a'],
  ['cat > a <<E\n1\nE', 'cat > a <<E\n2\nE'],
])('%j is not %j', async (one, other) => {
  expect(await same(one, other)).toBe(false);
});
