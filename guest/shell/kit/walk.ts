import type { FsEntry, FsStat, ShellFs } from '../shell-fs.ts';

export interface WalkEntry {
  /** The path to show: the name given, followed by the path below it. */
  readonly shown: string;
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isLink: boolean;
  /** The entry's `lstat`, where the listing of its folder included it. */
  readonly stat?: FsStat | undefined;
}

export interface WalkOptions {
  /** A false answer leaves out the entry and, for a folder, everything below it. */
  enter?(found: WalkEntry, depth: number): boolean | Promise<boolean>;
  readonly followLinks?: boolean;
  /** With it, links are yielded as links; without it, links that are not followed are left out. */
  readonly links?: boolean;
  readonly maxDepth?: number;
}

/** Yields the files below a folder, sorted by name within each folder. */
export async function* filesBelow(
  files: ShellFs,
  path: string,
  shown: string,
  options: WalkOptions = {},
  depth = 1,
): AsyncGenerator<WalkEntry> {
  if (depth > (options.maxDepth ?? 1000)) return;
  for (const entry of await entriesOf(files, path)) {
    const at = path === '/' ? `/${entry.name}` : `${path}/${entry.name}`;
    let { isDirectory } = entry;
    if (entry.isSymbolicLink) {
      if (!options.followLinks && !options.links) continue;
      isDirectory = options.followLinks === true && (await isFolder(files, at));
    }
    const name =
      shown === '' ? entry.name : shown.endsWith('/') ? shown + entry.name : `${shown}/${entry.name}`;
    const { isSymbolicLink: isLink, stat } = entry;
    const found: WalkEntry = { shown: name, path: at, isDirectory, isLink, stat };
    if (options.enter && !(await options.enter(found, depth))) continue;
    if (isDirectory) yield* filesBelow(files, at, name, options, depth + 1);
    else yield found;
  }
}

/** Lists a folder, sorted by name. */
export async function entriesOf(files: ShellFs, path: string): Promise<FsEntry[]> {
  const entries: FsEntry[] = files.readdirWithFileTypes
    ? await files.readdirWithFileTypes(path)
    : await Promise.all(
        (await files.readdir(path)).map(async (name) => ({
          name,
          ...(await files.lstat(path === '/' ? `/${name}` : `${path}/${name}`)),
        })),
      );
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function isFolder(files: ShellFs, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

const AHEAD = 32;

export interface Read<T> {
  readonly item: T;
  /** The content, or the error of reading it. */
  readonly content: Uint8Array | Error;
}

type Reading<T> = (item: T) => Promise<Uint8Array>;

/** Reads files in order, several of them ahead, because each may be a message away. */
export async function* readAhead<T>(
  read: Reading<T>,
  items: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<Read<T>> {
  const started: Promise<Read<T>>[] = [];
  for await (const item of items) {
    started.push(readOne(read, item));
    if (started.length < AHEAD) continue;
    const first = started.shift();
    if (first) yield first;
  }
  for (const each of started) yield each;
}

async function readOne<T>(read: Reading<T>, item: T): Promise<Read<T>> {
  try {
    return { item, content: await read(item) };
  } catch (error) {
    return { item, content: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The size of all files below a folder together, without folders that `leaveOut` names. */
export async function sizeBelow(files: ShellFs, folder: string, leaveOut?: string): Promise<number> {
  let size = 0;
  for (const { name, isDirectory } of await entriesOf(files, folder))
    if (!isDirectory) size += (await files.lstat(`${folder}/${name}`)).size;
    else if (name !== leaveOut) size += await sizeBelow(files, `${folder}/${name}`, leaveOut);
  return size;
}
