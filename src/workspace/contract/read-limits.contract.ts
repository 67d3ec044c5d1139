import { describe, expect, test } from 'vitest';
import { ROOT, exec, type ReadLimits } from '../workspace.ts';
import { fresh, put, textAt, withLimits, type Fixture } from './fixture.ts';

const SECRET = 'KEY=hush-4711';
const FILES = { '.env': `${SECRET}\n`, 'src/.env': `${SECRET}\n`, 'src/a.js': 'open\n', 'keys/id': SECRET };

const reads: ReadLimits = {
  visibility: [
    { pattern: '*', visible: true },
    { pattern: `${ROOT}/*.env`, visible: false },
    { pattern: `${ROOT}/keys/*`, visible: false },
  ],
  except: [],
};

/** Commands that try to print the content of `.env` or `keys/id`. */
const ATTEMPTS = [
  'cat .env',
  'cat < .env',
  'cat ./src/../.env',
  `cat ${ROOT}/.env`,
  'cat .e*',
  'cat .e?v',
  'x=.en; cat ${x}v',
  'cat $(printf .env)',
  'eval "cat .env"',
  'bash -c "cat .env"',
  'echo "cat .env" > s.sh; bash s.sh',
  '. ./.env; echo $KEY',
  'source .env && echo $KEY',
  'while read -r line; do echo "$line"; done < .env',
  'echo "$(<.env)"',
  'mapfile -t lines < .env; echo "${lines[0]}"',
  'grep -r KEY .',
  'grep "" .env',
  'rg KEY -uu',
  'sed p .env',
  'awk 1 .env',
  'head .env',
  'tail -n 5 .env',
  'tac .env',
  'sort .env',
  'od -c .env | tr -d " \\n"; base64 .env | base64 -d',
  'xargs cat < names',
  'find . -name .env -exec cat {} ;',
  "find . -name '.env' | xargs cat",
  'diff .env /dev/null',
  'cp .env copy; cat copy',
  'cp -r . /tmp/all; cat /tmp/all/.env /tmp/all/keys/id',
  'cp -r keys shown; cat shown/id',
  'mv .env moved; cat moved',
  'mv keys shown; cat shown/id',
  'ln .env hard; cat hard',
  'ln -s .env soft; cat soft',
  'ln -s . loop; cat loop/loop/.env',
  'ln -s keys shown; cat shown/id',
  'tar cf - . | tar xOf -',
  'tar cf all.tar .env; tar xOf all.tar',
  'gzip -c .env | gunzip',
  'cat .env > copy; cat copy',
  'cat .env & wait',
  '(cd src && cat .env)',
  'cat /dev/stdin < .env',
  'tee copy < .env; cat copy',
  'echo >> .env; cat .env',
  'paste .env .env',
  'cut -c1- .env',
  'jq -R . .env',
  'nl .env; rev .env | rev; fold .env; strings .env; split .env part; cat part*',
  'md5sum .env > /dev/null; comm .env .env; join .env .env',
];

