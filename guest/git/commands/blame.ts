import { diffLines } from '../diff/lines.ts';
import { textOf } from '../diff/hunks.ts';
import { readsObjects, withRenames } from '../diff/renames.ts';
import { dateText } from '../kit/dates.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import { normalPath } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit, tryResolve } from '../kit/revisions.ts';
import { entryAt, treePairs, type Version } from '../kit/trees.ts';
import { Kept } from '../kit/kept.ts';
import { subjectOf } from '../kit/message.ts';

interface Origin {
  readonly commit: Commit | undefined;
  readonly path: string;
  /** The line there, from 0. */
  readonly line: number;
  readonly isBoundary: boolean;
}

interface Task {
  readonly commit: Commit;
  readonly path: string;
  /** Maps a line of this version to the line of the result that it has become. */
  readonly lines: ReadonlyMap<number, number>;
}

export const blame: Command = async (git, args) => {
  const given = parse(
    'blame',
    args,
    'L: l s e|show-email t p|porcelain line-porcelain f|show-name n|show-number date: root abbrev: color-lines progress',
  );
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const words = [...before, ...(after ?? [])];
  const path = normalPath(repo.prefix, words.at(-1) ?? '');
  const revision = words.length > 1 ? words[0] : undefined;
  if (words.length === 0) throw new Fatal('usage: git blame [<options>] [<rev>] [--] <file>', 129, '');
  git.page();
  const start = await startOf(repo, revision, path, words.at(-1) ?? '');
  const wanted = range(given, start.lines);
  const known = new Map([...start.known].filter(([, target]) => wanted.has(target)));
  const origins = await new Tracer(repo).trace({ commit: start.commit, path, lines: known });
  if (given.has('porcelain') || given.has('line-porcelain'))
    porcelain(git, given, start.lines, origins, wanted);
  else plain(git, given, start.lines, origins, wanted, path);
  return 0;
};

interface Start {
  readonly lines: readonly string[];
  readonly commit: Commit;
  /** Lines that only the working tree has are not committed yet. */
  readonly known: ReadonlyMap<number, number>;
}

async function startOf(
  repo: Repo,
  revision: string | undefined,
  path: string,
  shown: string,
): Promise<Start> {
  if (!(await repo.mayRead(path)))
    throw new Fatal(`the content of '${shown}' is kept from this command by the rules for reading`);
  if (revision !== undefined && (await tryResolve(repo, revision)) === undefined)
    throw new Fatal(`bad revision '${revision}'`);
  const commit = await repo.objects.commit(await resolveCommit(repo, revision ?? 'HEAD'));
  const version = await entryAt(repo.objects, commit.tree, path);
  if (revision !== undefined) {
    if (!version) throw new Fatal(`no such path '${shown}' in ${revision}`);
    const { lines } = textOf(await repo.objects.blob(version.oid));
    return { lines, commit, known: new Map(lines.map((_, at) => [at, at])) };
  }
  const stat = await repo.worktree.lstat(path);
  if (!stat) throw new Fatal(`Cannot lstat '${path}': No such file or directory`);
  if (!version) throw new Fatal(`no such path '${shown}' in HEAD`);
  const { lines } = textOf(await repo.worktree.bytes(path, stat));
  const old = textOf(await repo.objects.blob(version.oid)).lines;
  return { lines, commit, known: unchanged(old, lines, new Map(lines.map((_, at) => [at, at]))) };
}

/** Which lines of the old text the given lines of the new one are. */
function unchanged(
  old: readonly string[],
  now: readonly string[],
  lines: ReadonlyMap<number, number>,
): Map<number, number> {
  const kept = new Map<number, number>();
  let [a, b] = [0, 0];
  const copy = (endB: number) => {
    for (; b < endB; a++, b++) {
      const target = lines.get(b);
      if (target !== undefined) kept.set(a, target);
    }
  };
  for (const change of diffLines(old, now)) {
    copy(change.b);
    a = change.a + change.aLines;
    b = change.b + change.bLines;
  }
  copy(now.length);
  return kept;
}

