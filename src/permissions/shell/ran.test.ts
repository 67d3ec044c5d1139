import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shell } from '../../../test/support/shell.ts';
import { analyse } from './analyse.ts';

/**
 * Compares the analysis with what really ran: every command in the shell's own trace must be one that was asked
 * for, word by word if its words are known.
 */
async function mustCover(script: string): Promise<number> {
  const analysis = await analyse(script);
  if ('raw' in analysis) return 0;
  const { output } = await shell(`set -x\n${script}\nwait`, { lingerMs: 500 });
  const ran = output.split('\n').flatMap((line) => /^\++ (?!for |select )(.*)$/.exec(line)?.[1] ?? []);
  const asked = analysis.patterns.map(({ text }) => asExpression(text));
  const missing = ran.filter(
    (command) => command !== 'wait' && !asked.some((each) => each.test(bare(command))),
  );
  expect(missing, `${script}\nasked for: ${analysis.patterns.map(({ text }) => text).join(' | ')}`).toEqual(
    [],
  );
  return ran.length - 1;
}

/** The trace has its own way of quoting. */
function bare(text: string): string {
  return text.replace(/['"]/g, '');
}

/** Words known only at run time may be anything. Redirections are not traced. */
function asExpression(text: string): RegExp {
  const pieces = bare(text).split(/( ?\$\{?!?\w+\}?| ?\$\$|(?: |^)\d?>+ ?\S+)/);
  const source = pieces.map((piece, index) =>
    index % 2 === 1 ? '.*' : piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

test.each([
  ["eval 'echo a; echo b'", 3],
  ['eval \'eval "echo a"\' ', 3],
  ["trap 'echo bye' EXIT; echo a", 3],
  ["trap 'echo u' USR1; kill -USR1 $$", 3],
  ["f() { trap 'echo r' RETURN; echo f; }; f", 4],
  ['select x in a b; do echo $x; break; done <<< 2', 1],
  ['coproc W { echo out; }; wait', 1],
  ['coproc echo out; wait', 1],
  ['for v in HOME USER; do echo ${!v}; done', 2],
  ['echo {a,b}.{1..3} x', 1],
  ['{echo,a} {b,c}', 1],
  ['let x=1+2 y=x; echo $x', 2],
] as const)('%s', async (script, least) => {
  expect(await mustCover(script)).toBeGreaterThanOrEqual(least);
});

const plain = fc
  .tuple(
    fc.constantFrom('echo', 'printf', 'true', 'touch', '{echo,x}', 'e{cho,}'),
    fc.array(
      fc.constantFrom('a', 'b.txt', '{a,b}.c', 'x{1..3}', '$x', '"$x"', '${!v}', '{a,$x}', '{}', '-n'),
      {
        maxLength: 3,
      },
    ),
    fc.constantFrom('', '', ' > f', ' 2> g'),
  )
  .map(([name, args, tail]) => `${[name, ...args].join(' ')}${tail}`);
const script = fc.letrec<{ script: string }>((tie) => {
  const inner = tie('script');
  const quoted = inner.filter((text) => !text.includes("'"));
  return {
    script: fc.oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: plain },
      quoted.map((text) => `eval '${text}'`),
      plain.map((text) => `eval ${text}`),
      fc
        .tuple(quoted, fc.constantFrom('EXIT', 'USR1', 'ERR', 'RETURN', 'DEBUG', 'INT TERM'))
        .map(([text, signals]) => `trap '${text}' ${signals}`),
      fc.constantFrom(
        'trap - EXIT',
        "trap '' INT",
        'kill -USR1 $$',
        'false',
        'v=HOME',
        'x=1',
        'let x=2',
        'v=$x',
      ),
      inner.map((text) => `select x in a {b,c}; do ${text}; break; done <<< 2`),
      inner.map((text) => `for v in HOME USER; do ${text}; done`),
      inner.map((text) => `coproc ${text}`),
      inner.map((text) => `coproc W { ${text}; }`),
      inner.map((text) => `(${text})`),
      inner.map((text) => `f() { ${text}; }; f`),
      fc
        .tuple(inner, fc.constantFrom('; ', ' && ', '\n', ' | ', ' & '), inner)
        .map((parts) => parts.join('')),
    ),
  };
}).script;

// SHELL_RUNS=100000 tests more scripts, with another seed each time.
const runs = process.env['SHELL_RUNS'];

test('generated scripts run only commands that were asked for', { timeout: 600_000 }, async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(script, async (source) => {
      if ((await mustCover(source)) > 0) seen++;
    }),
    runs === undefined ? { numRuns: 500, seed: 1 } : { numRuns: Number(runs) },
  );
  expect(seen).toBeGreaterThan(100);
});
