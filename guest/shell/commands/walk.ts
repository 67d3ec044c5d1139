import type { ShellFs } from '../shell-fs.ts';

export interface Found {
  /** As it is shown: the name given, then the way below it. */
  readonly shown: string;
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isLink: boolean;
}

export interface WalkOptions {
  /** False leaves out an entry and, if it is a folder, all below it. */
  enter?(found: Found, depth: number): boolean | Promise<boolean>;
  readonly followLinks?: boolean;
  /** Yields links as they are; otherwise, and where they are not followed, they are left out. */
  readonly links?: boolean;
  readonly maxDepth?: number;
}

/** The files below a folder, by name within each folder. */
export async function* filesBelow(
  files: ShellFs,
  path: string,
  shown: string,
  options: WalkOptions = {},
  depth = 1,
): AsyncGenerator<Found> {
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
    const found: Found = { shown: name, path: at, isDirectory, isLink: entry.isSymbolicLink };
    if (options.enter && !(await options.enter(found, depth))) continue;
    if (isDirectory) yield* filesBelow(files, at, name, options, depth + 1);
    else yield found;
  }
}

export async function entriesOf(files: ShellFs, path: string) {
  const entries = files.readdirWithFileTypes
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
  /** The content, or why there is none. */
  readonly content: Uint8Array | Error;
}

export type Readable = Pick<ShellFs, 'readFileBuffer'>;

/** Reads files in their order, several ahead: each may be a message away. */
export async function* readAhead<T extends { readonly path: string }>(
  files: Readable,
  items: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<Read<T>> {
  const started: Promise<Read<T>>[] = [];
  for await (const item of items) {
    started.push(readOne(files, item));
    if (started.length < AHEAD) continue;
    const first = started.shift();
    if (first) yield first;
  }
  for (const read of started) yield read;
}

async function readOne<T extends { readonly path: string }>(files: Readable, item: T): Promise<Read<T>> {
  try {
    return { item, content: await files.readFileBuffer(item.path) };
  } catch (error) {
    return { item, content: error instanceof Error ? error : new Error(String(error)) };
  }
}