/** How many bytes of texts are kept in lines: a version is compared with the one after it, and then with the one before. */
const KEPT_BYTES = 16_000_000;

/** Follows each line back to the commit that brought it. */
class Tracer {
  readonly #repo: Repo;
  readonly #origins = new Map<number, Origin>();
  readonly #lines = new Kept<string, readonly string[]>(KEPT_BYTES);
  #tasks: Task[] = [];

  constructor(repo: Repo) {
    this.#repo = repo;
  }

  async trace(start: Task): Promise<Map<number, Origin>> {
    this.#add(start);
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) await this.#pass(task);
    return this.#origins;
  }

  /** The newest commit comes first. Lines that reach a commit by several ways go on together where they can. */
  #add(task: Task): void {
    if (task.lines.size === 0) return;
    const same = this.#tasks.findIndex(
      ({ commit, path, lines }) =>
        commit.oid === task.commit.oid &&
        path === task.path &&
        ![...task.lines.keys()].some((line) => lines.has(line)),
    );
    const there = this.#tasks[same];
    if (there) {
      this.#tasks[same] = { ...there, lines: new Map([...there.lines, ...task.lines]) };
      return;
    }
    const { time } = task.commit.committer;
    const later = this.#tasks.findIndex(({ commit }) => commit.committer.time < time);
    this.#tasks.splice(later < 0 ? this.#tasks.length : later, 0, task);
  }

  /** Gives the lines of a version to the parents that have them; the others are the commit's own. */
  async #pass({ commit, path, lines }: Task): Promise<void> {
    const repo = this.#repo;
    let left = lines;
    const own = await entryAt(repo.objects, commit.tree, path);
    for (const oid of commit.parents) {
      if (left.size === 0) return;
      const parent = await repo.objects.commit(oid);
      const before = await pathIn(repo, parent, commit, path);
      if (before === undefined) continue;
      const old = await entryAt(repo.objects, parent.tree, before);
      const isSame = old !== undefined && old.oid === own?.oid;
      const passed = isSame ? left : unchanged(await this.#linesOf(old), await this.#linesOf(own), left);
      this.#add({ commit: parent, path: before, lines: passed });
      const gone = new Set(passed.values());
      left = new Map([...left].filter(([, target]) => !gone.has(target)));
    }
    for (const [line, target] of left)
      this.#origins.set(target, { commit, path, line, isBoundary: commit.parents.length === 0 });
  }

  async #linesOf(version: Version | undefined): Promise<readonly string[]> {
    if (!version) return [];
    const known = this.#lines.get(version.oid);
    if (known) return known;
    const bytes = await this.#repo.objects.blob(version.oid);
    const { lines } = textOf(bytes);
    this.#lines.set(version.oid, lines, bytes.length);
    return lines;
  }
}

async function pathIn(repo: Repo, parent: Commit, commit: Commit, path: string): Promise<string | undefined> {
  if (await entryAt(repo.objects, parent.tree, path)) return path;
  const changes = await withRenames(
    await treePairs(repo.objects, parent.tree, commit.tree),
    readsObjects(repo.objects),
  );
  return changes.find((change) => change.status === 'R' && change.path === path)?.from;
}

/** The lines that `-L` asks for, from 0. */
function range(given: Given, lines: readonly string[]): ReadonlySet<number> {
  const all = given.values('L');
  if (all.length === 0) return new Set(lines.keys());
  const wanted = new Set<number>();
  for (const text of all) {
    const [from = '', to = ''] = text.split(/,(?=[^,]*$)/);
    const at = (word: string, start: number) => {
      if (/^\/.*\/$/.test(word))
        return lines.findIndex((line, index) => index >= start && new RegExp(word.slice(1, -1)).test(line));
      return Number(word) - 1;
    };
    const first = from === '' ? 0 : at(from, 0);
    if (first >= lines.length)
      throw new Fatal(`file has only ${lines.length} line${lines.length === 1 ? '' : 's'}`);
    const last =
      to === '' ? lines.length - 1 : to.startsWith('+') ? first + Number(to.slice(1)) - 1 : at(to, first);
    for (let line = first; line <= Math.min(last, lines.length - 1); line++) wanted.add(line);
  }
  return wanted;
}

