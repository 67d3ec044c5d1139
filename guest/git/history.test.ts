import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InMemoryFs } from 'just-bash/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import area from '../../test/fixtures/shell/areas/git.json' with { type: 'json' };
import home from '../../test/fixtures/shell/home.json' with { type: 'json' };
import { settingOf } from '../../scripts/bash-answers.mjs';
import { answer } from '../../test/support/shell-suite.ts';
import { runShell } from '../shell/engine.ts';

const OPERATIONS = 200;
const SEED = 20_250_117;
const MINUTES_MS = 180_000;
const setting = settingOf(area, home);

const version = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const hasNative = version.startsWith('git version 2.39');

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A long series of commands as people and agents use them, chosen by numbers. */
function history(): string[] {
  const next = numbers(SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;
  const files = ['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt', 'docs/e.md'];
  const branches = ['one', 'two', 'three'];
  const change = () =>
    `mkdir -p src docs; seq 1 ${5 + next(12)} | sed 's/^${1 + next(9)}$/line ${next(99)}/' > ${pick(files)}`;
  const clean =
    'git merge --abort 2>/dev/null; git cherry-pick --abort 2>/dev/null; git rebase --abort 2>/dev/null; git reset -q --hard';
  const steps: (() => string)[] = [
    () => `${change()}; git add -A; tick; git commit -q -m 'change ${next(1000)}'`,
    () => `${change()}; ${change()}; tick; git commit -a -m 'all ${next(1000)}'`,
    () => `${change()}; git add -A; git status -s; tick; git commit -m 'more ${next(1000)}'`,
    () => `${change()}; git diff --stat; git diff | head -40; git checkout -q .`,
    () => `git switch -q -c ${pick(branches)}${next(4)}`,
    () => `git switch -q main`,
    () =>
      `git switch -q $(git for-each-ref --format='%(refname:short)' refs/heads | head -n ${1 + next(5)} | tail -n 1)`,
    () =>
      `tick; git merge --no-edit $(git for-each-ref --format='%(refname:short)' refs/heads | head -n ${1 + next(5)} | tail -n 1); git status -s; ${clean}`,
    () =>
      `tick; git cherry-pick $(git for-each-ref --format='%(refname:short)' refs/heads | head -n 1); git status -s; ${clean}`,
    () => `tick; git revert --no-edit HEAD; ${clean}`,
    () => `git mv ${pick(files)} moved${next(9)}.txt && tick && git commit -q -m moved; git reset -q --hard`,
    () => `git rm -q ${pick(files)} && tick && git commit -q -m removed; git reset -q --hard`,
    () => `${change()}; git stash -q; git stash list; git stash pop; git reset -q --hard`,
    () => `git tag t${next(1000)}; git describe --tags --always`,
    () => `git reset --hard HEAD~1`,
    () =>
      `tick; git rebase $(git for-each-ref --format='%(refname:short)' refs/heads | head -n 1); git status -s; ${clean}`,
    () => `${change()}; git add -A; tick; git commit -q --amend -m 'amended ${next(1000)}'`,
    () => `git log --oneline --graph -n 12; git log --stat -n 2; git log -p -n 1`,
    () => `git blame -s $(git ls-files | head -n ${1 + next(4)} | tail -n 1)`,
    () => `git branch -v; git log --oneline -n 5 -- src; git shortlog -sn HEAD; git shortlog -sn -3 HEAD`,
    () => `${change()}; git add -A; git reset -q; git status -sb; git clean -fdq; git checkout -q .`,
  ];
  return Array.from({ length: OPERATIONS }, () => pick(steps)());
}

const SCRIPT = [
  '. ./git.sh; small',
  ...history().map((step, at) => `echo "== ${at}"; ${step}`),
  'git log --all --oneline --graph; git rev-parse HEAD^{tree}; git status -s; git show-ref; git reflog -n 20',
].join('\n');

const base = mkdtempSync(path.join(tmpdir(), 'git-history-'));
afterAll(() => rmSync(base, { recursive: true }));

/** Runs a script here and puts the resulting repository on the disk. */
async function ours(script: string, to: string): Promise<string> {
  const placed = Object.entries(setting.files).map(([name, text]) => [`${setting.home}/${name}`, text]);
  const files = new InMemoryFs(Object.fromEntries(placed));
  for (const folder of ['/tmp', '/dev']) files.mkdirSync(folder, { recursive: true });
  files.writeFileSync('/dev/null', '');
  const parts: Uint8Array[] = [];
  await runShell(files, `{ ${script}\n} 2>/dev/null`, {
    cwd: setting.home,
    env: { HOME: setting.home, ...setting.env },
    stdin: new Uint8Array(),
    output: (bytes) => void parts.push(bytes),
    aborted: () => false,
  });
  await save(files, `${setting.home}/r`, path.join(base, to));
  return Buffer.concat(parts).toString();
}

async function save(files: InMemoryFs, from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const name of await files.readdir(from)) {
    const stat = await files.lstat(`${from}/${name}`);
    if (stat.isDirectory) await save(files, `${from}/${name}`, path.join(to, name));
    else writeFileSync(path.join(to, name), await files.readFileBuffer(`${from}/${name}`));
  }
}

