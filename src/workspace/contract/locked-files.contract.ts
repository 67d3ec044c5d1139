import { describe, expect, test } from 'vitest';
import { ROOT, exec, type ReadLimits } from '../workspace.ts';
import { fresh, put, textAt, withLimits, type Fixture } from './fixture.ts';

const FILES = { 'locked.txt': 'as it was\n', 'lock/in/a.txt': 'as it was\n', 'open.txt': 'open\n' };

const reads: ReadLimits = {
  visibility: [],
  except: [],
  locks: [
    { pattern: `${ROOT}/locked.txt`, locked: true },
    { pattern: `${ROOT}/lock/**`, locked: true },
    { pattern: `${ROOT}/lock/free/*`, locked: false },
  ],
};

/** Commands that try to change `locked.txt`, or something in `lock`. */
const ATTEMPTS = [
  'echo pw > locked.txt',
  'echo pw >> locked.txt',
  'echo pw >| locked.txt',
  'echo pw &> locked.txt',
  ': > locked.txt',
  'exec 3<> locked.txt; echo pw >&3',
  'echo pw | tee locked.txt',
  'echo pw | tee -a locked.txt',
  'cp open.txt locked.txt',
  'cp -f open.txt locked.txt',
  'mv open.txt locked.txt',
  'mv -f locked.txt moved.txt',
  'sed -i s/as/pw/ locked.txt',
  'rm locked.txt',
  'rm -f locked.txt',
  'rm -rf locked.txt lock',
  'rm -r lock',
  'find . -name "*.txt" -delete',
  'find lock -type f -exec rm {} +',
  'unlink locked.txt',
  'mv lock elsewhere',
  'mv lock/in elsewhere',
  'mkdir new; echo pw > new/b.txt; mv new lock/new',
  'mkdir lock/new',
  'echo pw > lock/b.txt',
  'cp -r lock/in lock/copy',
  'ln -s locked.txt soft; echo pw > soft',
  'ln -s . loop; echo pw > loop/loop/locked.txt',
  'ln -s lock soft; rm -r soft/in; echo pw > soft/in/a.txt',
  'ln locked.txt hard; echo pw > hard',
  'ln -sf open.txt locked.txt',
  'ln -f open.txt locked.txt',
  'echo pw > twin.txt',
  'chmod 000 locked.txt',
  'truncate -s 0 locked.txt',
  'touch -d 2001-01-01 locked.txt',
  'dd if=open.txt of=locked.txt 2>&1',
  'sort -o locked.txt open.txt',
  'x=lock; echo pw > "${x}ed.txt"',
  'for f in *.txt; do echo pw > $f; done',
  `echo pw > ${ROOT}/./lock/../locked.txt`,
  'bash -c "echo pw > locked.txt"',
  'echo "echo pw > locked.txt" > /tmp/s.sh; bash /tmp/s.sh',
  'ls open.txt | xargs -I{} cp {} locked.txt',
  'printf "%s\\n" pw > /tmp/locked.txt; cd /tmp; tar cf l.tar locked.txt; tar xf l.tar -C /home/project',
  'awk \'BEGIN { print "pw" > "locked.txt" }\'',
  '(sleep 0; echo pw > locked.txt) & wait',
];

export function lockedFilesContract(make: () => Promise<Fixture>): void {
  describe('locks on files', () => {
    test('hold against every command, and say which file was locked', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      for (const command of ATTEMPTS) {
        await exec(workspace, 'rm -rf * /tmp/*');
        await put(workspace, FILES);
        await exec(workspace, 'ln locked.txt twin.txt; stat -c "%a %Y" locked.txt > /tmp/was');
        const { output, refusedWrites } = await exec(workspace, command, { reads });
        const after = 'cat locked.txt lock/in/a.txt; ls lock; stat -c "%a %Y" locked.txt | diff - /tmp/was';
        expect((await exec(workspace, after)).output, command).toBe('as it was\nas it was\nin\n');
        expect(output.toLowerCase(), command).toContain('permission denied');
        expect(refusedWrites?.join(), command).toMatch(/lock/);
      }
    });

    test('leave the other files, the exceptions and other processes as they are', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, { ...FILES, 'lock/free/b.txt': 'old\n', 'dir/a': 'a\n' });
      const free = await exec(
        workspace,
        'echo pw > lock/free/b.txt; echo pw > open.txt; mv dir moved; rm -r moved; cat locked.txt; cp locked.txt copy; echo pw >> copy; rm copy',
        { reads },
      );
      expect(free).toMatchObject({ output: 'as it was\n', exitCode: 0 });
      expect(free.refusedWrites).toBeUndefined();
      expect(await textAt(workspace, 'lock/free/b.txt')).toBe('pw\n');
      expect((await exec(workspace, 'echo new > locked.txt; rm -r lock; cat locked.txt')).output).toBe(
        'new\n',
      );
    });

    test('hold against git', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, FILES);
      await exec(
        workspace,
        [
          'git init -q -b master; git add .; git -c user.name=a -c user.email=a@b commit -qm one',
          'git checkout -qb other; echo pw > locked.txt; echo two > open.txt',
          'git -c user.name=a -c user.email=a@b commit -qam two; git checkout -q -; git rm -q --cached lock/in/a.txt',
        ].join('\n'),
      );
      for (const command of [
        // Here alone a file below `lock` is untracked.
        'git clean -fd',
        'git checkout other',
        'git checkout other -- locked.txt',
        'git restore -s other locked.txt',
        'git reset --hard other',
        'git rm -f locked.txt',
        'git mv locked.txt moved.txt',
      ]) {
        const { output } = await exec(workspace, command, { reads });
        expect((await exec(workspace, 'cat locked.txt lock/in/a.txt')).output, command).toBe(
          'as it was\nas it was\n',
        );
        expect(output.toLowerCase(), command).toContain('permission denied');
        await exec(workspace, 'git symbolic-ref HEAD refs/heads/master; git reset -q --hard HEAD');
      }
    });

    test('of everything let git look', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, FILES);
      await exec(
        workspace,
        'git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm one; touch -d 2001-01-01 open.txt',
      );
      const all = { ...reads, locks: [{ pattern: `${ROOT}/*`, locked: true }] };
      const look = 'git status -s; git diff; git log --format=%s';
      expect(await exec(workspace, look, { reads: all })).toMatchObject({ output: 'one\n', exitCode: 0 });
    });

    test('where they cannot be held, no command is started that could change what they lock', async ({
      skip,
    }) => {
      const { workspace } = await fresh(make);
      if (!workspace.exposed) return skip();
      await put(workspace, FILES);
      expect(await workspace.exposed(reads)).toEqual(
        ['lock/in/a.txt', 'locked.txt'].map((path) => `${ROOT}/${path}`),
      );
      const refused = await exec(workspace, 'echo pw > locked.txt', { reads });
      expect(refused).toMatchObject({ reason: 'lost' });
      expect(await textAt(workspace, 'locked.txt')).toBe('as it was\n');
    });
  });
}
