import { isBinary } from '../kit/bytes.ts';
import { MODE, type Objects } from '../kit/objects.ts';
import type { Repo } from '../kit/repo.ts';
import type { Pair, Version } from '../kit/trees.ts';

export interface Change {
  /** A letter as `--name-status` prints it. */
  readonly status: 'A' | 'C' | 'D' | 'M' | 'R' | 'T' | 'U';
  /** The path before and after; the same unless the file was renamed or copied. */
  readonly from: string;
  readonly path: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
  /** How alike the two are, in per cent, where a file was renamed or copied. */
  readonly score: number;
}

/** Reads the content of a version, from the objects or from the working tree. */
export interface ReadVersion {
  (version: Version, path: string): Promise<Uint8Array>;
}

/** Stands for a content that this command may not read. */
export const KEPT = new Uint8Array();

/** Reads versions from the objects for showing them: not those of files that may not be read. */
export function readsShown(repo: Repo): ReadVersion {
  return async ({ oid }, path) => ((await repo.mayRead(path)) ? repo.objects.blob(oid) : KEPT);
}

/** Reads versions from the objects, for what is not shown. */
export function readsObjects(objects: Objects): ReadVersion {
  return ({ oid }) => objects.blob(oid);
}

const LIMIT = 1000;
const MAX = 60_000;

export function plainChange({ path, before, after }: Pair): Change {
  const kind = (version: Version) => version.mode & 0o170000;
  const status = !before ? 'A' : !after ? 'D' : kind(before) === kind(after) ? 'M' : 'T';
  return { status, from: path, path, before, after, score: 0 };
}

interface Candidate {
  readonly change: Change;
  readonly version: Version;
}

/** Joins what was removed and what was added into renames where the contents are alike. `least` is in per cent. */
export async function withRenames(
  pairs: readonly Pair[],
  read: ReadVersion,
  { least = 50, copies = false }: { readonly least?: number; readonly copies?: boolean } = {},
): Promise<Change[]> {
  const changes = pairs.map(plainChange);
  const isFile = (version: Version | undefined): version is Version =>
    version !== undefined && version.mode !== MODE.submodule;
  const sources: Candidate[] = changes.flatMap((change) =>
    isFile(change.before) && (change.status === 'D' || copies) ? [{ change, version: change.before }] : [],
  );
  const targets: Candidate[] = changes.flatMap((change) =>
    change.status === 'A' && isFile(change.after) ? [{ change, version: change.after }] : [],
  );
  if (sources.length === 0 || targets.length === 0) return changes;
  const finder = new Finder(sources, targets, read, least);
  await finder.find();
  return joined(changes, finder.found);
}

interface Match {
  readonly source: Candidate;
  readonly score: number;
}

function joined(changes: readonly Change[], found: ReadonlyMap<Change, Match>): Change[] {
  const used = new Map<Change, number>();
  for (const { source } of found.values()) used.set(source.change, (used.get(source.change) ?? 0) + 1);
  return changes.flatMap((change): Change[] => {
    const match = found.get(change);
    if (match) {
      const { source, score } = match;
      const left = (used.get(source.change) ?? 1) - 1;
      used.set(source.change, left);
      const status = source.change.status === 'D' && left === 0 ? 'R' : 'C';
      return [
        {
          ...change,
          status,
          from: source.change.path,
          before: source.version,
          score: Math.floor((score * 100) / MAX),
        },
      ];
    }
    return change.status === 'D' && used.has(change) ? [] : [change];
  });
}

class Finder {
  /** Keyed by the change that adds the file. */
  readonly found = new Map<Change, Match>();
  readonly #sources: readonly Candidate[];
  readonly #targets: readonly Candidate[];
  readonly #used = new Set<Candidate>();
  readonly #read: ReadVersion;
  readonly #least: number;
  readonly #prints = new Map<Candidate, Promise<Print>>();

  constructor(
    sources: readonly Candidate[],
    targets: readonly Candidate[],
    read: ReadVersion,
    least: number,
  ) {
    this.#sources = sources;
    this.#targets = targets;
    this.#read = read;
    this.#least = (least * MAX) / 100;
  }

  async find(): Promise<void> {
    this.#exact();
    if (this.#least >= MAX) return;
    await this.#sameNames();
    await this.#rest();
  }

  #take(target: Candidate, source: Candidate, score: number): void {
    this.found.set(target.change, { source, score });
    this.#used.add(source);
  }