function plain(
  git: Git,
  given: Given,
  lines: readonly string[],
  origins: ReadonlyMap<number, Origin>,
  wanted: ReadonlySet<number>,
  path: string,
): void {
  const nameOf = ({ commit }: Origin) =>
    commit
      ? given.has('show-email')
        ? `<${commit.author.email}>`
        : commit.author.name
      : 'Not Committed Yet';
  const shown = lines.map(
    (_, at) => origins.get(at) ?? { commit: undefined, path, line: at, isBoundary: false },
  );
  const inRange = shown.filter((_, at) => wanted.has(at));
  const nameWidth = Math.max(0, ...inRange.map((origin) => [...nameOf(origin)].length));
  const numberWidth = String(Math.max(0, ...[...wanted].map((at) => at + 1))).length;
  const isOtherPath = inRange.some((origin) => origin.path !== path) || given.has('show-name');
  const pathWidth = Math.max(0, ...inRange.map((origin) => origin.path.length));
  const originWidth = String(Math.max(0, ...inRange.map(({ line }) => line + 1))).length;
  const length = given.has('l') ? 40 : Number(given.value('abbrev') ?? 7) + 1;
  for (const [at, origin] of shown.entries()) {
    if (!wanted.has(at)) continue;
    const isMarked = origin.isBoundary && !given.has('root');
    const id = origin.commit?.oid ?? '0'.repeat(40);
    const first = isMarked ? `^${id.slice(0, length - 1)}` : id.slice(0, length);
    const person = origin.commit?.author ?? {
      name: '',
      email: '',
      time: Math.floor(Date.now() / 1000),
      zone: '+0000',
    };
    const when = given.has('t')
      ? `${person.time} ${person.zone}`
      : dateText(person, given.value('date') ?? 'iso', git.zone);
    const file = isOtherPath ? ` ${origin.path.padEnd(pathWidth)}` : '';
    const number = given.has('show-number') ? ` ${String(origin.line + 1).padStart(originWidth)}` : '';
    const who = given.has('s')
      ? ` ${String(at + 1).padStart(numberWidth)}) `
      : ` (${nameOf(origin).padEnd(nameWidth)} ${when} ${String(at + 1).padStart(numberWidth)}) `;
    git.out(`${first}${file}${number}${who}${lines[at] ?? ''}\n`);
  }
}

function porcelain(
  git: Git,
  given: Given,
  lines: readonly string[],
  origins: ReadonlyMap<number, Origin>,
  wanted: ReadonlySet<number>,
): void {
  const told = new Set<string>();
  const list = [...wanted];
  for (const [index, at] of list.entries()) {
    const origin = origins.get(at);
    const { commit } = origin ?? {};
    const oid = commit?.oid ?? '0'.repeat(40);
    const follows = (offset: number) => {
      const next = origins.get(at + offset);
      return (
        wanted.has(at + offset) && next?.commit === commit && next?.line === (origin?.line ?? 0) + offset
      );
    };
    const continues = index > 0 && follows(-1);
    let count = 1;
    while (follows(count)) count++;
    git.out(`${oid} ${(origin?.line ?? at) + 1} ${at + 1}${continues ? '' : ` ${count}`}\n`);
    if (commit && (!told.has(oid) || given.has('line-porcelain'))) {
      for (const [role, person] of [
        ['author', commit.author],
        ['committer', commit.committer],
      ] as const)
        git.out(
          `${role} ${person.name}\n${role}-mail <${person.email}>\n${role}-time ${person.time}\n${role}-tz ${person.zone}\n`,
        );
      git.out(
        `summary ${subjectOf(commit.message)}\n${origin?.isBoundary ? 'boundary\n' : ''}filename ${origin?.path ?? ''}\n`,
      );
    }
    told.add(oid);
    git.out(`\t${lines[at] ?? ''}\n`);
  }
}
