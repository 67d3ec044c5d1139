import { describe, expect, it } from 'vitest';
import { shell } from '../../../test/support/shell.ts';

/** Makes commits named by letters: `b:a` is a child of `a`. The number is its time; a clock may have been wrong. */
function history(...commits: readonly string[]): string {
  const made = commits.map((text) => {
    const [, name = '', parents = '', time = ''] = /^(\w)(?::(\w+))?@(\d+)$/.exec(text) ?? [];
    const above = [...parents].map((parent) => `-p ${parent}`).join(' ');
    return `GIT_COMMITTER_DATE='17000${time} +0000' GIT_AUTHOR_DATE='17000${time} +0000' git commit-tree $tree ${above} -m ${name} > id && git tag ${name} $(cat id)`;
  });
  return `git init -q; git config user.name A; git config user.email a@b; tree=$(git write-tree)\n${made.join('\n')}`;
}

async function answer(setup: string, command: string): Promise<string> {
  return (await shell(`{ ${setup}\n${command}; } 2>&1`)).output;
}

describe('the history of two commits', () => {
  const apart = history('a@00001', 'b:a@00002', 'c:b@00003', 'd:b@00004', 'e:d@00005', 'm:ce@00006');
  it.each([
    ['git rev-list --count c..e', '2\n'],
    ['git log --format=%s m ^c', 'm\ne\nd\n'],
    ['git log -1 --format=%s $(git merge-base c e)', 'b\n'],
    ['git merge-base --is-ancestor d m; echo $?', '0\n'],
    ['git merge-base --is-ancestor c e; echo $?', '1\n'],
  ])('is told: %s', async (command, expected) => {
    expect(await answer(apart, command)).toBe(expected);
  });

  it('is told where a clock was behind', async () => {
    const skewed = history('a@00050', 'b:a@00060', 'c:b@00001', 'd:b@00070', 'e:c@00080');
    expect(
      await answer(skewed, 'git rev-list --count d..e; git log --format=%s $(git merge-base d e) -1'),
    ).toBe('2\nb\n');
  });
});