function native(): string {
  const folder = path.join(base, 'native');
  for (const [name, text] of Object.entries(setting.files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { stdout } = spawnSync('bash', ['-c', `{ ${SCRIPT}\n} 2>/dev/null`], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...setting.env },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return stdout.replaceAll(folder, setting.home);
}

const steps = (text: string) => text.split(/^(?=== \d+$)/m);

describe.runIf(hasNative)(`a history of ${OPERATIONS} operations`, () => {
  let [mine, theirs]: [string[], string[]] = [[], []];
  beforeAll(async () => {
    mine = steps(await ours(SCRIPT, 'ours'));
    theirs = steps(native());
  }, MINUTES_MS);

  it('answers as native git does, step by step', () => {
    expect(theirs.length).toBe(OPERATIONS);
    for (const [at, text] of theirs.entries()) expect(mine[at], history()[at]).toBe(text);
  });

  it('makes a repository that native git finds nothing wrong with', () => {
    const run = (...args: string[]) =>
      execFileSync('git', args, { cwd: path.join(base, 'ours'), encoding: 'utf8' });
    expect(run('fsck', '--strict', '--no-dangling', '--full')).toBe('');
    expect(run('status', '--porcelain')).toBe('');
    const trees = ['ours', 'native/r'].map((name) =>
      execFileSync('git', ['log', '--all', '--format=%H %T'], {
        cwd: path.join(base, name),
        encoding: 'utf8',
      }),
    );
    expect(trees[0]).toBe(trees[1]);
  });
});

describe.runIf(hasNative)('what stops at a conflict here', () => {
  const TWO_BRANCHES = `git init -q -b main r; cd r; echo a > f; git add f; git commit -qm base; git switch -qc side
export GIT_AUTHOR_NAME="Ann O'Neil" GIT_AUTHOR_EMAIL=ann@example.com GIT_AUTHOR_DATE='1700000000 +0200'
echo b > f; git commit -qam 'side one'; echo c > g; git add g; git commit -qm 'side two'
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
git switch -q main; echo m > f; tick; git commit -qam 'main two'`;
  const SOLVING = {
    GIT_EDITOR: 'true',
    GIT_AUTHOR_DATE: '1800000000 +0000',
    GIT_COMMITTER_DATE: '1800000000 +0000',
  };
  const SOLVE = 'echo solved > f; git add f';
  const LOG =
    'git log --format="%an|%ae|%ai|%s|%b"; git status -sb; ls .git | grep -E "rebase|HEAD|MSG|sequencer"';

  /** Goes on natively from where ours stopped, and from where native git stopped. */
  async function bothWays(name: string, until: string, then: string): Promise<[string, string]> {
    const environment = (folder: string) => ({
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', HOME: base, ...setting.env, ...SOLVING },
      encoding: 'utf8' as const,
    });
    const start = `. ./git.sh; ${TWO_BRANCHES}; ${until}`;
    await ours(`export GIT_EDITOR=true; ${start}`, `${name}-ours`);
    const other = path.join(base, `${name}-native`);
    for (const [file, text] of Object.entries(setting.files)) {
      mkdirSync(path.dirname(path.join(other, file)), { recursive: true });
      writeFileSync(path.join(other, file), text);
    }
    spawnSync('bash', ['-c', start], environment(other));
    const [mine = '', theirs = ''] = [path.join(base, `${name}-ours`), path.join(other, 'r')].map(
      (folder) => {
        const { stdout, stderr } = spawnSync(
          'bash',
          ['-c', `{ git update-index -q --refresh; ${then}; } 2>&1; ${LOG}`],
          environment(folder),
        );
        return stdout + stderr;
      },
    );
    return [mine, theirs];
  }

  it.each([
    ['rebase', 'git rebase main side', `${SOLVE}; git rebase --continue`],
    ['rebase-skip', 'git rebase main side', 'git rebase --skip'],
    ['rebase-abort', 'git rebase main side', 'git rebase --abort'],
    ['rebase-patch', 'git rebase main side', 'git rebase --show-current-patch; cat .git/rebase-merge/patch'],
    [
      'edit',
      `git switch -q side; GIT_SEQUENCE_EDITOR="sed -i '1s/pick/edit/'" git rebase -i HEAD~2`,
      `${SOLVE}; git rebase --continue`,
    ],
    [
      'squash',
      `git switch -q side; for i in 1 2; do echo $i > f; git commit -qam "more $i"; done
GIT_SEQUENCE_EDITOR="sed -i '3d;4s/pick/squash/'" git rebase -i HEAD~4`,
      `${SOLVE}; git rebase --continue`,
    ],
    ['pick', 'git cherry-pick -x side~1 side', `${SOLVE}; git cherry-pick --continue`],
    ['pick-commit', 'git cherry-pick side~1', `${SOLVE}; git commit --no-edit`],
    ['pick-abort', 'git cherry-pick side side~1', 'git cherry-pick --abort'],
    ['pick-skip', 'git cherry-pick side~1 side', 'git cherry-pick --skip'],
    [
      'revert',
      'git switch -q side; echo z > f; git commit -qam z; git revert --no-edit side~2 side~1',
      `${SOLVE}; git revert --continue`,
    ],
  ])('is continued by native git: %s', async (name, until, then) => {
    const [mine, theirs] = await bothWays(name, until, then);
    expect(mine).toBe(theirs);
  });
});

describe('what native git has packed', () => {
  // The pack is made by native git once and is part of the fixtures.
  const pack = JSON.parse(
    readFileSync(new URL('../../test/fixtures/git/packed.json', import.meta.url), 'utf8'),
  ) as Record<string, string>;
  const unpack = Object.entries(pack)
    .map(([name, data]) => `mkdir -p "$(dirname p/${name})"; echo ${data} | base64 -d > p/${name}`)
    .join('; ');

  it('is read', async () => {
    const { stdout } = await answer(
      `${unpack}; cd p; git log --format=%s; git status -s; git show HEAD~1:a.txt; git describe`,
      setting,
    );
    const lines = Array.from({ length: 40 }, (_, at) => at + 1).join('\n');
    expect(stdout).toBe(`second\nfirst\n${lines}\nv1\n`);
  });

  it('is cloned as the files that it is', async () => {
    const { stdout } = await answer(
      `${unpack}; git clone -q p q; cd q; git log --format=%s; git status -s; ls .git/objects; cmp .git/objects/pack/*.pack ../p/.git/objects/pack/*.pack`,
      setting,
    );
    expect(stdout).toBe('second\nfirst\ninfo\npack\n');
  });
});
