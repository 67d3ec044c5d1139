import { matcherOf } from '../../shell/commands/grep/pattern.ts';
import { asText, isBinary } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import { aroundDashes, parse } from '../kit/options.ts';
import { globSource } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { resolve, resolveCommit, tryResolve } from '../kit/revisions.ts';
import { filesOf, filesOfIndex } from '../kit/trees.ts';
import { reachable, walk } from '../kit/walk.ts';
import { rangeOf, withHead } from '../log/arguments.ts';
import { countOf, filterOf } from '../log/filter.ts';
import { showReflog } from '../log/reflog.ts';
import { filterRefs } from '../refs/filter.ts';
import { refFormatted, sortRefs } from '../refs/format.ts';
import { shownPath } from '../status/long.ts';
import { LOG_WORDS } from './log.ts';

export const reflog: Command = async (git, args) => {
  const repo = await git.repo();
  const [first, ...rest] = args;
  if (first === 'expire' || first === 'delete')
    throw new Fatal(`git reflog ${first} is not there: the log is the file .git/logs/HEAD`, 1, 'error: ');
  if (first === 'exists') return (await repo.files.exists(`${repo.gitdir}/logs/${rest[0] ?? ''}`)) ? 0 : 1;
  const given = parse('reflog', first === 'show' ? rest : args, LOG_WORDS, { number: 'max-count' });
  git.page();
  return showReflog(git, repo, given, 'oneline');
};

