import { describe, expect, it } from 'vitest';
import { shell } from '../../test/support/shell.ts';

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
    expect((await shell(noisy)).output).toBe('1\n2\n3\n');
    expect((await shell(`{ ${noisy}; } 2>&1`)).output).toBe('1\n2\n3\n');
    expect((await shell(`{ ${noisy}; } 2>&1 | cat`)).output).toBe('1\n2\n3\n');
    expect((await shell('bash t.sh 2>&1 | cat', { files: { 't.sh': noisy } })).output).toBe('1\n2\n3\n');
    expect((await shell(`f() { ${noisy}; }; f > log 2>&1; f &>> log; cat log`)).output).toBe(
      '1\n2\n3\n1\n2\n3\n',
    );
    expect((await shell(`f() { ${noisy}; }; f 2>&1 >/dev/null | tr 2 b`)).output).toBe('b\n');
    expect((await shell(`x=$(${noisy}); echo "[$x]"`)).output).toBe('2\n[1\n3]\n');
  });
});
