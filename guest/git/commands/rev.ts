import { Fatal } from '../kit/fatal.ts';
import { whyUnknown } from '../kit/missing-path.ts';
import type { Command, Git } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { previousBranch, refNamed, resolveCommit, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { isGoodRefName } from '../kit/refs.ts';
import { isAncestor, mergeBases } from '../kit/walk.ts';
import { relative } from '../../shell/kit/relative.ts';
import { rangeOf, revisionOf } from '../log/arguments.ts';
import { isUserFormat, prettyCommit } from '../log/pretty.ts';
import { LOG_WORDS, printingOf, selected, withBoundary } from './log.ts';

/** The questions about the place, which need no revision. */
async function placeText(git: Git, word: string): Promise<string | undefined> {
  const place = await git.place();
  if (
    /^--(is-(inside-work-tree|inside-git-dir|bare-repository|shallow-repository)|(absolute-)?git-dir|git-common-dir|show-(toplevel|prefix|cdup|object-format))$/.test(
      word,
    )
  ) {
    if (!place) throw new Fatal('not a git repository (or any of the parent directories): .git');
    const repo = await git.repo();
    const isInside = git.cwd === place.gitdir || git.cwd.startsWith(`${place.gitdir}/`);
    const gitdir = git.cwd === place.top ? '.git' : git.cwd === place.gitdir ? '.' : place.gitdir;
    switch (word) {
      case '--is-inside-work-tree':
        return String(!repo.isBare && !isInside);
      case '--is-inside-git-dir':
        return String(isInside);
      case '--is-bare-repository':
        return String(repo.isBare);
      case '--is-shallow-repository':
        return String(await repo.files.exists(`${place.gitdir}/shallow`));
      case '--git-dir':
        return git.env('GIT_DIR') ?? gitdir;
      case '--git-common-dir':
        return repo.prefix === '' ? gitdir : `${'../'.repeat(repo.prefix.split('/').length - 1)}.git`;
      case '--absolute-git-dir':
        return place.gitdir;
      case '--show-toplevel':
        return repo.worktree.top;
      case '--show-prefix':
        return repo.prefix;
      case '--show-cdup':
        return repo.prefix === '' ? '' : `${relative(git.cwd, repo.worktree.top)}/`;
      case '--show-object-format':
        return 'sha1';
      default:
        return undefined;
    }
  }
  return undefined;
}

export const revParse: Command = async (git, args) => {
  const state = {
    isShort: 0,
    verifies: false,
    abbreviates: false,
    symbolic: false,
    quiet: false,
    fallback: undefined as string | undefined,
  };
  const named: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      for (const rest of args.slice(at)) git.out(`${rest}\n`);
      break;
    }
    const text = await placeText(git, word);
    if (text !== undefined) git.out(`${text}\n`);
    else if (word === '--git-path')
      git.out(`${(await placeText(git, '--git-dir')) ?? '.git'}/${args[++at] ?? ''}\n`);
    else if (word === '--verify') state.verifies = true;
    else if (word === '-q' || word === '--quiet') state.quiet = true;
    else if (/^--short(=|$)/.test(word)) {
      state.isShort = word === '--short' ? 7 : Math.max(4, Number(word.slice(8)));
      state.verifies = true;
    } else if (word === '--abbrev-ref' || word.startsWith('--abbrev-ref=')) state.abbreviates = true;
    else if (word === '--symbolic-full-name' || word === '--symbolic') state.symbolic = true;
    else if (word === '--default') state.fallback = args[++at];
    else if (
      [
        '--revs-only',
        '--no-revs',
        '--flags',
        '--no-flags',
        '--is-shallow-repository',
        '--sq',
        '--show-superproject-working-tree',
      ].includes(word)
    )
      continue;
    else if (/^--(all|branches|tags|remotes)$/.test(word)) {
      const folder =
        {
          '--all': 'refs/',
          '--branches': 'refs/heads/',
          '--tags': 'refs/tags/',
          '--remotes': 'refs/remotes/',
        }[word] ?? 'refs/';
      for (const [, oid] of await (await git.repo()).refs.list(folder)) git.out(`${oid}\n`);
    } else if (word.startsWith('--')) git.out(`${word}\n`);
    else named.push(word);
    // Where exactly one revision is asked for, nothing is printed before it is known that there is one.
    if (state.verifies) continue;
    for (const each of named.splice(0)) if (!(await one(git, each, state))) return 1;
  }
  if (!state.verifies) return 0;
  if (named.length === 0 && state.fallback !== undefined) named.push(state.fallback);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0 && (await one(git, only, state))) return 0;
  if (state.quiet) return 1;
  throw new Fatal('Needed a single revision');
};

