import { unzlibSync } from 'fflate';
import { writeObject } from 'isomorphic-git';
import type { ShellFs } from '../../shell/shell-fs.ts';
import { asText, comparePaths, fromHex, idOf, shaOf, toHex, utf8, type ObjectType } from './bytes.ts';
import { Fatal } from './fatal.ts';
import { nodeFs, type Files } from './files.ts';
import { Kept } from './kept.ts';
import type { Packs } from './packs.ts';
import { parsePerson, type Person } from './person.ts';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export interface Tag {
  readonly object: string;
  readonly type: ObjectType;
  readonly name: string;
  readonly tagger: Person | undefined;
  readonly message: string;
}

export interface TreeEntry {
  /** As a number: 0o100644, 0o40000 and so on. */
  readonly mode: number;
  readonly name: string;
  readonly oid: string;
}

export const MODE = {
  tree: 0o40000,
  file: 0o100644,
  executable: 0o100755,
  link: 0o120000,
  submodule: 0o160000,
};
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
export const NO_ID = '0'.repeat(40);

/** How many bytes of loose trees, commits and tags are kept while a command runs. */
const KEPT_BYTES = 16_000_000;

/** The objects of one repository, loose and in packs. isomorphic-git writes the loose ones. */
export class Objects {
  readonly #where: { readonly fs: ReturnType<typeof nodeFs>; readonly gitdir: string };
  readonly #files: Files;
  readonly #fs: ShellFs;
  readonly #gitdir: string;
  readonly #packs: Packs;
  readonly #kept = new Kept<string, GitObject>(KEPT_BYTES);
  /** Packs come from elsewhere only, before a command runs. */
  #listed: Promise<boolean> | undefined;
  #shallow: Promise<ReadonlySet<string>> | undefined;

  constructor(files: Files, gitdir: string, packs: Packs) {
    this.#files = files;
    this.#fs = files.fs;
    this.#gitdir = gitdir;
    this.#packs = packs;
    this.#where = { fs: nodeFs(withKnownFolder(files.fs, gitdir)), gitdir };
  }

  async read(oid: string): Promise<GitObject> {
    const found = await this.#found(oid);
    if (!found) throw new Fatal(`bad object ${oid}`);
    return found;
  }

  async #found(oid: string): Promise<GitObject | undefined> {
    if (oid === EMPTY_TREE) return { type: 'tree', bytes: new Uint8Array() };
    await this.#list();
    const known = this.#packs.read(this.#files, oid) ?? this.#kept.get(oid) ?? (await this.#loose(oid));
    if (known) return known;
    // A pack may have come since this command began.
    return (await this.#packs.list(this.#files)) ? this.#packs.read(this.#files, oid) : undefined;
  }

