import { isBinary } from '../kit/bytes.ts';
import { MODE, type Objects } from '../kit/objects.ts';
import { filesOf, pairsOf, type Version } from '../kit/trees.ts';
import { readsObjects, withRenames } from '../diff/renames.ts';
import type { Repo } from '../kit/repo.ts';
import { mergeBases } from '../kit/walk.ts';
import { mergeTexts, type Favour, type Labels, type MergeStyle } from './text.ts';

export interface Conflict {
  readonly path: string;
  /** The versions of the ancestor, of ours and of theirs. */
  readonly stages: readonly [Version | undefined, Version | undefined, Version | undefined];
  /** The version that the working tree gets; undefined removes the file. */
  readonly shown: Version | undefined;
}

export interface MergedTrees {
  /** The files without conflicts. */
  readonly files: Map<string, Version>;
  readonly conflicts: readonly Conflict[];
  /** The lines about each path, sorted by path. */
  readonly messages: readonly string[];
}

export interface MergeOptions {
  readonly labels: Labels;
  readonly style?: MergeStyle;
  readonly favour?: Favour;
}

type Files = ReadonlyMap<string, Version>;

const isSame = (a: Version | undefined, b: Version | undefined): boolean =>
  a?.oid === b?.oid && a?.mode === b?.mode;

/** Merges three sets of files. A file that one side has renamed gets the changes of the other. */
export async function mergeTrees(
  objects: Objects,
  base: Files,
  ours: Files,
  theirs: Files,
  options: MergeOptions,
): Promise<MergedTrees> {
  const sides = await withRenamesOf(objects, base, ours, theirs);
  const merger = new Merger(objects, sides, options);
  const paths = new Set([...sides.base.keys(), ...sides.ours.keys(), ...sides.theirs.keys()]);
  for (const path of [...paths].sort()) await merger.path(path);
  return merger.result();
}

interface Sides {
  readonly base: Map<string, Version>;
  readonly ours: Map<string, Version>;
  readonly theirs: Map<string, Version>;
  readonly notes: Map<string, string>;
}

/** Moves the versions of a renamed file to its new name on all sides, so that they meet there. */
async function withRenamesOf(objects: Objects, base: Files, ours: Files, theirs: Files): Promise<Sides> {
  const sides: Sides = {
    base: new Map(base),
    ours: new Map(ours),
    theirs: new Map(theirs),
    notes: new Map(),
  };
  const renamesIn = async (side: Files) =>
    new Map(
      (await withRenames(pairsOf(base, side), readsObjects(objects))).flatMap(({ status, from, path }) =>
        status === 'R' ? [[from, path] as const] : [],
      ),
    );
  const [mine, others] = await Promise.all([renamesIn(ours), renamesIn(theirs)]);
  const move = (files: Map<string, Version>, from: string, to: string) => {
    const version = files.get(from);
    if (!version || files.has(to)) return;
    files.delete(from);
    files.set(to, version);
  };
  for (const [from, to] of mine) {
    const other = others.get(from);
    if (other !== undefined && other !== to) {
      sides.notes.set(
        from,
        `CONFLICT (rename/rename): ${from} renamed to ${to} in ours and to ${other} in theirs.`,
      );
      continue;
    }
    if (theirs.has(to) && other === undefined) continue;
    move(sides.base, from, to);
    move(sides.theirs, from, to);
  }
  for (const [from, to] of others) {
    if (mine.has(from) || ours.has(to)) continue;
    move(sides.base, from, to);
    move(sides.ours, from, to);
  }
  return sides;
}

class Merger {
  readonly #objects: Objects;
  readonly #sides: Sides;
  readonly #options: MergeOptions;
  readonly #files = new Map<string, Version>();
  readonly #conflicts: Conflict[] = [];
  readonly #messages: string[] = [];

  constructor(objects: Objects, sides: Sides, options: MergeOptions) {
    this.#objects = objects;
    this.#sides = sides;
    this.#options = options;
  }

