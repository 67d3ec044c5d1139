import fc from 'fast-check';
import * as unbash from 'unbash';
import { expect, test } from 'vitest';
import corpus from '../../../test/fixtures/shell-corpus.json' with { type: 'json' };
import { shellCommands, type ReadCommand } from '../../../test/support/shell-words.ts';
import { analyse } from './analyse.ts';
import { commandsOf } from './syntax.ts';

function ours(script: string): ReadCommand[] {
  return commandsOf(unbash, script).map(({ assignments, words, redirects }) => ({
    assignments: assignments.map(({ name }) => name),
    words: words.map(({ value }) => value),
    files: redirects.flatMap(({ target, writes }) => {
      if (!target) return [];
      return [writes && target.value !== null ? `>${target.value}` : target.value];
    }),
  }));
}

/** If we claim to know a word, both parsers agree on it; if we do not, the other may know more. */
function agrees(our: ReadCommand, their: ReadCommand): boolean {
  const alike = (a: ReadCommand['words'], b: ReadCommand['words']) => {
    let at = 0;
    for (const word of b) {
      const ours = a[at];
      if (ours === undefined) return false;
      // Braces are either one unknown word, or each of the expanded words.
      const group = Array.isArray(word) ? (word as readonly (string | null)[]) : [word];
      if (ours === null) at++;
      else for (const each of group) if (a[at++] !== each) return false;
    }
    return at === a.length;
  };
  return (
    alike(our.words, their.words) &&
    alike(our.assignments, their.assignments) &&
    alike(our.files, their.files)
  );
}

/** Every accepted script must match, command for command, what the workspace's shell parses. */
async function mustAgree(script: string): Promise<boolean> {
  if ('raw' in (await analyse(script))) return false;
  const theirs = shellCommands(script);
  if (theirs === null) return true;
  const unknown = (command: ReadCommand) => command.words.filter((word) => word === null).length;
  const isSomething = ({ words, assignments, files }: ReadCommand) =>
    [words, assignments, files].flat().length > 0;
  const left = theirs.filter(isSomething);
  const missing = ours(script)
    .filter(isSomething)
    .sort((a, b) => unknown(a) - unknown(b))
    .filter((our) => {
      const at = left.findIndex((their) => agrees(our, their));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  expect({ missing, left }, script).toEqual({ missing: [], left: [] });
  return true;
}

test('both parsers agree on the corpus, and most of it is accepted', async () => {
  let accepted = 0;
  for (const script of corpus.cases) if (await mustAgree(script)) accepted++;
  expect(accepted).toBeGreaterThan(corpus.cases.length * 0.9);
});

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'b.txt', '-x', 'rm', '/tmp/f', '~/x', '*.js', '[ab]c', 'a=b', '{}', '1'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "'a b'",
      '"a b"',
      '"a $x"',
      '$x',
      '${x}',
      '${x:-y}',
      '"$@"',
      'a\\ b',
      "$'a\\tb'",
      '""',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '$(rm y)',
      '"$(rm y)"',
      '`rm y`',
      '<(rm y)',
      '${x:-$(rm y)}',
      '$((1 + 2))',
      '$((x + ${#a[@]}))',
      '$((a[$(rm y)]))',
      '${a[$i]}',
      '${a[$(rm y)]}',
      '${x:1:$(rm y)}',
      '@(a|$(rm y))',
      '"a\'b"',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{a,b}',
      '{rm,-f}',
      'x{1..3}',
      '{a,b{c,d}}.js',
      '{a,}',
      '{01..3}',
      '{a..C}',
      '{a,b}{',
      './{a,b}',
      '!(x)',
      '#c',
      'a#c',
      '$',
      '$"x"',
      '\\',
      '((',
      '))',
      '}',
      '{',
      '=',
      '!',
    ),
  },
  fc.stringMatching(/^[ab'"\\$(){}[\]*?~=#!;&|<> \n`-]{1,5}$/),
);
const command = fc
  .tuple(
    fc.constantFrom('', '', '', 'X=1 ', 'a[$i]=2 ', 'a=([k]=1 "x") ', 'PATH=. ', 'a[0]=1 ', 'X=$(rm z) '),
    fc.oneof(
      fc.constantFrom(
        'ls',
        'echo',
        'git',
        'cat',
        'r"m"',
        'x\\m',
        'time',
        'test',
        '[',
        'export',
        'local',
        'declare -A',
        'r{m,n}',
        '{git,rm}',
        'let',
      ),
      word,
    ),
    fc.array(word, { maxLength: 3 }),
    fc.constantFrom(
      '',
      '',
      '',
      ' > out',
      ' 2>&1',
      ' < in',
      ' >> "a b"',
      ' &> f',
      ' >&f',
      ' <<< "$x"',
      ' 3>&-',
      ' >|f',
    ),
  )
  .map(([prefix, name, args, redirect]) => `${prefix}${[name, ...args].join(' ')}${redirect}`);
const script = fc.letrec<{ script: string }>((tie) => ({
  script: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    command,
    fc
      .tuple(tie('script'), fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& '), tie('script'))
      .map((x) => x.join('')),
    tie('script').map((inner) => `( ${inner} )`),
    tie('script').map((inner) => `(${inner})`),
    tie('script').map((inner) => `{ ${inner}; }`),
    tie('script').map((inner) => `! ${inner}`),
    tie('script').map((inner) => `time ${inner}`),
    tie('script').map((inner) => `f() { ${inner}; }; f`),
    tie('script').map((inner) => `for ((i = 0; i < 2; i++)); do ${inner}; done`),
    tie('script').map((inner) => `((x++)) && ${inner}`),
    tie('script').map((inner) => `select i in a {b,c} $(${inner}); do ${inner}; done`),
    tie('script').map((inner) => `coproc ${inner}`),
    tie('script').map((inner) => `coproc W { ${inner}; }`),
    tie('script').map((inner) => `for v in HOME PATH; do echo \${!v}; ${inner}; done`),
    tie('script').map((inner) => `echo "$(${inner})"`),
    tie('script').map((inner) => `if ${inner}; then ${inner}; else ${inner}; fi > log`),
    tie('script').map((inner) => `for i in a $(${inner}); do ${inner}; done`),
    tie('script').map((inner) => `while ${inner}; do ${inner}; done < f`),
    tie('script').map((inner) => `case $x in a|b) ${inner};; *) ${inner};; esac`),
    tie('script').map((inner) => `cat <<EOF\n${inner}\n$(${inner})\nEOF`),
    tie('script').map((inner) => `cat <<'EOF'\n${inner}\nEOF\n${inner}`),
    tie('script').map((inner) => `sh -c '${inner}'`),
    tie('script').map((inner) => `[[ -f a && $x == ${inner} ]]`),
  ),
})).script;

// SHELL_RUNS=100000 tests more scripts, with another seed each time.
const runs = process.env['SHELL_RUNS'];

test('both parsers agree on every accepted generated script', { timeout: 600_000 }, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(script, async (source) => {
      if (await mustAgree(source)) accepted++;
    }),
    runs === undefined ? { numRuns: 3000, seed: 1 } : { numRuns: Number(runs) },
  );
  expect(accepted).toBeGreaterThan(100);
});
