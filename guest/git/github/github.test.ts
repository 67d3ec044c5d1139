import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InMemoryFs } from 'just-bash/browser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Exchanges } from '../../../src/app/reach/exchanges.ts';
import { GitHubTokens, type TokenUse } from '../../../src/app/reach/github-token.ts';
import { timeoutTimer } from '../../../src/base/timer.ts';
import { gitHubFake, type GitHubFake } from '../../../test/support/github-api/server.ts';
import { gitHost, type GitHost } from '../../../test/support/git-http/server.ts';
import { memoryFiles, ROOT, shell } from '../../../test/support/shell.ts';
import { linkChildren } from '../../shell/children.ts';
import { shellCommands } from '../../shell/engine.ts';
import { git } from '../git.ts';

const PROGRAMS = { names: shellCommands, more: { git, gh: git } };
const URL_OF = 'https://github.com/ada/tool';
const NATIVE = {
  PATH: process.env.PATH ?? '/usr/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  HOME: '/nonexistent',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.com',
};

let base: string;
let fake: GitHubFake;
let files: InMemoryFs;
let token: string | undefined;
let uses: TokenUse[];
let mayUse: boolean;
/** Called before each request goes out. */
let requested: () => Promise<void>;
/** Where https://git.example/ is. */
let elsewhereAt: string;

const native = (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...NATIVE, ...env } }).trimEnd();

/** A working tree outside of the page, whose commits go to the fake's repository. */
class Elsewhere {
  readonly folder = path.join(base, 'elsewhere');
  #minute = 0;

  constructor() {
    native(base, ['init', '-q', '-b', 'main', this.folder]);
    native(this.folder, ['remote', 'add', 'origin', fake.folder]);
  }

  git(...args: string[]): string {
    return native(this.folder, args);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(path.join(this.folder, name)), { recursive: true });
    writeFileSync(path.join(this.folder, name), content);
  }

  commit(message: string, zones: readonly [string, string] = ['+0100', '+0100']): void {
    this.git('add', '-A');
    const time = 1_700_000_000 + 60 * this.#minute++;
    native(this.folder, ['commit', '-q', '-m', message], {
      GIT_AUTHOR_DATE: `${time} ${zones[0]}`,
      GIT_COMMITTER_DATE: `${time + 5} ${zones[1]}`,
    });
  }

  push(...args: string[]): void {
    this.git('push', '-q', ...(args.length > 0 ? args : ['origin', 'HEAD']));
  }
}

let elsewhere: Elsewhere;

beforeEach(async () => {
  base = mkdtempSync(path.join(tmpdir(), 'git-hub-'));
  const folder = path.join(base, 'tool.git');
  native(base, ['init', '-q', '--bare', '-b', 'main', folder]);
  fake = await gitHubFake(folder);
  files = memoryFiles();
  token = undefined;
  uses = [];
  mayUse = true;
  requested = async () => {};
  elsewhereAt = '';
  elsewhere = new Elsewhere();
  link();
});

afterEach(async () => {
  linkChildren(() => {});
  await fake.close();
  rmSync(base, { recursive: true });
});

/** Lets programs reach the fake through what the app has for it. */
function link(): void {
  const redirected = (url: string) =>
    url
      .replace('https://api.github.com/', `${fake.url}/api/`)
      .replace('https://git.example/', elsewhereAt)
      .replace('https://raw.githubusercontent.com/', `${fake.url}/raw/`);
  const tokens = new GitHubTokens({
    token: () => token,
    ask: async (use) => (uses.push(use), mayUse),
  });
  const exchanges = new Exchanges({
    hosts: async () => ['api.github.com', 'raw.githubusercontent.com', 'git.example'],
    own: new URL('https://vitrine.example/'),
    timer: timeoutTimer,
    tokens,
    policed: async () => ({
      fetch: async (input) => {
        await requested();
        const request = input as Request;
        const body = request.method === 'GET' ? null : await request.arrayBuffer();
        return fetch(redirected(request.url), { method: request.method, headers: request.headers, body });
      },
      reachable: async () => true,
      stopped: () => false,
      close: () => {},
    }),
  });
  linkChildren((message) => {
    if (message.kind !== 'fetch') return;
    void exchanges.run(message.request, message.channel, new AbortController().signal, 'w');
  });
}

