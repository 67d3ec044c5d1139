import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { parse, type Given } from '../kit/options.ts';
import type { Painter } from '../kit/paint.ts';
import { quotePath } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import type { Change } from '../diff/renames.ts';
import type { Version } from '../kit/trees.ts';
import { gather, type Status } from '../status/gather.ts';
import { longStatus, shownPath } from '../status/long.ts';

const WORDS = `no-column no-verbose s|short b|branch porcelain? long u|untracked-files? ignored? z|null M|find-renames? no-renames
  ahead-behind show-stash ignore-submodules? renames`;

export function untrackedMode(value: string | undefined): 'no' | 'normal' | 'all' {
  if (value === undefined) return 'normal';
  if (value === '' || value === 'all') return 'all';
  if (value === 'no' || value === 'normal') return value;
  throw new Fatal(`Invalid untracked files mode '${value}'`);
}

export const status: Command = async (git, args) => {
  const given = parse('status', args, WORDS);
  const repo = await git.repo();
  const mode = given.has('untracked-files')
    ? given.value('untracked-files')
    : repo.config.get('status.showuntrackedfiles');
  const version = given.value('porcelain') ?? '';
  if (!/^(v?[12])?$/.test(version)) throw new Fatal(`unsupported porcelain version '${version}'`);
  const untracked = given.has('no-untracked-files') ? 'no' : untrackedMode(mode);
  const showsIgnored = given.has('ignored') && given.value('ignored') !== 'no';
  const found = await gather(repo, {
    untracked,
    ignored: showsIgnored,
    renames: !given.has('no-renames') && repo.config.get('status.renames') !== 'false',
    ...(given.operands.length > 0 && { pathspec: repo.pathspec(given.operands) }),
  });
  const porcelain = given.has('porcelain') || (given.has('null') && !given.has('short'));
  const isShort = given.has('short') || (repo.config.flag('status.short') === true && !given.has('long'));
  if (porcelain && /^v?2$/.test(given.value('porcelain') ?? '')) await secondForm(git, repo, found, given);
  else if (porcelain || isShort) await shortForm(git, repo, found, given, porcelain);
  else {
    git.out(await longStatus(git, repo, found, { untracked, showsIgnored }));
    if (given.has('show-stash') || repo.config.flag('status.showstash')) {
      const { length } = await repo.refs.entries('refs/stash');
      if (length > 0) git.out(`Your stash currently has ${length} entr${length === 1 ? 'y' : 'ies'}\n`);
    }
  }
  return 0;
};

const CONFLICTS: readonly string[] = ['', 'DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'];

async function shortForm(
  git: Git,
  repo: Repo,
  found: Status,
  given: Given,
  isPorcelain: boolean,
): Promise<void> {
  const painter = await git.painter('status', isPorcelain ? 'never' : undefined);
  const isZero = given.has('null');
  const name = (path: string) => {
    if (isZero) return path;
    const shown = isPorcelain ? quotePath(path) : shownPath(repo, path);
    return shown.includes(' ') && !shown.startsWith('"') ? `"${shown}"` : shown;
  };
  const end = isZero ? '\0' : '\n';
  if (given.has('branch') || (!isPorcelain && repo.config.flag('status.branch')))
    git.out(`${branchLine(found, painter)}${end}`);
  const lines = new Map<string, { staged?: Change; unstaged?: Change; conflict?: string }>();
  for (const change of found.staged) lines.set(change.path, { staged: change });
  for (const change of found.unstaged)
    lines.set(change.path, { ...lines.get(change.path), unstaged: change });
  for (const { path, stages } of found.unmerged) lines.set(path, { conflict: CONFLICTS[stages] ?? 'UU' });
  for (const [path, { staged, unstaged, conflict }] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (conflict !== undefined) {
      git.out(`${painter.paint('red', conflict)} ${name(path)}${end}`);
      continue;
    }
    const letters = painter.paint('green', staged?.status ?? '') || ' ';
    const second = (unstaged && !unstaged.before ? 'A' : unstaged?.status) ?? '';
    git.out(`${letters}${painter.paint('red', second) || ' '} `);
    if (!staged || staged.from === path) git.out(`${name(path)}${end}`);
    else git.out(isZero ? `${path}\0${staged.from}\0` : `${name(staged.from)} -> ${name(path)}\n`);
  }
  for (const path of found.untracked) git.out(`${painter.paint('red', '??')} ${name(path)}${end}`);
  for (const path of found.ignored) git.out(`${painter.paint('red', '!!')} ${name(path)}${end}`);
}