  get #free(): Candidate[] {
    return this.#targets.filter(({ change }) => !this.found.has(change));
  }

  get #unused(): Candidate[] {
    return this.#sources.filter((source) => !this.#used.has(source));
  }

  /** Files with the same content, those of the same name first. */
  #exact(): void {
    const byId = new Map<string, Candidate[]>();
    for (const source of this.#sources)
      byId.set(source.version.oid, [...(byId.get(source.version.oid) ?? []), source]);
    for (const target of this.#targets) {
      const same = (byId.get(target.version.oid) ?? []).filter(({ version }) =>
        alikeInKind(version, target.version),
      );
      const score = (source: Candidate) =>
        (this.#used.has(source) ? 0 : 2) + (nameOf(source) === nameOf(target) ? 1 : 0);
      const [best] = [...same].sort((a, b) => score(b) - score(a));
      if (best) this.#take(target, best, MAX);
    }
  }

  /** A name that was removed once and added once is looked at first. */
  async #sameNames(): Promise<void> {
    const once = (all: readonly Candidate[]) => {
      const names = new Map<string, Candidate | null>();
      for (const each of all) names.set(nameOf(each), names.has(nameOf(each)) ? null : each);
      return names;
    };
    const targets = once(this.#free);
    const least = this.#least + (MAX - this.#least) / 2;
    for (const [name, source] of once(this.#unused.filter(({ change }) => change.status === 'D'))) {
      const target = targets.get(name);
      if (!source || !target) continue;
      const score = await this.#score(source, target);
      if (score >= least) this.#take(target, source, score);
    }
  }

  async #rest(): Promise<void> {
    const [sources, targets] = [this.#unused, this.#free];
    if (sources.length * targets.length > LIMIT * LIMIT) return;
    const scored: {
      readonly source: Candidate;
      readonly target: Candidate;
      readonly score: number;
      readonly name: number;
    }[] = [];
    for (const target of targets)
      for (const source of sources) {
        const score = await this.#score(source, target);
        if (score >= this.#least)
          scored.push({ source, target, score, name: nameOf(source) === nameOf(target) ? 1 : 0 });
      }
    scored.sort((a, b) => b.score - a.score || b.name - a.name);
    for (const { source, target, score } of scored)
      if (!this.found.has(target.change) && (!this.#used.has(source) || source.change.status !== 'D'))
        this.#take(target, source, score);
  }

  async #score(source: Candidate, target: Candidate): Promise<number> {
    if (!alikeInKind(source.version, target.version)) return 0;
    const [one, other] = await Promise.all([this.#print(source), this.#print(target)]);
    const [small, large] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
    if (large === 0 || large * (MAX - this.#least) < (large - small) * MAX) return 0;
    let copied = 0;
    for (const [hash, count] of one.chunks) copied += Math.min(count, other.chunks.get(hash) ?? 0);
    return Math.floor((copied * MAX) / large);
  }

  #print(candidate: Candidate): Promise<Print> {
    let print = this.#prints.get(candidate);
    if (!print) {
      const path =
        candidate.version === candidate.change.before ? candidate.change.from : candidate.change.path;
      print = this.#read(candidate.version, path).then(printOf);
      this.#prints.set(candidate, print);
    }
    return print;
  }
}

function alikeInKind(one: Version, other: Version): boolean {
  return (one.mode & 0o170000) === (other.mode & 0o170000);
}

function nameOf({ change }: Candidate): string {
  return change.path.slice(change.path.lastIndexOf('/') + 1);
}

/** A content by its pieces: how many bytes belong to pieces with each hash. */
interface Print {
  readonly size: number;
  readonly chunks: ReadonlyMap<number, number>;
}

/** Cuts a content at line ends, and after 64 bytes; the hash is git's, so that the scores are git's too. */
function printOf(bytes: Uint8Array): Print {
  const chunks = new Map<number, number>();
  const isText = !isBinary(bytes);
  let [one, two, count] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isText && byte === 13 && bytes[at + 1] === 10) continue;
    const old = one;
    one = ((one << 7) ^ (two >>> 25)) >>> 0;
    two = ((two << 7) ^ (old >>> 25)) >>> 0;
    one = (one + byte) >>> 0;
    if (++count < 64 && byte !== 10) continue;
    const hash = ((one + Math.imul(two, 0x61)) >>> 0) % 107_927;
    chunks.set(hash, (chunks.get(hash) ?? 0) + count);
    [one, two, count] = [0, 0, 0];
  }
  return { size: bytes.length, chunks };
}