interface State {
  readonly isShort: number;
  readonly verifies: boolean;
  readonly abbreviates: boolean;
  readonly symbolic: boolean;
  readonly quiet: boolean;
}

async function one(git: Git, word: string, state: State): Promise<boolean> {
  const repo = await git.repo();
  if (state.abbreviates || state.symbolic) {
    const name = await symbolicName(repo, word);
    if (name !== undefined) {
      git.out(`${state.abbreviates ? name.replace(/^refs\/(heads|tags|remotes)\//, '') : name}\n`);
      return true;
    }
  }
  const range = /^(.*?)(\.\.\.?)(.*)$/s.exec(word);
  if (range && !state.verifies) {
    const [a, b] = await Promise.all([
      tryResolve(repo, range[1] || 'HEAD'),
      tryResolve(repo, range[3] || 'HEAD'),
    ]);
    if (a !== undefined && b !== undefined) {
      git.out(
        range[2] === '..'
          ? `${b}\n^${a}\n`
          : `${b}\n${a}\n${(await mergeBases(repo, a, b)).map((oid) => `^${oid}\n`).join('')}`,
      );
      return true;
    }
  }
  if (/\^(@|!|-\d*)$/.test(word) && !state.verifies) {
    const found = await revisionOf(repo, word);
    if (found) {
      git.out(
        [...found.include, ...found.exclude.map((each) => `^${each}`)].map((each) => `${each}\n`).join(''),
      );
      return true;
    }
  }
  const isNegative = word.startsWith('^');
  const oid = await tryResolve(repo, isNegative ? word.slice(1) : word);
  if (oid !== undefined) {
    git.out(`${isNegative ? '^' : ''}${state.isShort ? oid.slice(0, state.isShort) : oid}\n`);
    return true;
  }
  if (state.verifies) return false;
  if (await git.files.lstat(git.files.fs.resolvePath(git.cwd, word))) {
    git.out(`${word}\n`);
    return true;
  }
  git.out(`${word}\n`);
  throw await whyUnknown(repo, word);
}

async function symbolicName(repo: Repo, word: string): Promise<string | undefined> {
  if (word === 'HEAD' || word === '@') {
    const { ref, oid } = await repo.refs.head();
    if (oid === undefined) return undefined;
    return ref ?? 'HEAD';
  }
  const [, base, kind] = /^(.*)@\{(u|upstream|push|-\d+)\}$/.exec(word) ?? [];
  if (kind !== undefined) {
    if (kind.startsWith('-')) {
      const name = await previousBranch(repo, Number(kind.slice(1)));
      return name === undefined ? undefined : `refs/heads/${name}`;
    }
    const branch = base === '' || base === 'HEAD' ? (await repo.refs.head()).ref : `refs/heads/${base ?? ''}`;
    const upstream = branch && upstreamOf(repo, branch);
    if (upstream === undefined)
      throw new Fatal(`no upstream configured for branch '${(branch ?? '').replace(/^refs\/heads\//, '')}'`);
    return upstream;
  }
  return refNamed(repo, word);
}