  result(): MergedTrees {
    return { files: this.#files, conflicts: this.#conflicts, messages: this.#messages };
  }

  async path(path: string): Promise<void> {
    const { base, ours, theirs, notes } = this.#sides;
    const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)];
    const note = notes.get(path);
    if (note !== undefined) this.#messages.push(note);
    if (isSame(o, t) || isSame(b, t)) this.#keep(path, o);
    else if (isSame(b, o)) this.#keep(path, t);
    else if (!o || !t) this.#deleted(path, b, o, t);
    else await this.#contents(path, b, o, t);
  }

  #keep(path: string, version: Version | undefined): void {
    if (version) this.#files.set(path, version);
  }

  #deleted(path: string, b: Version | undefined, o: Version | undefined, t: Version | undefined): void {
    const { ours, theirs } = this.#options.labels;
    const { favour } = this.#options;
    if (favour === 'ours' || favour === 'theirs') return this.#keep(path, favour === 'ours' ? o : t);
    const [gone, kept] = o ? [theirs, ours] : [ours, theirs];
    this.#messages.push(
      `CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${kept}.  Version ${kept} of ${path} left in tree.`,
    );
    this.#conflicts.push({ path, stages: [b, o, t], shown: o ?? t });
  }

  async #contents(path: string, b: Version | undefined, o: Version, t: Version): Promise<void> {
    const mode = b && b.mode === o.mode ? t.mode : o.mode;
    if (o.oid === t.oid || (b && b.oid === t.oid)) return this.#keep(path, { mode, oid: o.oid });
    if (b && b.oid === o.oid) return this.#keep(path, { mode, oid: t.oid });
    const { favour } = this.#options;
    const isText = [o, t].every((version) => version.mode === MODE.file || version.mode === MODE.executable);
    const read = (version: Version | undefined) =>
      version ? this.#objects.blob(version.oid) : Promise.resolve(new Uint8Array());
    const contents = isText ? await Promise.all([read(b), read(o), read(t)]) : undefined;
    if (!contents || contents.some(isBinary)) {
      const { ours, theirs } = this.#options.labels;
      if (favour === 'ours' || favour === 'theirs') return this.#keep(path, favour === 'ours' ? o : t);
      if (isText) this.#messages.push(`warning: Cannot merge binary files: ${path} (${ours} vs. ${theirs})`);
      this.#conflict(path, b, o, t, o);
      return;
    }
    this.#messages.push(`Auto-merging ${path}`);
    const [baseBytes, mine, others] = contents;
    if (!baseBytes || !mine || !others) return;
    const { labels, style } = this.#options;
    const merged = mergeTexts(baseBytes, mine, others, labels, {
      ...(style && { style }),
      ...(favour && { favour }),
    });
    const version = { mode, oid: await this.#objects.write('blob', merged.bytes) };
    if (merged.conflicts === 0) this.#keep(path, version);
    else this.#conflict(path, b, o, t, version);
  }

  #conflict(path: string, b: Version | undefined, o: Version, t: Version, shown: Version): void {
    this.#messages.push(`CONFLICT (${b ? 'content' : 'add/add'}): Merge conflict in ${path}`);
    this.#conflicts.push({ path, stages: [b, o, t], shown });
  }
}

/** The files of the common ancestor. Where two commits have several, these are merged first, with their conflicts. */
export async function baseFiles(repo: Repo, one: string, other: string): Promise<Map<string, Version>> {
  const bases = await mergeBases(repo, one, other);
  const treeOf = async (oid: string) => filesOf(repo.objects, (await repo.objects.commit(oid)).tree);
  const [first, ...rest] = bases.reverse();
  if (first === undefined) return new Map();
  let files = await treeOf(first);
  let merged = first;
  for (const next of rest) {
    const labels = {
      ours: 'Temporary merge branch 1',
      base: 'merged common ancestors',
      theirs: 'Temporary merge branch 2',
    };
    const result = await mergeTrees(
      repo.objects,
      await baseFiles(repo, merged, next),
      files,
      await treeOf(next),
      { labels },
    );
    files = new Map(result.files);
    for (const { path, shown } of result.conflicts) if (shown) files.set(path, shown);
    merged = next;
  }
  return files;
}