  #list(): Promise<boolean> {
    this.#listed ??= this.#packs.list(this.#files);
    return this.#listed;
  }

  #path(oid: string): string {
    return `${this.#gitdir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  async #loose(oid: string): Promise<GitObject | undefined> {
    const packed = await this.#files.read(this.#path(oid));
    if (!packed) return undefined;
    const object = unpacked(oid, packed);
    if (object.type !== 'blob') this.#kept.set(oid, object, object.bytes.length);
    return object;
  }

  async has(oid: string): Promise<boolean> {
    await this.#list();
    return this.#packs.has(oid) || (await this.#fs.exists(this.#path(oid)));
  }

  /** Looks anew for what came by another way than {@link write}. */
  refresh(): void {
    this.#listed = undefined;
    this.#shallow = undefined;
  }

  async write(type: ObjectType, bytes: Uint8Array): Promise<string> {
    const oid = idOf(type, bytes);
    if (await this.#fs.exists(this.#path(oid))) return oid;
    await writeObject({ ...this.#where, type, object: bytes, format: 'content', oid });
    return oid;
  }

  /** The ids that begin with these hexadecimal digits, at least four. */
  async startingWith(prefix: string): Promise<string[]> {
    const names = await this.#fs.readdir(`${this.#gitdir}/objects/${prefix.slice(0, 2)}`).catch(() => []);
    const loose = names
      .filter((name) => name.startsWith(prefix.slice(2)))
      .map((name) => prefix.slice(0, 2) + name);
    await this.#list();
    return [...new Set([...loose, ...this.#packs.startingWith(prefix)])];
  }

  async #typed(oid: string, type: ObjectType): Promise<Uint8Array> {
    const object = await this.read(oid);
    if (object.type !== type) throw new Fatal(`${oid} is a ${object.type}, not a ${type}`);
    return object.bytes;
  }

  blob(oid: string): Promise<Uint8Array> {
    return this.#typed(oid, 'blob');
  }

  /** A commit at the edge of a shallow clone counts as one without parents. */
  async commit(oid: string): Promise<Commit> {
    const edge = await this.shallow();
    const commit = this.#packs.commit(oid) ?? (await this.#parsed(oid));
    return edge.has(oid) ? { ...commit, parents: [] } : commit;
  }

  async #parsed(oid: string): Promise<Commit> {
    const bytes = await this.#typed(oid, 'commit');
    const commit = parseCommit(oid, asText(bytes));
    if (this.#packs.has(oid)) this.#packs.keepCommit(commit, bytes.length);
    return commit;
  }

  /** The commits whose parents were left out by a shallow clone. */
  shallow(): Promise<ReadonlySet<string>> {
    this.#shallow ??= this.#readShallow();
    return this.#shallow;
  }

  /** A transfer that broke off names commits that never came, since it names them before it writes them. */
  async #readShallow(): Promise<ReadonlySet<string>> {
    const text = await this.#fs.readFile(`${this.#gitdir}/shallow`).catch(() => '');
    const oids = text.split('\n').filter(Boolean);
    const areHere = await Promise.all(oids.map((oid) => this.has(oid)));
    return new Set(oids.filter((_, at) => areHere[at]));
  }

  async setShallow(oids: ReadonlySet<string>): Promise<void> {
    const path = `${this.#gitdir}/shallow`;
    if (oids.size === 0) await this.#fs.rm(path, { force: true });
    else
      await this.#fs.writeFile(
        path,
        [...oids]
          .sort()
          .map((oid) => `${oid}\n`)
          .join(''),
      );
    this.#shallow = Promise.resolve(oids);
  }

  async tag(oid: string): Promise<Tag> {
    return parseTag(asText(await this.#typed(oid, 'tag')));
  }

  async tree(oid: string): Promise<TreeEntry[]> {
    return parseTree(await this.treeBytes(oid));
  }

  /** A tree in the form in which it is stored. */
  treeBytes(oid: string): Promise<Uint8Array> {
    return this.#typed(oid, 'tree');
  }

  /** Follows tags, and the tree of a commit where a tree is wanted. Undefined where it leads elsewhere. */
  async peel(oid: string, wanted: ObjectType | 'any'): Promise<string | undefined> {
    for (let at = oid; ;) {
      const { type } = await this.read(at);
      if (type === wanted) return at;
      if (type === 'tag') at = (await this.tag(at)).object;
      else if (type === 'commit' && wanted === 'tree') return (await this.commit(at)).tree;
      else return wanted === 'any' ? at : undefined;
    }
  }
}

/** Inflates a loose object and takes off its header. What does not have the id under which it is stored is damaged. */
function unpacked(oid: string, packed: Uint8Array): GitObject {
  const damaged = () => new Fatal(`unable to read ${oid}: the loose object is damaged`);
  let whole: Uint8Array;
  try {
    whole = unzlibSync(packed);
  } catch {
    throw damaged();
  }
  const end = whole.indexOf(0);
  const [, type, size] = /^(blob|tree|commit|tag) (\d+)$/.exec(asText(whole.subarray(0, end))) ?? [];
  const bytes = whole.subarray(end + 1);
  if (type === undefined || bytes.length !== Number(size) || toHex(shaOf(whole)) !== oid) throw damaged();
  return { type: type as ObjectType, bytes };
}

/** Before each object isomorphic-git asks whether the folder of the repository is a file: it is known not to be. */
function withKnownFolder(fs: ShellFs, gitdir: string): ShellFs {
  const known = {
    isFile: false,
    isDirectory: true,
    isSymbolicLink: false,
    mode: 0o40755,
    size: 0,
    mtime: new Date(0),
  };
  return new Proxy(fs, {
    get(target, name) {
      if (name === 'stat' || name === 'lstat')
        return (path: string) => (path === gitdir ? Promise.resolve(known) : target[name](path));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Splits an object of headers into its headers, continued lines joined, and what follows them. */
function headersOf(text: string): {
  readonly headers: readonly (readonly [string, string])[];
  readonly message: string;
} {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text.replace(/\n$/, '') : text.slice(0, end);
  const headers: [string, string][] = [];
  for (const line of head.split('\n')) {
    const last = headers.at(-1);
    const space = line.indexOf(' ');
    if (space === 0 && last) last[1] += `\n${line.slice(1)}`;
    else headers.push([line.slice(0, space), line.slice(space + 1)]);
  }
  return { headers, message: end < 0 ? '' : text.slice(end + 2) };
}

export function parseCommit(oid: string, text: string): Commit {
  const { headers, message } = headersOf(text);
  const one = (name: string) => headers.find(([key]) => key === name)?.[1] ?? '';
  return {
    oid,
    tree: one('tree'),
    parents: headers.filter(([key]) => key === 'parent').map(([, value]) => value),
    author: parsePerson(one('author')),
    committer: parsePerson(one('committer')),
    message,
  };
}

export function parseTag(text: string): Tag {
  const { headers, message } = headersOf(text);
  const one = (name: string) => headers.find(([key]) => key === name)?.[1];
  const tagger = one('tagger');
  return {
    object: one('object') ?? '',
    type: (one('type') ?? 'commit') as ObjectType,
    name: one('tag') ?? '',
    tagger: tagger === undefined ? undefined : parsePerson(tagger),
    message,
  };
}

function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const entry = treeEntryAt(bytes, at);
    entries.push(entry);
    at = entry.end;
  }
  return entries;
}

/** The entry of a tree that begins at a byte, and where the next one does. */
export function treeEntryAt(bytes: Uint8Array, at: number): TreeEntry & { readonly end: number } {
  const space = bytes.indexOf(32, at);
  const zero = bytes.indexOf(0, space);
  if (space < 0 || zero < 0) throw new Fatal('a tree is damaged');
  let mode = 0;
  for (let digit = at; digit < space; digit++) mode = mode * 8 + ((bytes[digit] ?? 0) & 7);
  const end = zero + 21;
  return { mode, name: shortText(bytes, space + 1, zero), oid: toHex(bytes.subarray(zero + 1, end)), end };
}

/** A decoder costs more than the few letters of a name do. */
function shortText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x7f) return asText(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}

/** A folder sorts as if its name ended with a slash. */
export function sortKey({ name, mode }: Pick<TreeEntry, 'name' | 'mode'>): string {
  return mode === MODE.tree ? `${name}/` : name;
}

/** Encodes a tree in git's order. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => comparePaths(sortKey(a), sortKey(b)));
  const parts = sorted.flatMap(({ mode, name, oid }) => [
    utf8(`${mode.toString(8)} ${name}\0`),
    fromHex(oid),
  ]);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
