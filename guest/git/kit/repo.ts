import { isFileError } from '../../shell/files.ts';
import type { FsStat } from '../../shell/shell-fs.ts';
import type { Config } from './config.ts';
import { folderOf, type Files } from './files.ts';
import { Ignores } from './ignore.ts';
import { encodeIndex, parseIndex, NO_STAT, type IndexEntry } from './index-file.ts';
import { MODE, Objects, type Commit } from './objects.ts';
import { Packs } from './packs.ts';
import { Pathspec } from './pathspec.ts';
import type { Person } from './person.ts';
import { Refs } from './refs.ts';
import { filesOf, type Pair, type Version } from './trees.ts';
import { Fatal } from './fatal.ts';
import { isKnownSame, modeOf, statDataOf, Worktree } from './worktree.ts';

export interface Place {
  /** Absolute. */
  readonly gitdir: string;
  /** The top of the working tree; undefined in a bare repository. */
  readonly top: string | undefined;
}

/** A repository as one command sees it. */
export class Repo {
  readonly gitdir: string;
  readonly files: Files;
  readonly config: Config;
  readonly objects: Objects;
  readonly refs: Refs;
  /** The folder in which the command runs, relative to the top: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly home: string;
  readonly #worktree: Worktree | undefined;
  readonly #indexPath: string;
  /** The answers of {@link mayRead} so far, by path. */
  readonly #readable = new Map<string, Promise<boolean>>();
  #index: Promise<IndexEntry[]> | undefined;
  #indexTime = 0;
  #ignores: Ignores | undefined;

  constructor(
    { gitdir, top }: Place,
    setting: {
      readonly files: Files;
      readonly config: Config;
      readonly cwd: string;
      readonly home: string;
      readonly indexFile: string | undefined;
      readonly who: () => Promise<Person>;
    },
  ) {
    const { files, config, cwd, home } = setting;
    this.gitdir = gitdir;
    this.files = files;
    this.config = config;
    this.home = home;
    this.objects = new Objects(files, gitdir, Packs.of(gitdir));
    this.refs = new Refs(files, gitdir, setting.who);
    this.#worktree = top === undefined ? undefined : new Worktree(files, top);
    this.prefix = top !== undefined && cwd.startsWith(`${top}/`) ? `${cwd.slice(top.length + 1)}/` : '';
    this.#indexPath = setting.indexFile ?? `${gitdir}/index`;
  }

  get isBare(): boolean {
    return this.#worktree === undefined;
  }

  get worktree(): Worktree {
    if (!this.#worktree) throw new Fatal('this operation must be run in a work tree');
    return this.#worktree;
  }

  /**
   * Whether this command may read what is kept of a file. The objects know no rules, so git asks about the file itself: in
   * the working tree, and beside the repository, since another working tree can be named.
   */
  mayRead(path: string): Promise<boolean> {
    const known = this.#readable.get(path);
    if (known) return known;
    const tops = new Set([this.#worktree?.top ?? this.gitdir, folderOf(this.gitdir)]);
    const found = Promise.all([...tops].map((top) => this.files.fs.mayRead?.(`${top}/${path}`))).then((all) =>
      all.every((each) => each !== false),
    );
    this.#readable.set(path, found);
    return found;
  }

  get ignores(): Ignores {
    this.#ignores ??= new Ignores(this.files, this.worktree.top, [
      `${this.gitdir}/info/exclude`,
      this.#homePath(this.config.get('core.excludesfile') ?? '~/.config/git/ignore'),
    ]);
    return this.#ignores;
  }

  #homePath(path: string): string {
    return path.startsWith('~/') ? `${this.home}/${path.slice(2)}` : path;
  }

  pathspec(words: readonly string[]): Pathspec {
    const top = this.#worktree?.top;
    return new Pathspec(
      words.map((word) =>
        top !== undefined && (word === top || word.startsWith(`${top}/`))
          ? `:/${word.slice(top.length + 1)}`
          : word,
      ),
      this.prefix,
    );
  }

  /** The entries of the index in order. */
  index(): Promise<IndexEntry[]> {
    this.#index ??= this.#readIndex();
    return this.#index;
  }

