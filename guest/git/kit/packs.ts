import type { Files } from './files.ts';
import { Kept } from './kept.ts';
import type { Commit, GitObject } from './objects.ts';
import { Pack } from './pack.ts';

/** How many bytes of packs stay in memory when another repository is opened. */
const READ_BYTES = 128_000_000;
/** How many bytes of commits, by the length of their text, are kept in the form in which they were parsed. */
const COMMIT_BYTES = 8_000_000;

/** The packs that have been read, by repository. They stay valid: a pack's name changes with its content. */
const known = new Map<string, Packs>();

/** The packs of one repository, and what was parsed of them, as all commands share it. */
export class Packs {
  readonly #folder: string;
  #packs: ReadonlyMap<string, Pack> = new Map();
  /** Only commits of packs that are there: a loose one may be gone in the next moment. */
  #commits = new Kept<string, Commit>(COMMIT_BYTES);

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static of(gitdir: string): Packs {
    const packs = known.get(gitdir) ?? new Packs(`${gitdir}/objects/pack`);
    // The order of the map is that of use, the latest last.
    known.delete(gitdir);
    known.set(gitdir, packs);
    let size = 0;
    for (const [each, one] of [...known].reverse()) {
      size += one.#size;
      if (size > READ_BYTES && one !== packs) known.delete(each);
    }
    return packs;
  }

  get #size(): number {
    return [...this.#packs.values()].reduce((sum, pack) => sum + pack.size, 0);
  }

  /** Looks which packs there are now. Answers whether they are others than before. */
  async list(files: Files): Promise<boolean> {
    const names = (await files.fs.readdir(this.#folder).catch(() => [])).filter((name) =>
      name.endsWith('.idx'),
    );
    const before = this.#packs;
    if (names.length === before.size && names.every((name) => before.has(name))) return false;
    const opened = await Promise.all(
      names.map(async (name) => {
        const pack = before.get(name) ?? (await Pack.open(files, `${this.#folder}/${name.slice(0, -4)}`));
        return pack ? [[name, pack] as const] : [];
      }),
    );
    this.#packs = new Map(opened.flat());
    this.#commits = new Kept(COMMIT_BYTES);
    return true;
  }

  has(oid: string): boolean {
    for (const pack of this.#packs.values()) if (pack.index.offset(oid) !== undefined) return true;
    return false;
  }

  /** An object, at once where its pack has been read. Undefined where it is in no pack. */
  read(files: Files, oid: string): GitObject | Promise<GitObject> | undefined {
    for (const pack of this.#packs.values()) {
      const offset = pack.index.offset(oid);
      if (offset === undefined) continue;
      return pack.isRead ? pack.at(offset) : pack.load(files).then(() => pack.at(offset));
    }
    return undefined;
  }

  startingWith(prefix: string): string[] {
    return [...this.#packs.values()].flatMap(({ index }) => [...index.startingWith(prefix)]);
  }

  commit(oid: string): Commit | undefined {
    return this.#commits.get(oid);
  }

  keepCommit(commit: Commit, bytes: number): void {
    this.#commits.set(commit.oid, commit, bytes);
  }
}
