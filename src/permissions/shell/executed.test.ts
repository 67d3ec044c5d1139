import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROOT, shell } from '../../../test/support/shell.ts';
import { decide, type SourcedRule } from '../rules.ts';
import { analyse } from './analyse.ts';

/**
 * Agreement between parsers does not prove what runs. So scripts that saved rules allow are really run, and must
 * do nothing that no rule allows. Everything hostile in them would create, change or remove a file.
 */

const ALLOWED =
  'ls cat echo git true test [ [[ grep head wc cd export read printf seq find xargs env command timeout time nohup eval trap let'.split(
    ' ',
  );
const rules = {
  configured: [{ permission: 'bash', pattern: '*', action: 'ask', source: 'default' } as const],
  saved: ALLOWED.map((name): SourcedRule => ({
    permission: 'bash',
    pattern: `${name} *`,
    action: 'allow',
    source: 'workspace',
  })),
};

async function isLetThrough(script: string): Promise<boolean> {
  const analysis = await analyse(script);
  const patterns = 'raw' in analysis ? [script] : analysis.patterns.map(({ text }) => text);
  const ask = { permission: 'bash', patterns, ...('raw' in analysis && { opaque: true }) };
  return decide(rules, ask).action === 'allow';
}

const FILES = {
  'a.txt': 'touch pwned\n',
  'run.sh': { content: 'touch pwned\n', mode: 0o755 },
  'touch pwned': '',
  'x y': 'z',
};

/** The files after a run, with their contents. */
async function filesAfter(script: string): Promise<string> {
  const started = performance.now();
  const { files } = await shell(script, { files: FILES, aborted: () => performance.now() - started > 2000 });
  const paths = files.getAllPaths().filter((path) => path.startsWith(`${ROOT}/`) || path.startsWith('/tmp/'));
  return JSON.stringify(paths.sort());
}