  async #readIndex(): Promise<IndexEntry[]> {
    const [bytes, stat] = await Promise.all([
      this.files.read(this.#indexPath),
      this.files.lstat(this.#indexPath),
    ]);
    this.#indexTime = stat?.mtime.getTime() ?? 0;
    return bytes && bytes.length > 0 ? parseIndex(bytes) : [];
  }

  async saveIndex(entries: readonly IndexEntry[]): Promise<void> {
    const bytes = encodeIndex(entries);
    await this.files.write(this.#indexPath, bytes);
    this.#index = Promise.resolve(parseIndex(bytes));
    this.#indexTime = Date.now();
  }

  /** The commit that HEAD is on; undefined before the first one. */
  async headCommit(): Promise<Commit | undefined> {
    const { oid } = await this.refs.head();
    return oid === undefined ? undefined : this.objects.commit(oid);
  }

  async headFiles(): Promise<Map<string, Version>> {
    return filesOf(this.objects, (await this.headCommit())?.tree);
  }

  /**
   * Returns the differences between the index and the working tree. Files whose stat the index knows are not read; the index is
   * written anew where reading showed that a file is unchanged after all.
   */
  async worktreePairs(pathspec?: Pathspec): Promise<Pair[]> {
    const entries = (await this.index()).filter(
      ({ path, stage, skipped }) => stage === 0 && !skipped && (!pathspec || pathspec.matches(path)),
    );
    const stats = await this.worktree.stats(entries.map(({ path }) => path));
    const refreshed = new Map<string, IndexEntry>();
    const pairs = await Promise.all(
      entries.map((entry) => this.#worktreePair(entry, stats.get(entry.path), refreshed)),
    );
    if (refreshed.size > 0) await this.#refreshIndex(refreshed);
    return pairs.flatMap((pair) => pair ?? []);
  }

  /** Where the index may not be written, git only looks, and goes on without. */
  async #refreshIndex(refreshed: ReadonlyMap<string, IndexEntry>): Promise<void> {
    const entries = (await this.index()).map((entry) =>
      entry.stage === 0 ? (refreshed.get(entry.path) ?? entry) : entry,
    );
    await this.saveIndex(entries).catch((error: unknown) => {
      if (!isFileError(error)) throw error;
    });
  }

  async #worktreePair(
    entry: IndexEntry,
    stat: FsStat | undefined,
    refreshed: Map<string, IndexEntry>,
  ): Promise<Pair | undefined> {
    const { path, mode, oid, intent } = entry;
    const before = intent ? undefined : { mode, oid };
    if (mode === MODE.submodule) return undefined;
    if (!stat) return { path, before, after: undefined };
    if (!intent && isKnownSame(entry, stat, this.#indexTime)) return undefined;
    const after = this.trusted(entry, await this.worktree.version(path, stat));
    if (before && after.oid === oid && after.mode === mode) {
      if (isKnownSame({ ...entry, ...statDataOf(stat) }, stat, Date.now()))
        refreshed.set(path, { ...entry, ...statDataOf(stat) });
      return undefined;
    }
    return { path, before, after };
  }

  /** With core.fileMode off, the mode of the index counts. */
  trusted(entry: IndexEntry | undefined, version: Version): Version {
    if (!entry || this.config.flag('core.filemode') !== false || version.mode === MODE.link) return version;
    return { ...version, mode: entry.mode === MODE.link ? MODE.file : entry.mode };
  }

  /** Stores a file of the working tree as a blob, and answers its entry for the index. */
  async entryFor(path: string, stat: FsStat): Promise<IndexEntry> {
    const oid = await this.objects.write('blob', await this.worktree.bytes(path, stat));
    return { path, oid, mode: modeOf(stat), stage: 0, ...statDataOf(stat) };
  }

  /** The entry for a version that was just written to the working tree. */
  async writtenEntry(path: string, { mode, oid }: Version, known?: FsStat): Promise<IndexEntry> {
    const stat = known ?? (await this.worktree.lstat(path));
    return { path, oid, mode, stage: 0, ...(stat ? statDataOf(stat) : NO_STAT) };
  }

  async readState(name: string): Promise<string | undefined> {
    return this.files.text(`${this.gitdir}/${name}`);
  }

  async writeState(name: string, text: string): Promise<void> {
    await this.files.write(`${this.gitdir}/${name}`, text);
  }

  /** Forgets the merge, cherry-pick or revert under way, which a commit or a reset has ended. */
  async endOperation(): Promise<void> {
    await this.removeState(
      'MERGE_HEAD',
      'MERGE_MSG',
      'MERGE_MODE',
      'CHERRY_PICK_HEAD',
      'REVERT_HEAD',
      'SQUASH_MSG',
    );
  }

  async removeState(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.files.remove(`${this.gitdir}/${name}`);
  }
}

/** Finds the repository of a folder, in it or above it. */
export async function findRepo(files: Files, cwd: string): Promise<Place | undefined> {
  for (let folder = cwd; ; folder = folderOf(folder)) {
    const inside = folder === '/' ? '/.git' : `${folder}/.git`;
    const stat = await files.lstat(inside);
    if (stat?.isDirectory && (await isGitFolder(files, inside))) return { gitdir: inside, top: folder };
    if (stat?.isFile) {
      const [, target] = /^gitdir: (.+)/.exec((await files.text(inside)) ?? '') ?? [];
      if (target !== undefined) return { gitdir: files.fs.resolvePath(folder, target.trim()), top: folder };
    }
    if (await isGitFolder(files, folder)) return { gitdir: folder, top: undefined };
    if (folder === '/') return undefined;
  }
}

/** An import leaves out empty folders, so that `refs` may be missing where all refs are packed. */
export async function isGitFolder(files: Files, folder: string): Promise<boolean> {
  return (await files.isFolder(`${folder}/objects`)) && (await files.exists(`${folder}/HEAD`));
}