function branchLine({ branch, head, tracking }: Status, painter: Painter): string {
  const local = (text: string) => painter.paint('green', text);
  if (branch === undefined) return `## ${painter.paint('red', 'HEAD (no branch)')}`;
  const start = head === undefined ? '## No commits yet on ' : '## ';
  if (!tracking) return `${start}${local(branch)}`;
  const { name, counts } = tracking;
  const parts = counts
    ? [
        ...(counts.ahead > 0 ? [`ahead ${painter.paint('green', String(counts.ahead))}`] : []),
        ...(counts.behind > 0 ? [`behind ${painter.paint('red', String(counts.behind))}`] : []),
      ]
    : ['gone'];
  return `${start}${local(branch)}...${painter.paint('red', name)}${parts.length > 0 ? ` [${parts.join(', ')}]` : ''}`;
}

/** The form of `--porcelain=v2`, which names modes and ids too. */
async function secondForm(git: Git, repo: Repo, found: Status, given: Given): Promise<void> {
  const end = given.has('null') ? '\0' : '\n';
  const name = (path: string) => (given.has('null') ? path : quotePath(path));
  if (given.has('branch')) {
    git.out(
      `# branch.oid ${found.head ?? '(initial)'}${end}# branch.head ${found.branch ?? '(detached)'}${end}`,
    );
    if (found.tracking) git.out(`# branch.upstream ${found.tracking.name}${end}`);
    const counts = found.tracking?.counts;
    if (counts) git.out(`# branch.ab +${counts.ahead} -${counts.behind}${end}`);
  }
  const octal = (version: Version | undefined) => (version?.mode ?? 0).toString(8).padStart(6, '0');
  const id = (version: Version | undefined) => version?.oid ?? '0'.repeat(40);
  const unstaged = new Map(found.unstaged.map((change) => [change.path, change]));
  const staged = new Map(found.staged.map((change) => [change.path, change]));
  const index = new Map((await repo.index()).map((entry) => [entry.path, entry]));
  for (const path of [...new Set([...staged.keys(), ...unstaged.keys()])].sort()) {
    const [one, other] = [staged.get(path), unstaged.get(path)];
    const inIndex = one?.status === 'D' ? undefined : index.get(path);
    const letters = `${one?.status ?? '.'}${(other && !other.before ? 'A' : other?.status) ?? '.'}`;
    const before = one ? one.before : inIndex;
    const inTree = other ? other.after : inIndex;
    const modes = `${letters} N... ${octal(before)} ${octal(inIndex)} ${octal(inTree)} ${id(before)} ${id(inIndex)}`;
    if (one && one.from !== path)
      git.out(
        `2 ${modes} ${one.status}${one.score} ${name(path)}${given.has('null') ? '\0' : '\t'}${name(one.from)}${end}`,
      );
    else git.out(`1 ${modes} ${name(path)}${end}`);
  }
  for (const { path, stages } of found.unmerged) {
    const all = (await repo.index()).filter((entry) => entry.path === path);
    const at = (stage: number) => all.find((entry) => entry.stage === stage);
    const stat = await repo.worktree.lstat(path);
    const tree = stat ? await repo.worktree.version(path, stat) : undefined;
    const sides = [1, 2, 3].map(at);
    git.out(
      `u ${CONFLICTS[stages] ?? 'UU'} N... ${sides.map(octal).join(' ')} ${octal(tree)} ${sides.map(id).join(' ')} ${name(path)}${end}`,
    );
  }
  for (const path of found.untracked) git.out(`? ${name(path)}${end}`);
  for (const path of found.ignored) git.out(`! ${name(path)}${end}`);
}