const hostile = fc.constantFrom(
  'touch pwned',
  't\\ouch pwned',
  '"touch" pwned',
  './run.sh',
  'rm a.txt',
  '> pwned',
  'echo x > pwned',
  'sh run.sh',
  '. ./run.sh',
  'eval touch pwned',
  'xargs touch < a.txt',
  'find . -exec touch pwned {} +',
  'env touch pwned',
  'command touch pwned',
  'timeout 1 touch pwned',
  'tee pwned',
  '$x pwned',
  'x=touch; $x pwned',
  'xargs -I ls ls pwned',
  'xargs -I{} {} pwned',
  'find . -name a.txt -exec {} \\;',
  'env -S "touch pwned"',
  'command -p touch pwned',
  'x=a[\\$(touch${IFS}pwned)]; ((x))',
  "x='a[$(touch pwned)]'; echo $((x))",
  "x='a[$(touch pwned)]'; [[ $x -eq 1 ]]",
  "x='a[$(touch pwned)]'; echo ${!x}",
  "declare -n r='a[$(touch pwned)]'; echo $r",
  "declare -i r='a[$(touch pwned)]'",
  'export -f ls',
  'time touch pwned',
  "eval 'touch pwned'",
  "eval 'ls; touch' pwned",
  "trap 'touch pwned' EXIT",
  "trap 'ls' EXIT; trap 'touch pwned' DEBUG",
  'coproc touch pwned',
  'coproc T { touch pwned; }; wait',
  'select x in a b; do touch pwned; done <<< 1',
  '{touch,pwned}',
  '{ls,touch} pwned',
  't{ouch,} pwned',
  'let "x=a[$(touch pwned)]"',
  'mkdir ";touch pwned"; cd ";touch pwned"; eval ls ~+',
  "x='a[$(touch pwned)]'; y=x; echo ${!y}",
  'read REPLY < a.txt; echo ${!REPLY}',
);
const glue = fc.constantFrom(
  ...[
    ' ',
    ' ',
    ';',
    '; ',
    '&',
    ' & ',
    '&&',
    '|',
    ' |& ',
    '||',
    '\n',
    '\r',
    '\r\n',
    '\t',
    '\\\n',
    ' \\\n ',
    '\\',
  ],
  ...[
    `'`,
    '"',
    `'"'"'`,
    '`',
    '$(',
    ')',
    '(',
    '((',
    '))',
    '{ ',
    ' }',
    '}',
    '${',
    '${x:-',
    '${x:=',
    '$((',
    '$[',
  ],
  ...[
    ']',
    '[',
    '[[ ',
    ' ]]',
    '<(',
    '>(',
    '<<EOF\n',
    '\nEOF\n',
    "<<'EOF'\n",
    '<<-EOF\n',
    '<<<',
    '#',
    ' # ',
    '!',
    ' ! ',
  ],
  ...[
    '~',
    '*',
    '?',
    '$',
    `$'`,
    `$"`,
    '\\x27',
    `\\'`,
    '\\"',
    '\\`',
    '=',
    '+=',
    ' x=',
    '-',
    '--',
    '>',
    '>>',
    '<',
    '2>&1',
  ],
  ...['\u00a0', '\u2028', '\u200b', '\ufeff', '\v', '\f', '\0', '\u037e', 'ｌs', '；', '｜', '＆', '“', '’'],
  ...[
    'if ',
    'then ',
    'fi',
    'do ',
    'done',
    'case x in x) ',
    ';;',
    ' esac',
    'function ls { ',
    'f() { ',
    'f() ',
    '; f',
    'local x=',
    'declare -A m=([a]=',
    'declare -i n=',
    'for ((;;)) do ',
    '; break; done',
    '@(',
    '|',
    '{1..3}',
    '${a[',
    '${!',
    '@Q}',
    ':1}',
    'ls() { ',
    'for i in ',
  ],
  ...[
    'while ',
    'time ',
    'exec ',
    'alias ls=',
    'trap ',
    'eval ',
    "eval '",
    "trap '",
    "' EXIT",
    '{a,',
    'let ',
    'coproc ',
    'select x in ',
    'in ',
    'a[',
    'a=(',
    '%s',
  ],
);
const benign = fc.constantFrom(
  ...[
    'ls',
    'ls -la',
    'cat a.txt',
    'echo',
    'echo hi',
    `echo 'x y'`,
    'git log',
    'true',
    '[ -f a.txt ]',
    'printf %s',
  ],
  ...[
    'grep x',
    'read x',
    'cd .',
    'export x=1',
    "eval 'ls'",
    "trap 'echo x' EXIT",
    'coproc ls',
    'echo {a,b}',
    'let x=1',
    'v=HOME; echo ${!v}',
    'select x in a b; do echo $x; done <<< 1',
    'test -n',
    'head -1',
    'printf -v x',
    'x=ls',
    '$x',
    '"$x"',
    'sort',
  ],
);
const piece = fc.oneof(
  { weight: 3, arbitrary: benign },
  { weight: 4, arbitrary: glue },
  { weight: 2, arbitrary: hostile },
);
const scripts = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.tuple(benign, glue, hostile, glue, benign).map((pieces) => pieces.join(' ')),
  fc.tuple(benign, glue, glue, hostile, glue).map((pieces) => pieces.join('')),
  fc.tuple(benign, glue, hostile, glue, glue).map((pieces) => pieces.join('')),
);

// SHELL_RUNS=100000 tests more scripts, with another seed each time.
const runs = process.env['SHELL_RUNS'];

test('accepted scripts do only what was allowed', { timeout: 3_600_000 }, async () => {
  const before = await filesAfter('true');
  let through = 0;
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      if (!(await isLetThrough(script))) return;
      through++;
      expect(await filesAfter(script), script).toBe(before);
    }),
    runs === undefined ? { numRuns: 3000, seed: 1 } : { numRuns: Number(runs) },
  );
  // If every script asked, nothing would be tested.
  expect(through).toBeGreaterThan(10);
});