export const shortlog: Command = async (git, args) => {
  const given = parse(
    'shortlog',
    args,
    `${LOG_WORDS.replace('s|no-patch', 'no-patch').replace(/ n\|max-count:/, ' max-count:')} s|summary n|numbered e|email group:`,
    { number: 'max-count' },
  );
  const repo = await git.repo();
  const range = await withHead(repo, await rangeOf(git, repo, given));
  const passes = filterOf(given, git.zone);
  const groups = new Map<string, string[]>();
  const by = given.value('group') ?? (given.has('c') ? 'committer' : 'author');
  if (by !== 'author' && by !== 'committer') throw new Fatal(`unknown group type: ${by}`);
  const isCommitter = by === 'committer';
  let left = countOf(given, 'max-count') ?? Infinity;
  for await (const commit of walk(repo, {
    include: range.include,
    exclude: range.exclude,
    ...(range.paths.length > 0 && { paths: repo.pathspec(range.paths) }),
  })) {
    if (!passes(commit)) continue;
    if (left-- <= 0) break;
    const { name, email } = isCommitter ? commit.committer : commit.author;
    const key = given.has('email') ? `${name} <${email}>` : name;
    groups.set(key, [subjectOf(commit.message), ...(groups.get(key) ?? [])]);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  if (given.has('numbered')) sorted.sort(([, a], [, b]) => b.length - a.length);
  for (const [name, subjects] of sorted) {
    if (given.has('summary')) git.out(`${String(subjects.length).padStart(6)}\t${name}\n`);
    else
      git.out(`${name} (${subjects.length}):\n${subjects.map((subject) => `      ${subject}\n`).join('')}\n`);
  }
  return 0;
};

export const describe: Command = async (git, args) => {
  const given = parse(
    'describe',
    args,
    'all tags long always dirty? abbrev: exact-match match: exclude: candidates:',
  );
  const repo = await git.repo();
  const [word = 'HEAD'] = given.operands;
  if ((await tryResolve(repo, word)) === undefined) throw new Fatal(`Not a valid object name ${word}`);
  const start = await resolveCommit(repo, word);
  const names = await tagsFor(
    repo,
    given.has('tags') || given.has('all'),
    given.has('all'),
    given.values('match'),
    given.values('exclude'),
  );
  const length = Number(given.value('abbrev') ?? 7);
  const isDirty = given.order.some(([name]) => name === 'dirty') && (await isChanged(repo));
  const end = isDirty ? given.value('dirty') || '-dirty' : '';
  const found = await nearest(repo, start, names, given.has('exact-match') ? 0 : Infinity);
  if (found) {
    const isExact = found.distance === 0 && !given.has('long');
    git.out(
      `${found.name}${isExact || length === 0 ? '' : `-${found.distance}-g${start.slice(0, length)}`}${end}\n`,
    );
    return 0;
  }
  if (given.has('always')) {
    git.out(`${start.slice(0, length)}${end}\n`);
    return 0;
  }
  if (given.has('exact-match')) throw new Fatal(`no tag exactly matches '${start}'`);
  if (names.size === 0 && !(await repo.refs.list('refs/tags/')).length)
    throw new Fatal('No names found, cannot describe anything.');
  throw new Fatal(
    given.has('tags')
      ? `No tags can describe '${start}'.\nTry --always, or create some tags.`
      : `No annotated tags can describe '${start}'.\nHowever, there were unannotated tags: try --tags.`,
  );
};

async function isChanged(repo: Repo): Promise<boolean> {
  if ((await repo.worktreePairs()).length > 0) return true;
  const [head, index] = [await repo.headFiles(), filesOfIndex(await repo.index())];
  return head.size !== index.size || [...index].some(([path, { oid }]) => head.get(path)?.oid !== oid);
}

async function tagsFor(
  repo: Repo,
  light: boolean,
  all: boolean,
  match: readonly string[],
  exclude: readonly string[],
) {
  const names = new Map<string, { name: string; isAnnotated: boolean; time: number }>();
  const regexes = (globs: readonly string[]) =>
    globs.map((glob) => new RegExp(`^${globSource(glob, false)}$`));
  const [wanted, unwanted] = [regexes(match), regexes(exclude)];
  for (const [ref, oid] of await repo.refs.list(all ? 'refs/' : 'refs/tags/')) {
    const name = all ? ref.replace(/^refs\//, '') : ref.slice('refs/tags/'.length);
    if (
      (wanted.length > 0 && !wanted.some((regex) => regex.test(name))) ||
      unwanted.some((regex) => regex.test(name))
    )
      continue;
    const { type } = await repo.objects.read(oid);
    if (type !== 'tag' && !light) continue;
    const commit = await repo.objects.peel(oid, 'commit');
    if (commit === undefined) continue;
    const isAnnotated = type === 'tag';
    const time = isAnnotated ? ((await repo.objects.tag(oid)).tagger?.time ?? 0) : 0;
    const present = names.get(commit);
    if (present && (present.isAnnotated > isAnnotated || present.time > time)) continue;
    names.set(commit, { name, isAnnotated, time });
  }
  return names;
}

async function nearest(
  repo: Repo,
  start: string,
  names: ReadonlyMap<string, { readonly name: string }>,
  most: number,
) {
  const own = names.get(start);
  if (own) return { name: own.name, distance: 0 };
  if (most === 0) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  const all = await reachable(repo, [start]);
  for await (const { oid } of walk(repo, { include: [start] })) {
    const tag = names.get(oid);
    if (!tag) continue;
    const distance = all.size - (await reachable(repo, [oid])).size;
    if (!best || distance < best.distance) best = { name: tag.name, distance };
  }
  return best;
}

const GREP = `i|ignore-case v|invert-match n|line-number l|files-with-matches|name-only L|files-without-match c|count w|word-regexp h H
  E|extended-regexp F|fixed-strings P|perl-regexp G|basic-regexp e: cached A|after-context: B|before-context: C|context:
  q|quiet o|only-matching heading full-name color? no-color a|text I r`;

export const grep: Command = async (git, args) => {
  const given = parse('grep', args, GREP);
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const patterns = [...given.values('e')];
  const words = [...before];
  if (patterns.length === 0) {
    const first = words.shift() ?? after?.[0];
    if (first === undefined) throw new Fatal('no pattern given');
    patterns.push(first);
  }
  const revisions: string[] = [];
  while (
    words[0] !== undefined &&
    (await tryResolve(repo, words[0])) !== undefined &&
    !(await git.files.lstat(git.files.fs.resolvePath(git.cwd, words[0])))
  )
    revisions.push(words.shift() ?? '');
  const paths = [...words, ...(after ?? [])];
  const pathspec = repo.pathspec(paths.length === 0 && repo.prefix !== '' ? ['.'] : paths);
  const dialect = given.has('fixed-strings')
    ? 'fixed'
    : given.has('perl-regexp')
      ? 'perl'
      : given.has('extended-regexp')
        ? 'extended'
        : 'basic';
  const { regex } = matcherOf(patterns, {
    dialect,
    ignoreCase: given.has('ignore-case'),
    wholeWord: given.has('word-regexp'),
    wholeLine: false,
    overLines: false,
  });
  const test = new RegExp(regex.source, regex.flags.replace('g', ''));
  git.page();
  let isFound = false;
  const shows = { git, given, test: (line: string) => test.test(line) !== given.has('invert-match'), regex };
  for (const revision of revisions.length > 0 ? revisions : [undefined]) {
    const files =
      revision === undefined
        ? filesOfIndex(await repo.index())
        : await filesOf(repo.objects, await repo.objects.peel(await resolve(repo, revision), 'tree'));
    const wanted = [...files].filter(([path]) => pathspec.matches(path));
    // Asked together, because the kernel answers many questions in one message.
    const readable = await Promise.all(wanted.map(([path]) => repo.mayRead(path)));
    for (const [at, [path, { oid }]] of wanted.entries()) {
      if (readable[at] === false) continue;
      const stat =
        revision === undefined && !given.has('cached') ? await repo.worktree.lstat(path) : undefined;
      if (revision === undefined && !given.has('cached') && !stat) continue;
      const bytes = stat ? await repo.worktree.bytes(path, stat) : await repo.objects.blob(oid);
      const name = `${revision === undefined ? '' : `${revision}:`}${given.has('full-name') ? path : shownPath(repo, path)}`;
      if (showMatches(shows, name, bytes)) isFound = true;
    }
  }
  return isFound ? 0 : 1;
};

interface Shows {
  readonly git: Git;
  readonly given: ReturnType<typeof parse>;
  readonly test: (line: string) => boolean;
  readonly regex: RegExp;
}

function showMatches({ git, given, test, regex }: Shows, name: string, bytes: Uint8Array): boolean {
  if (given.has('I') && isBinary(bytes)) return false;
  const lines = asText(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hits = lines.flatMap((line, at) => (test(line) ? [at] : []));
  if (given.has('files-without-match')) {
    if (hits.length === 0) git.out(`${name}\n`);
    return hits.length === 0;
  }
  if (hits.length === 0 || given.has('quiet')) return hits.length > 0;
  if (given.has('name-only')) git.out(`${name}\n`);
  else if (given.has('count')) git.out(`${given.has('h') ? '' : `${name}:`}${hits.length}\n`);
  else if (isBinary(bytes) && !given.has('text')) git.out(`Binary file ${name} matches\n`);
  else {
    const around = (option: string) => Number(given.value(option) ?? given.value('context') ?? 0);
    const shown = new Set(
      hits.flatMap((at) =>
        Array.from(
          { length: around('before-context') + around('after-context') + 1 },
          (_, index) => at - around('before-context') + index,
        ),
      ),
    );
    const isHit = new Set(hits);
    let last = -2;
    if (given.has('heading')) git.out(`${name}\n`);
    for (const at of [...shown].sort((a, b) => a - b)) {
      const line = lines[at];
      if (line === undefined) continue;
      const mark = isHit.has(at) ? ':' : '-';
      if (last >= 0 && at > last + 1 && shown.size > hits.length) git.out('--\n');
      last = at;
      const head = `${given.has('h') || given.has('heading') ? '' : `${name}${mark}`}${given.has('line-number') ? `${at + 1}${mark}` : ''}`;
      if (given.has('only-matching'))
        for (const [match] of line.matchAll(regex)) git.out(`${head}${match}\n`);
      else git.out(`${head}${line}\n`);
    }
  }
  return true;
}

export const forEachRef: Command = async (git, args) => {
  const given = parse(
    'for-each-ref',
    args,
    'format: sort: count: color? contains! no-contains! merged! no-merged! points-at!',
  );
  const repo = await git.repo();
  const patterns = given.operands.map((word) => word.replace(/\/$/, ''));
  const all = (await repo.refs.list()).map(([name, oid]) => ({ name, oid }));
  const wanted = all.filter(
    ({ name }) =>
      patterns.length === 0 ||
      patterns.some(
        (pattern) =>
          name === pattern ||
          name.startsWith(`${pattern}/`) ||
          new RegExp(`^${globSource(pattern, true)}$`).test(name),
      ),
  );
  const passing = await filterRefs(repo, wanted, given);
  const sort = given.values('sort');
  const sorted = sort.length > 0 ? await sortRefs(repo, passing, sort) : passing;
  const format = given.value('format') ?? '%(objectname) %(objecttype)\t%(refname)';
  for (const ref of sorted.slice(0, Number(given.value('count') ?? sorted.length)))
    git.out(`${await refFormatted(git, repo, format, ref)}\n`);
  return 0;
};

export const showRef: Command = async (git, args) => {
  const given = parse('show-ref', args, 'head heads tags d|dereference s|hash? verify q|quiet abbrev?');
  const repo = await git.repo();
  const all = [
    ...(given.has('head') ? [['HEAD', (await repo.refs.resolve('HEAD')) ?? ''] as const] : []),
    ...(await repo.refs.list()),
  ];
  const isWanted = (name: string) => {
    if (name !== 'HEAD' && (given.has('heads') || given.has('tags'))) {
      const fits =
        (given.has('heads') && name.startsWith('refs/heads/')) ||
        (given.has('tags') && name.startsWith('refs/tags/'));
      if (!fits) return false;
    }
    if (given.operands.length === 0) return true;
    return given.operands.some((word) =>
      given.has('verify') ? name === word : name === word || name.endsWith(`/${word}`),
    );
  };
  const found = all.filter(([name]) => isWanted(name));
  if (found.length === 0) {
    if (given.has('verify') && !given.has('quiet'))
      throw new Fatal(`'${given.operands[0] ?? ''}' - not a valid ref`);
    return 1;
  }
  if (given.has('quiet')) return 0;
  const length = Number(given.value('hash') || given.value('abbrev') || 40);
  for (const [name, oid] of found) {
    git.out(given.has('hash') ? `${oid.slice(0, length)}\n` : `${oid.slice(0, length)} ${name}\n`);
    if (!given.has('dereference') || !name.startsWith('refs/tags/')) continue;
    const peeled = await repo.objects.peel(oid, 'any');
    if (peeled !== undefined && peeled !== oid) git.out(`${peeled} ${name}^{}\n`);
  }
  return 0;
};

export const nameRev: Command = async (git, args) => {
  const given = parse('name-rev', args, 'name-only tags always all');
  const repo = await git.repo();
  for (const word of given.operands) {
    const oid = await resolveCommit(repo, word);
    let name = 'undefined';
    for (const [ref, tip] of await repo.refs.list(given.has('tags') ? 'refs/tags/' : 'refs/')) {
      const commit = await repo.objects.peel(tip, 'commit');
      if (commit === undefined) continue;
      let [at, steps]: [string | undefined, number] = [commit, 0];
      while (at !== undefined && at !== oid) {
        at = (await repo.objects.commit(at)).parents[0];
        steps++;
      }
      if (at === undefined) continue;
      name = `${ref.replace(/^refs\/(heads\/)?/, '')}${steps > 0 ? `~${steps}` : ''}`;
      break;
    }
    git.out(given.has('name-only') ? `${name}\n` : `${word} ${name}\n`);
  }
  return 0;
};
