import type { ImportEntry } from '../../../workspace/transfer.ts';

/** Files from a file picker; files of a folder have their path in their name. */
export function entriesOfFiles(files: Iterable<File>): readonly ImportEntry[] {
  return [...files].map((file) => entryOf(file, file.webkitRelativePath || file.name));
}

/**
 * Collects dropped files, and folders with all of their content. Must be called while the event is handled,
 * because the browser forgets the dropped files after that.
 */
export function entriesOfDrop(transfer: DataTransfer): Promise<readonly ImportEntry[]> {
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) return Promise.resolve(entriesOfFiles(transfer.files));
  return Promise.all(roots.map((root) => collect(root, ''))).then((found) => found.flat());
}

async function collect(entry: FileSystemEntry, prefix: string): Promise<readonly ImportEntry[]> {
  const path = prefix + entry.name;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [entryOf(file, path)];
  }
  if (!isDirectory(entry)) return [];
  const children = await listAll(entry.createReader());
  if (children.length === 0) return [{ type: 'directory', path }];
  const found = await Promise.all(children.map((child) => collect(child, `${path}/`)));
  return found.flat();
}

/** A reader returns up to a hundred entries at a time, and none when it has finished. */
async function listAll(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function entryOf(file: File, path: string): ImportEntry {
  return { type: 'file', path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) };
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
