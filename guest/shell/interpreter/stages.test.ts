import { expect, test } from 'vitest';
import { TypedInto } from '../../../test/support/typed-into.ts';

/** Three stages that pass on what they read, say who they are and then go on for ever. */
const STAGES = [1, 2, 3].map(
  (stage) =>
    `{ echo $BASHPID > p${stage}; echo from ${stage}; ${stage > 1 ? 'cat' : ':'}; touch ready${stage}; sleep 100; echo never; }`,
);

test.each([1, 2, 3])(
  'stage %i of a pipeline can be killed, and all keep what they printed',
  async (killed) => {
    const terminal = new TypedInto();
    // The first goes on; each other one has read what came, and does not see an end.
    const stages = STAGES.map((text, index) =>
      index === 0 ? text : text.replace('cat;', 'read -r x; echo "$x";'),
    );
    await terminal.run(`${stages.join(' | ')} > out &`);
    await terminal.run('until [ -e ready1 ] && [ -e ready2 ] && [ -e ready3 ]; do sleep 0.01; done');
    await terminal.run(`kill -s TERM $(cat p${killed})`);
    // The others are there still.
    for (const other of [1, 2, 3].filter((stage) => stage !== killed))
      expect(await terminal.run(`kill -0 $(cat p${other}); echo $?`)).toBe('0\n');
    expect(await terminal.run(`kill -0 $(cat p${killed}) 2> /dev/null; echo $?`)).toBe('1\n');
    expect(await terminal.run('cat out')).toBe('from 3\nfrom 2\n');
    await terminal.run('kill %1; wait');
    expect(await terminal.run('cat out; cat p1 p2 p3 | wc -l')).toBe('from 3\nfrom 2\n3\n');
    terminal.stop();
  },
);

test.each([
  ['yes', '{ echo made; yes > /dev/null; }'],
  ['find', '{ echo made; while :; do find . > /dev/null; done; }'],
  ['a loop', '{ echo made; while :; do :; done; }'],
  ['read', '{ echo made; read x < <(sleep 100); }'],
  ['wait', '{ echo made; sleep 100 & wait; }'],
  ['sort', '{ echo made >&2; sleep 100; } 2>&1 | sort | cat'],
])('Ctrl-C ends %s at any stage, and what was printed stays', async (_name, busy) => {
  for (const line of [busy, `${busy} | cat`, `sleep 100 | ${busy}`, `${busy} | sleep 100`]) {
    const terminal = new TypedInto();
    terminal.session.line(line);
    if (!/sleep 100$|sort/.test(line)) await terminal.printed('made');
    terminal.session.signal('SIGINT');
    await expect.poll(() => terminal.states.length, { interval: 1, timeout: 4_000 }).toBe(1);
    expect(terminal.states[0]?.exitCode, line).toBe(130);
    terminal.stop();
  }
});

test.each([
  ["trap 'echo got; exit 7' TERM; echo up; while :; do sleep 0.01; done", 'TERM', 'got', 7],
  [
    "trap 'echo got; kept=' INT; echo up; kept=1; while [ $kept ]; do sleep 0.01; done; echo on; exit 3",
    'INT',
    'got\non',
    3,
  ],
  ["trap '' TERM; echo up; sleep 0.05; echo on", 'TERM', 'on', 0],
  ["trap 'echo bye' EXIT; echo up; sleep 100", 'TERM', 'bye', 143],
  ["trap 'echo err' ERR; echo up; sleep 100; false; exit 4", 'INT', '', 130],
  ['echo up; sleep 100', 'HUP', '', 129],
])('bash -c %j is told %s', async (script, signal, printed, code) => {
  const terminal = new TypedInto({ 's.sh': script });
  await terminal.run('bash s.sh > out & p=$!');
  await terminal.run('until [ -s out ]; do sleep 0.01; done');
  await terminal.run(`kill -${signal} $p`);
  expect(await terminal.run('wait $p; echo "<$?>"; cat out')).toContain(`<${code}>\nup\n${printed}`);
  terminal.stop();
});

test.each([
  ['timeout 0.05 sleep 100; echo $?', '124\n'],
  ['timeout 0.05 bash -c "trap \\"echo got; exit 5\\" TERM; sleep 100 & wait"; echo $?', 'got\n124\n'],
  ['timeout -k 0.05 0.05 bash -c "trap \\"\\" TERM; while :; do sleep 0.01; done"; echo $?', '137\n'],
  ['timeout 0.05 sh -c "echo kept; sleep 100" | cat; echo ${PIPESTATUS[0]}', 'kept\n124\n'],
  ['(exit 3) & (exit 4) & wait -n; a=$?; wait -n; echo $a $?', '3 4\n'],
  ['(sleep 0.02; exit 6) & p=$!; wait $p; echo $?; wait $p; echo $?', '6\n6\n'],
  ['sleep 100 & kill -KILL $!; wait $!; echo $?', '137\n'],
  ['{ sleep 100; echo no; } & kill -INT $!; wait $!; echo $?', '130\n'],
])('%s', async (line, printed) => {
  const terminal = new TypedInto();
  const output = await terminal.run(line);
  expect(output.replace(/^\[\d+\].*\n/gm, '')).toBe(printed);
  terminal.stop();
});