export function readLimitsContract(make: () => Promise<Fixture>): void {
  describe('limits on reading', () => {
    test('hold when a file is opened, however it is reached', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      for (const command of ATTEMPTS) {
        for (const { name } of await workspace.files.list('.'))
          await workspace.files.remove(name, { recursive: true });
        await exec(workspace, 'rm -rf /tmp/*');
        await put(workspace, { ...FILES, names: '.env\n' });
        const { output } = await exec(workspace, command, { reads });
        expect(output, command).not.toContain('4711');
        // The next command cannot find it in leftover files either.
        const left = await exec(
          workspace,
          'cat copy moved hard soft loop/.env shown/* all.tar /tmp/all/.env part*',
          { reads },
        );
        expect(left.output, command).not.toContain('4711');
      }
    });

    test('what is not hidden, excepted, written or only looked at is as ever; what was refused is counted', async ({
      skip,
    }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, FILES);
      const allowed = await exec(
        workspace,
        'cat src/a.js; test -f .env && wc -c < src/a.js; mv src lib; ls -A lib',
        {
          reads,
        },
      );
      expect(allowed).toMatchObject({ output: 'open\n5\n.env\na.js\n', exitCode: 0 });
      expect(allowed.refusedReads).toBeUndefined();
      const excepted = { ...reads, except: [`${ROOT}/.env`] };
      const one = await exec(workspace, 'cat .env lib/.env keys/id', { reads: excepted });
      expect(one.output).toContain(SECRET);
      expect(one.output.split(SECRET)).toHaveLength(2);
      expect(one).toMatchObject({ exitCode: 1, refusedReads: 2 });
      await exec(workspace, 'echo NEW=1 > .env; echo x > keys/new', { reads });
      expect(await textAt(workspace, '.env')).toBe('NEW=1\n');
      expect((await exec(workspace, 'cat lib/.env')).output).toContain(SECRET);
    });

    test('hold for what git keeps of a file under its name, and leave the other files of a commit', async ({
      skip,
    }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, FILES);
      await exec(
        workspace,
        [
          'git init -q -b main; git config user.name a; git config user.email a@b; git add -f .; git commit -qm one',
          'sed -i s/4711/4711-2/ .env src/.env keys/id; echo more >> src/a.js; git commit -qam two',
          'sed -i s/4711-2/4711-3/ .env; git stash -q; git checkout -qb gone; git rm -q keys/id; git commit -qm gone; git checkout -q main',
        ].join('\n'),
      );
      for (const command of [
        'git show HEAD:.env',
        'git show HEAD:./.env HEAD~1:keys/id',
        'cd src; git show HEAD:./.env',
        'git show :.env',
        'git show :0:keys/id',
        'git cat-file -p HEAD:.env',
        'git cat-file blob HEAD~1:keys/id',
        'echo HEAD:.env | git cat-file --batch',
        'git show HEAD~1',
        'git show -m HEAD stash@{0}',
        'git log -p --all',
        'git log -p --word-diff -- .env keys',
        'git log -L1,1:.env',
        'git diff HEAD~1 HEAD',
        'git diff HEAD~1:.env HEAD:.env',
        'git diff main gone',
        'git stash show -p',
        'git grep KEY HEAD',
        'git grep --cached KEY',
        'git grep KEY main -- .env keys',
        'git blame .env HEAD~1',
        'git blame HEAD -- keys/id',
        'git --work-tree=/tmp show HEAD',
        'cd /tmp; git --git-dir=/home/project/.git show HEAD HEAD:.env',
      ]) {
        const { output } = await exec(workspace, command, { reads });
        expect(output, command).not.toContain('4711');
      }
      const shown = await exec(workspace, 'git show --format=%s HEAD', { reads });
      expect(shown.output).toContain('+more\n');
      expect(shown.output).toContain(
        "The content of '.env' is kept from this command by the rules for reading.",
      );
      expect(shown.refusedReads).toBe(3);
      expect((await exec(workspace, 'git grep open HEAD', { reads })).output).toBe('HEAD:src/a.js:open\n');
      const excepted = { ...reads, except: [`${ROOT}/.env`] };
      expect((await exec(workspace, 'git show HEAD:.env', { reads: excepted })).output).toContain('4711');
      expect((await exec(workspace, 'git show HEAD')).output).toContain('4711');
    });

    test('of processes that run at once each has its own', async ({ skip }) => {
      const workspace = await withLimits(make, skip);
      await put(workspace, FILES);
      const [free, bound] = await Promise.all([
        exec(workspace, 'cat .env'),
        exec(workspace, 'cat .env', { reads }),
      ]);
      expect(free.output).toContain(SECRET);
      expect(bound.output).not.toContain(SECRET);
      expect((await exec(workspace, 'cat .env')).output).toContain(SECRET);
    });

    test('where they cannot be held, no command is started that could read what they hide', async ({
      skip,
    }) => {
      const { workspace } = await fresh(make);
      if (!workspace.exposed) return skip();
      await put(workspace, FILES);
      expect(await workspace.exposed(reads)).toEqual(
        ['.env', 'keys/id', 'src/.env'].map((path) => `${ROOT}/${path}`),
      );
      const refused = await exec(workspace, 'echo ran > ran; cat src/a.js', { reads });
      expect(refused).toMatchObject({ reason: 'lost' });
      expect(refused.output).not.toContain('4711');
      expect(await workspace.files.stat('ran')).toBeNull();
      const except = await workspace.exposed(reads);
      expect((await exec(workspace, 'cat src/a.js', { reads: { ...reads, except } })).output).toBe('open\n');
      for (const path of except) await workspace.files.remove(path);
      expect((await exec(workspace, 'cat src/a.js', { reads })).output).toBe('open\n');
    });
  });
}