export const revList: Command = async (git, args) => {
  const given = parse('rev-list', args, `${LOG_WORDS} count timestamp`, {
    number: 'max-count',
  });
  const repo = await git.repo();
  const range = await rangeOf(git, repo, given);
  if (!range.isGiven)
    throw new Fatal('usage: git rev-list [<options>] <commit>... [--] [<path>...]', 129, '');
  const printing = await printingOf(git, repo, given, range);
  const { format } = printing.pretty;
  const isPretty = given.has('pretty') || given.has('format') || given.has('oneline');
  const found = [];
  const boundary = new Set<string>();
  const commits = selected(git, repo, given, range, printing);
  for await (const commit of given.has('boundary') ? withBoundary(repo, commits, boundary) : commits)
    found.push(commit);
  if (given.has('count')) {
    if (given.has('left-right') && printing.pretty.mark) {
      const left = found.filter((commit) => printing.pretty.mark?.(commit) === '<').length;
      git.out(`${left}\t${found.length - left}\n`);
    } else git.out(`${found.length}\n`);
    return 0;
  }
  const shown = given.has('reverse') ? found.reverse() : found;
  for (const commit of shown) {
    const mark = boundary.has(commit.oid) ? '-' : (printing.pretty.mark?.(commit) ?? '');
    const id = given.has('abbrev-commit') ? commit.oid.slice(0, 7) : commit.oid;
    const parents = given.has('parents') ? commit.parents.map((oid) => ` ${oid}`).join('') : '';
    if (format === 'oneline' && isPretty)
      git.out(`${prettyCommit(commit, { ...printing.pretty, isAbbreviated: true })}\n`);
    else if (isPretty && isUserFormat(format))
      git.out(`commit ${mark}${id}${parents}\n${prettyCommit(commit, printing.pretty)}\n`);
    else if (isPretty) git.out(`${prettyCommit(commit, printing.pretty)}\n\n`);
    else git.out(`${given.has('timestamp') ? `${commit.committer.time} ` : ''}${mark}${id}${parents}\n`);
  }
  return 0;
};

export const mergeBase: Command = async (git, args) => {
  const given = parse('merge-base', args, 'a|all is-ancestor');
  const repo = await git.repo();
  const oids = await Promise.all(given.operands.map((word) => nameOf(repo, word)));
  const [one, other] = oids;
  if (one === undefined || other === undefined)
    throw new Fatal('usage: git merge-base [-a | --all] <commit> <commit>...', 129, '');
  if (given.has('is-ancestor')) return (await isAncestor(repo, one, other)) ? 0 : 1;
  const bases = await mergeBases(repo, one, other);
  for (const oid of given.has('all') ? bases : bases.slice(0, 1)) git.out(`${oid}\n`);
  return bases.length > 0 ? 0 : 1;
};

async function nameOf(repo: Repo, word: string): Promise<string> {
  if ((await tryResolve(repo, word)) === undefined) throw new Fatal(`Not a valid object name ${word}`);
  return resolveCommit(repo, word);
}

export const symbolicRef: Command = async (git, args) => {
  const given = parse('symbolic-ref', args, 'short q|quiet d|delete m: recurse no-recurse');
  const repo = await git.repo();
  const [name = 'HEAD', target] = given.operands;
  if (target !== undefined) {
    if (name === 'HEAD' && !target.startsWith('refs/'))
      throw new Fatal('Refusing to point HEAD outside of refs/');
    await repo.refs.symbolic(name, target);
    return 0;
  }
  const found = await repo.refs.symbolicTarget(name);
  if (found === undefined) {
    if (given.has('quiet')) return 1;
    throw new Fatal(`ref ${name} is not a symbolic ref`);
  }
  git.out(`${given.has('short') ? found.replace(/^refs\/(heads|tags|remotes)\//, '') : found}\n`);
  return 0;
};

export const updateRef: Command = async (git, args) => {
  const given = parse('update-ref', args, 'd m: create-reflog');
  const repo = await git.repo();
  const [name = '', value] = given.operands;
  if (given.has('d')) {
    await repo.refs.delete(name);
    return 0;
  }
  if (value === undefined)
    throw new Fatal('usage: git update-ref [<options>] <refname> <new-oid> [<old-oid>]', 129, '');
  const oid = await tryResolve(repo, value);
  if (oid === undefined) throw new Fatal(`${value}: not a valid SHA1`);
  await repo.refs.update(name, oid, given.value('m') ?? '');
  return 0;
};

export const checkRefFormat: Command = async (_git, args) => {
  const name = args.at(-1) ?? '';
  return isGoodRefName(name) &&
    (args.includes('--branch') || args.includes('--allow-onelevel') || name.includes('/'))
    ? 0
    : 1;
};
