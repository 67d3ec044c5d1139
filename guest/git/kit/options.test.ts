import { describe, expect, it } from 'vitest';
import { shell } from '../../../test/support/shell.ts';
import { parse } from './options.ts';

async function answer(command: string): Promise<string> {
  const { output, code } = await shell(
    `{ git init -q && git config user.name A && git config user.email a@b && echo a > a && git add a && git commit -qm a
    echo b > a; ${command}; } 2>&1`,
  );
  return `${output}rc ${code}`;
}

describe('options of git', () => {
  // Native git would answer these otherwise than without the option, so they may not be taken and left aside.
  it.each([
    'log --cherry-pick',
    'log --simplify-by-decoration',
    'log --children',
    'log --source',
    'show --show-signature',
    'diff --dirstat',
    'diff --word-diff=porcelain',
    'status --column',
    'status -v',
    'branch --column',
    'checkout -p a',
    'restore -p a',
    'reset -p',
    'commit --squash=HEAD -am x',
    'clone -c a.b=c . d',
    'grep --untracked b',
    'merge-base --independent HEAD HEAD',
    'push --follow-tags',
  ])('refuses git %s', async (command) => {
    const text = await answer(`git ${command}`);
    expect(text).toMatch(/^(error|fatal): /);
    expect(text).toMatch(/rc (128|129|255)$/);
  });

  it('lists the options that are there', async () => {
    expect(await answer('git mv -k a b')).toBe(
      "error: unknown switch `k'\nusage: git mv [<options>] [<arguments>]\nThe options that are there:\n    --sparse, -f|--force, -n|--dry-run, -v|--verbose\nrc 129",
    );
    expect(await answer('git check-ignore -h')).toContain('-n|--non-matching');
    expect(await answer('git log --nothing')).toMatch(
      /^fatal: unrecognized argument: --nothing\nusage: git log /,
    );
  });

  it('says how each option takes its value', () => {
    const list = () => parse('x', ['--y'], 'a|all m|message: color? contains!', { number: 'n' });
    expect(list).toThrow(
      '--color[=<value>], --contains[=<value>], -<number>, -a|--all, -m|--message <value>',
    );
  });

  it('refuses a value for an option without one', () => {
    expect(() => parse('x', ['--all=1'], 'a|all')).toThrow("option `all' takes no value");
  });
});