async function run(script: string): Promise<string> {
  const { output } = await shell(`{ ${script}\n} 2>&1`, {
    files,
    programs: PROGRAMS,
    env: {
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.com',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.com',
      TZ: 'UTC',
    },
  });
  return output;
}

/** Puts a folder of the workspace on the disk, for native git. */
async function saved(name: string): Promise<string> {
  const to = mkdtempSync(path.join(base, 'saved-'));
  const save = async (from: string, target: string): Promise<void> => {
    mkdirSync(target, { recursive: true });
    for (const each of await files.readdir(from)) {
      const stat = await files.lstat(`${from}/${each}`);
      const there = path.join(target, each);
      if (stat.isSymbolicLink) symlinkSync(await files.readlink(`${from}/${each}`), there);
      else if (stat.isDirectory) await save(`${from}/${each}`, there);
      else {
        writeFileSync(there, await files.readFileBuffer(`${from}/${each}`));
        chmodSync(there, stat.mode & 0o777);
      }
    }
  };
  await save(`${ROOT}/${name}`, to);
  return to;
}

async function copied(): Promise<InMemoryFs> {
  const copy = memoryFiles();
  const visit = async (folder: string): Promise<void> => {
    await copy.mkdir(folder, { recursive: true });
    for (const name of await files.readdir(folder)) {
      const from = `${folder}/${name}`;
      const stat = await files.lstat(from);
      if (stat.isSymbolicLink) await copy.symlink(await files.readlink(from), from);
      else if (stat.isDirectory) await visit(from);
      else await copy.writeFile(from, await files.readFileBuffer(from));
    }
  };
  await visit(ROOT);
  return copy;
}

async function expectSound(name: string): Promise<string> {
  const folder = await saved(name);
  expect(native(folder, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('');
  expect(native(folder, ['status', '--porcelain'])).toBe('');
  return folder;
}

function someHistory(): void {
  elsewhere.write('a.txt', 'one\n');
  elsewhere.write('src/deep/b.txt', 'b\n');
  elsewhere.write(
    'bytes.bin',
    Uint8Array.from({ length: 300 }, (_, at) => at % 256),
  );
  elsewhere.commit('first');
  elsewhere.write('run.sh', '#!/bin/sh\n');
  chmodSync(path.join(elsewhere.folder, 'run.sh'), 0o755);
  symlinkSync('a.txt', path.join(elsewhere.folder, 'link'));
  elsewhere.commit('second, written elsewhere', ['-0330', '+0545']);
  elsewhere.write('a.txt', 'one\ntwo\n');
  elsewhere.commit('third ☃', ['+0000', '-0800']);
  elsewhere.push();
}

describe('clone', () => {
  it('makes a shallow clone with the real ids, that native git finds nothing wrong with', async () => {
    someHistory();
    const output = await run(
      `git clone ${URL_OF}; cd tool; git status -sb; git log --oneline; cat link run.sh`,
    );
    const head = native(fake.folder, ['rev-parse', '--short=7', 'main']);
    expect(output).toBe(
      `Cloning into 'tool'...\nnote: only the newest commit comes; git fetch --deepen=10 brings ten more.\ndone.\n` +
        `## main...origin/main\n${head} third ☃\none\ntwo\n#!/bin/sh\n`,
    );
    const folder = await expectSound('tool');
    expect(native(folder, ['rev-parse', 'HEAD', 'HEAD^{tree}'])).toBe(
      native(fake.folder, ['rev-parse', 'main', 'main^{tree}']),
    );
    expect(native(folder, ['rev-parse', '--is-shallow-repository'])).toBe('true');
    expect(native(folder, ['log', '--format=%h %s %d'])).toContain('grafted');
    expect(native(folder, ['remote', 'get-url', 'origin'])).toBe(URL_OF);
    expect(native(folder, ['symbolic-ref', 'refs/remotes/origin/HEAD'])).toBe('refs/remotes/origin/main');
    // Four requests of the few that there are without a token; files come from the other host.
    expect(fake.asked.filter((each) => each.includes('/api/'))).toHaveLength(4);
  });

  it('brings as many commits as are asked for, and more later', async () => {
    someHistory();
    const log = 'git log --format=%s';
    expect(await run(`git clone -q --depth 2 git@github.com:ada/tool.git t; cd t; ${log}`)).toBe(
      'third ☃\nsecond, written elsewhere\n',
    );
    await expectSound('t');
    expect(await run(`cd t; git fetch -q --deepen=1; ${log}; git rev-parse --is-shallow-repository`)).toBe(
      'third ☃\nsecond, written elsewhere\nfirst\nfalse\n',
    );
    await expectSound('t');
  });

  it('clones a branch or a tag that is named, and follows nested folders where a list is cut off', async () => {
    someHistory();
    elsewhere.git('tag', '-a', 'v1', '-m', 'one', 'HEAD~1');
    elsewhere.git('switch', '-q', '-c', 'topic/x');
    elsewhere.write('src/deep/c.txt', 'c\n');
    elsewhere.commit('on a topic');
    elsewhere.push('origin', 'HEAD', 'v1');
    fake.knobs.truncates = true;
    expect(await run(`git clone -q -b topic/x ${URL_OF} t; cd t; git branch -a; cat src/deep/c.txt`)).toBe(
      '* topic/x\n  remotes/origin/topic/x\nc\n',
    );
    await expectSound('t');
    expect(await run(`git clone -q -b v1 ${URL_OF} u; cd u; git describe; git log -1 --format=%s`)).toBe(
      'v1\nsecond, written elsewhere\n',
    );
    const folder = await expectSound('u');
    expect(native(folder, ['rev-parse', 'v1'])).toBe(native(fake.folder, ['rev-parse', 'v1']));
    expect(await run(`git clone -q -b nothing ${URL_OF} v; ls`)).toBe(
      'fatal: Remote branch nothing not found in upstream origin\nt\nu\n',
    );
  });

  it('names submodules and files of Git LFS, which stay away', async () => {
    someHistory();
    elsewhere.write(
      'big.psd',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`,
    );
    mkdirSync(path.join(elsewhere.folder, 'sub'));
    elsewhere.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    elsewhere.commit('more');
    elsewhere.push();
    const output = await run(`git clone -q ${URL_OF}; cd tool; git status -s; ls -d sub`);
    expect(output).toContain('1 file is kept by Git LFS, and here only as pointers: big.psd');
    expect(output).toContain('submodules are not cloned: sub.');
    expect(output).toMatch(/\nsub\n$/);
  });

  it('keeps what has come when the requests of the hour are used up, and goes on from there', async () => {
    someHistory();
    fake.knobs.rawIsBusy = true;
    fake.knobs.remaining = 6;
    const first = await run(`git clone -q ${URL_OF}`);
    expect(first).toMatch(/^fatal: GitHub takes no more requests until \d\d:\d\d UTC\.\n/);
    expect(first).toContain(
      'with one 5,000. There is no GitHub token: the user can add one under Settings, Tools and servers.',
    );
    expect(first).toContain('Run the same command again then: what has come is kept.');
    fake.knobs.remaining = 7;
    expect(await run(`git clone -q ${URL_OF}; cd tool; git log --format=%s`)).toBe('third ☃\n');
    await expectSound('tool');
  });

  it('leaves nothing broken where it ends at any moment, and is then finished by the next clone', async () => {
    someHistory();
    const moments: InMemoryFs[] = [];
    requested = async () => void moments.push(await copied());
    await run(`git clone -q ${URL_OF}`);
    requested = async () => {};
    expect(moments.length).toBeGreaterThan(5);
    for (const moment of moments) {
      files = moment;
      if (await files.exists(`${ROOT}/tool/.git/HEAD`)) {
        const folder = await saved('tool');
        expect(native(folder, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('');
      }
      expect(await run(`git clone -q ${URL_OF}; cd tool; git status -s; git log --format=%s`)).toBe(
        'third ☃\n',
      );
    }
    await expectSound('tool');
  });

  it('clones nothing that would write into the repository itself', async () => {
    someHistory();
    const blob = elsewhere.git('rev-parse', 'HEAD:a.txt');
    const mktree = (text: string) =>
      execFileSync('git', ['mktree'], { cwd: elsewhere.folder, input: text, encoding: 'utf8' }).trim();
    const hooks = mktree(`100755 blob ${blob}\tpre-commit\n`);
    const tree = mktree(`040000 tree ${hooks}\t.GIT\n`);
    const commit = native(elsewhere.folder, ['commit-tree', '-m', 'evil', tree]);
    elsewhere.git('push', '-q', '-f', 'origin', `${commit}:refs/heads/main`);
    expect(await run(`git clone -q ${URL_OF}; ls`)).toBe(
      "fatal: the repository has a file with the forbidden name '.GIT', and is not cloned.\n",
    );
  });

  it('uses the token of the person for what is private, after a question', async () => {
    someHistory();
    fake.knobs.isPrivate = true;
    const clone = `git clone -q ${URL_OF}; ls`;
    expect(await run(clone)).toBe(
      `fatal: repository '${URL_OF}/' not found\nIt does not exist, or it is private. There is no GitHub token: the user can add one under Settings, Tools and servers.\n`,
    );
    token = 'wrong';
    expect(await run(clone)).toContain('GitHub refuses the token');
    token = fake.knobs.token;
    expect(await run(`${clone}; cd tool; env; cat .git/config`)).not.toContain(token);
    expect(uses).toEqual([{ workspaceID: 'w', repository: 'ada/tool', access: 'read' }]);
    await expectSound('tool');
    expect(fake.asked.some((each) => each.startsWith('GET /raw/'))).toBe(false);
  });

  it('says that a repository is empty', async () => {
    expect(await run(`git clone ${URL_OF}; cd tool; git status -s`)).toContain(
      'warning: You appear to have cloned an empty repository.',
    );
    token = fake.knobs.token;
    const push = 'cd tool; echo a > a; git add a; git commit -qm a; git push -u origin main';
    expect(await run(push)).toContain('Add a first file on its page at github.com');
  });

  it('rebuilds signed commits, and says so where it cannot', async () => {
    someHistory();
    const signed = (message: string, extra = '') => {
      const tree = elsewhere.git('rev-parse', 'HEAD^{tree}');
      const parent = elsewhere.git('rev-parse', 'HEAD');
      const text = `tree ${tree}\nparent ${parent}\nauthor Ada <ada@example.com> 1700001000 +0200\ncommitter Ada <ada@example.com> 1700001000 +0200\n${extra}\n${message}`;
      const made = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: elsewhere.folder,
        input: text,
        encoding: 'utf8',
      }).trim();
      elsewhere.git('push', '-q', '-f', 'origin', `${made}:refs/heads/main`);
      return made;
    };
    const made = signed(
      'signed\n',
      'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n \n',
    );
    expect(await run(`git clone -q ${URL_OF}; cd tool; git rev-parse HEAD`)).toBe(`${made}\n`);
    await expectSound('tool');
    const strange = signed('strange\n', 'x-unknown header\n');
    expect(await run(`git clone -q ${URL_OF} again`)).toContain(
      `fatal: commit ${strange} has parts of which GitHub's API does not tell`,
    );
  });
});

describe('another host, by git’s own protocol', () => {
  const url = 'https://git.example/tool.git';
  let host: GitHost;

  beforeEach(async () => void (host = await gitHost(base)));
  afterEach(() => host.close());

  it('is cloned, fetched from and pushed to', async () => {
    someHistory();
    native(fake.folder, ['tag', 'v1', 'main~1']);
    elsewhereAt = host.url;
    expect(await run(`git clone -q ${url}; cd tool; git log --format=%s; git tag; git branch -a`)).toBe(
      'third ☃\nsecond, written elsewhere\nfirst\nv1\n* main\n  remotes/origin/HEAD -> origin/main\n  remotes/origin/main\n',
    );
    await expectSound('tool');
    elsewhere.write('new.txt', 'new\n');
    elsewhere.commit('fourth');
    elsewhere.push();
    expect(await run('cd tool; git pull; git log -1 --format=%s')).toMatch(
      /^From https:\/\/git\.example\/tool\.git\n {3}\w{7}\.\.\w{7} {2}main {7}-> origin\/main\n[^]*fourth\n$/,
    );
    const work = 'cd tool; git switch -qc topic; echo x > x; git add x; git commit -qm x';
    expect(await run(`${work}; git push -q -u origin topic; git ls-remote origin topic`)).toContain(
      'refs/heads/topic',
    );
    const folder = await expectSound('tool');
    expect(native(fake.folder, ['rev-parse', 'topic'])).toBe(native(folder, ['rev-parse', 'HEAD']));
    expect(await run('cd tool; git push -q origin :topic; git ls-remote origin topic')).toBe('');
    expect(await run(`git clone -q --depth 1 ${url} one; cd one; git log --format=%s`)).toBe('fourth\n');
    await expectSound('one');
  });

  it('is reached through a proxy that the settings put in its place', async () => {
    someHistory();
    elsewhereAt = host.url;
    const proxy = 'git config --global url.https://git.example/.insteadOf https://closed.example/';
    expect(await run(`${proxy}; git clone -q https://closed.example/tool.git; cd tool; git remote -v`)).toBe(
      'origin\thttps://git.example/tool.git (fetch)\norigin\thttps://git.example/tool.git (push)\n',
    );
    elsewhere.write('new.txt', 'new\n');
    elsewhere.commit('fourth');
    elsewhere.push();
    expect(await run('cd tool; git pull -q; git log -1 --format=%s; git config remote.origin.url')).toBe(
      'fourth\nhttps://closed.example/tool.git\n',
    );
  });

  it('says why it cannot be reached', async () => {
    elsewhereAt = host.url;
    expect(await run('git clone https://git.example/none.git')).toContain(
      "fatal: repository 'https://git.example/none.git' not found",
    );
    expect(await run('git clone git@other.example:a/b.git')).toContain(
      "fatal: unable to access 'git@other.example:a/b.git': other.example cannot be reached: other.example is not among the hosts",
    );
  });
});

describe('fetch and pull', () => {
  it('brings what is new, and pulls it in', async () => {
    someHistory();
    await run(`git clone -q ${URL_OF}`);
    elsewhere.write('new.txt', 'new\n');
    elsewhere.commit('fourth');
    elsewhere.git('switch', '-q', '-c', 'side', 'HEAD~2');
    elsewhere.write('side.txt', 'side\n');
    elsewhere.commit('from the side');
    elsewhere.git('switch', '-q', 'main');
    elsewhere.git('merge', '-q', '--no-edit', 'side');
    elsewhere.push();
    const range = `${native(fake.folder, ['rev-parse', '--short=7', 'main~2'])}..${native(fake.folder, ['rev-parse', '--short=7', 'main'])}`;
    expect(await run('cd tool; git fetch; git fetch; git status -sb')).toBe(
      `From ${URL_OF}\n   ${range}  main       -> origin/main\n## main...origin/main [behind 3]\n`,
    );
    expect(await run('cd tool; git pull -q; ls; git log --format=%s -n 2')).toContain('new.txt');
    const folder = await expectSound('tool');
    expect(native(folder, ['rev-parse', 'HEAD'])).toBe(native(fake.folder, ['rev-parse', 'main']));
  });

  it('goes on where a fetch was ended before its commits were written', async () => {
    someHistory();
    await run(`git clone -q ${URL_OF}`);
    elsewhere.write('new.txt', 'new\n');
    elsewhere.commit('fourth');
    elsewhere.push();
    token = fake.knobs.token;
    // The edge of a transfer is written before the commits at it.
    await run(`cd tool; echo ${native(fake.folder, ['rev-parse', 'main'])} >> .git/shallow`);
    expect(await run('cd tool; git pull -q; git log --format=%s -n 1')).toBe('fourth\n');
    expect(await run('cd tool; echo x > x; git add x; git commit -qm mine; git push')).toContain(
      'main -> main',
    );
    await expectSound('tool');
  });

  it('lists the refs of an address', async () => {
    someHistory();
    elsewhere.push('origin', 'HEAD:refs/heads/topic');
    const oid = native(fake.folder, ['rev-parse', 'main']);
    expect(await run(`git ls-remote ${URL_OF}; git ls-remote --symref ${URL_OF} HEAD`)).toBe(
      `${oid}\tHEAD\n${oid}\trefs/heads/main\n${oid}\trefs/heads/topic\nref: refs/heads/main\tHEAD\n${oid}\tHEAD\n`,
    );
  });
});

describe('push', () => {
  const commit =
    'cd tool; echo three >> a.txt; git rm -q src/deep/b.txt; printf "\\377\\000" > raw.bin; ln -s run.sh other; git add -A; git commit -qm "from the page"';

  it('makes the same commits there, and follows', async () => {
    someHistory();
    token = fake.knobs.token;
    await run(`git clone -q ${URL_OF}`);
    const output = await run(`${commit}; git switch -qc topic; git push -u origin topic`);
    expect(output).toContain(`To ${URL_OF}\n * [new branch]      topic -> topic\n`);
    expect(output).toContain('remote:      https://github.com/ada/tool/pull/new/topic\n');
    expect(output).toContain("branch 'topic' set up to track 'origin/topic'.");
    expect(uses).toEqual([{ workspaceID: 'w', repository: 'ada/tool', access: 'write' }]);
    const folder = await expectSound('tool');
    expect(native(fake.folder, ['rev-parse', 'topic'])).toBe(native(folder, ['rev-parse', 'HEAD']));
    expect(native(fake.folder, ['fsck', '--strict', '--no-dangling'])).toBe('');
    expect(await run('cd tool; git push; git status -sb')).toBe(
      'Everything up-to-date\n## topic...origin/topic\n',
    );
    expect(await run('cd tool; git push origin :topic')).toContain(' - [deleted]         topic\n');
    expect(native(fake.folder, ['branch', '--list', 'topic'])).toBe('');
  });

  it('refuses what is behind, as git does, unless it is forced', async () => {
    someHistory();
    token = fake.knobs.token;
    await run(`git clone -q ${URL_OF}`);
    elsewhere.write('new.txt', 'new\n');
    elsewhere.commit('fourth');
    elsewhere.push();
    const output = await run(`${commit}; git push; echo $?`);
    expect(output).toContain(' ! [rejected]        main -> main (fetch first)\n');
    expect(output).toMatch(
      /hint: See the 'Note about fast-forwards' in 'git push --help' for details\.\n1\n$/,
    );
    expect(await run('cd tool; git pull -q --rebase; git push')).toMatch(
      /[0-9a-f]{7}\.\.[0-9a-f]{7} {2}main -> main\n$/,
    );
    expect(native(fake.folder, ['log', '--format=%s', '-n', '2', 'main'])).toBe('from the page\nfourth');
    expect(await run('cd tool; git commit -q --amend -m other; git push; git push --force')).toContain(
      '(forced update)',
    );
    fake.knobs.protects = ['refs/heads/main'];
    expect(await run('cd tool; git commit -q --allow-empty -m more; git push')).toContain(
      ' ! [remote rejected] main -> main (Protected branch update failed)\n',
    );
  });

  it('takes over commits that GitHub writes otherwise', async () => {
    someHistory();
    token = fake.knobs.token;
    fake.knobs.writesUTC = true;
    await run(`git clone -q ${URL_OF}`);
    const output = await run(
      `${commit}; export TZ=Europe/Berlin; git commit -q --allow-empty -m next; git push; git status -sb`,
    );
    expect(output).toContain('note: the remote has written the same commits with other ids; main is now at');
    expect(output).toMatch(/## main\.\.\.origin\/main\n$/);
    const folder = await expectSound('tool');
    expect(native(fake.folder, ['rev-parse', 'main'])).toBe(native(folder, ['rev-parse', 'HEAD']));
  });

  it('changes nothing where there is no token, or the person refuses it', async () => {
    someHistory();
    await run(`git clone -q ${URL_OF}`);
    const before = native(fake.folder, ['rev-parse', 'main']);
    expect(await run(`${commit}; git push`)).toContain('There is no GitHub token: the user can add one');
    token = fake.knobs.token;
    mayUse = false;
    expect(await run('cd tool; git push')).toContain('The user does not let programs change ada/tool');
    expect(native(fake.folder, ['rev-parse', 'main'])).toBe(before);
  });

  it('pushes annotated tags', async () => {
    someHistory();
    token = fake.knobs.token;
    await run(`git clone -q ${URL_OF}`);
    expect(await run('cd tool; git tag -a v2 -m two; git push origin v2')).toContain(
      ' * [new tag]         v2 -> v2\n',
    );
    const folder = await saved('tool');
    expect(native(fake.folder, ['rev-parse', 'v2'])).toBe(native(folder, ['rev-parse', 'v2']));
  });
});

describe('gh', () => {
  it('clones a repository and makes a pull request of a pushed branch', async () => {
    someHistory();
    token = fake.knobs.token;
    await run('gh repo clone ada/tool');
    const work =
      'cd tool; git switch -qc topic; echo x > x; git add x; git commit -qm "Add x" -m "It was missing."';
    expect(await run(`${work}; gh pr create --title x`)).toContain(
      'Push the branch first: git push -u origin topic',
    );
    expect(await run('cd tool; git push -q -u origin topic; gh pr create --fill')).toMatch(
      /https:\/\/github\.com\/ada\/tool\/pull\/1\n$/,
    );
    expect(fake.pulls).toEqual([
      { title: 'Add x', body: 'It was missing.', head: 'topic', base: 'main', draft: false },
    ]);
    expect(await run('cd tool; gh pr create; gh pr list; gh auth status; gh issue list; echo $?')).toMatch(
      /^must provide `--title`[^]*\n1\tAdd x\ttopic\tOPEN\ngithub\.com\n[^]*gh: 'issue list' is not there[^]*\n1\n$/,
    );
  });

  it('lists the pull requests that are asked for, and says whose branch each is', async () => {
    someHistory();
    fake.knobs.fromForks = [
      { title: 'Theirs', branch: 'topic', state: 'open' },
      { title: 'Old', branch: 'old', state: 'closed' },
      { title: 'In', branch: 'in', state: 'merged' },
    ];
    await run(`git clone -q ${URL_OF}`);
    const list = (options: string) => run(`cd tool; gh pr list ${options}`);
    expect(await list('')).toBe('1\tTheirs\teve:topic\tOPEN\n');
    expect(await list('--state merged')).toBe('3\tIn\teve:in\tMERGED\n');
    expect(await list('-s all -L 2')).toBe('1\tTheirs\teve:topic\tOPEN\n2\tOld\teve:old\tCLOSED\n');
    expect(await list('-s all --head in')).toBe('3\tIn\teve:in\tMERGED\n');
    expect(await list('--state new')).toContain("invalid argument 'new' for --state");
    expect(await list('-L none')).toContain("invalid argument 'none' for --limit");
  });

  it('refuses what it would leave out of a pull request', async () => {
    someHistory();
    token = fake.knobs.token;
    await run(`git clone -q ${URL_OF}; cd tool; git switch -qc topic; git push -q -u origin topic`);
    for (const option of ['--label bug', '-r ada', '-a ada', '-m 1.0', '-p Board'])
      expect(await run(`cd tool; gh pr create -t x -b y ${option}; echo $?`)).toMatch(/unknown [^]*\n129\n$/);
    expect(fake.pulls).toEqual([]);
    await run('cd tool; gh pr create -t x -b y --no-maintainer-edit');
    expect(fake.pulls).toMatchObject([{ title: 'x', maintainer_can_modify: false }]);
  });
});
