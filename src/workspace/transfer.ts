import { makeZip } from 'client-zip';
import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import { isInLargeTree } from '../protocol/large-trees.ts';
import { Slices } from '../base/slices.ts';
import { CreatedPaths } from './created-paths.ts';
import { importLink, refusedThroughLink, takeBackLeadingOut } from './import-links.ts';
import { leadsOut, staysInside } from './links.ts';
import { ROOT, WorkspaceError, type Entry, type Stat, type Workspace } from './workspace.ts';

/** A file, a link or an empty folder to import. `path` is relative to the target folder, with `/` between its parts. */
export type ImportEntry =
  | {
      readonly type: 'file';
      readonly path: string;
      /** The size in bytes, known before the content is read. */
      readonly size: number;
      /** The file can be run, as a zip from Unix or macOS says. */
      readonly isExecutable?: boolean;
      /** Rejects with a fault if it is not to be had; with `zip-unreadable`, nothing of the import is wanted. */
      read(): Promise<Uint8Array<ArrayBuffer>>;
    }
  | {
      readonly type: 'symlink';
      readonly path: string;
      /** The link's target. Rejects as a file's `read` does. */
      read(): Promise<string>;
    }
  | { readonly type: 'directory'; readonly path: string };

export interface ImportOptions {
  /** The target folder. Default: the root. */
  readonly into?: string;
  /** Whether an existing file with other content is kept, which is reported, or replaced. Default: it is kept. */
  readonly existing?: 'keep' | 'replace';
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export interface Progress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ImportReport {
  /** How many files were written, or existed already with the same content. */
  readonly files: number;
  /** The entries whose files existed with other content, and were kept. */
  readonly kept: readonly ImportEntry[];
  /** The entries that could not be imported, each with the reason. */
  readonly refused: readonly Fault[];
  /** Why the import ended early, if it did. What it had made was taken back then. */
  readonly stopped: Fault | null;
}

/** The workspace holds all files in memory, so the limits are those of a tab. */
export const IMPORT_LIMITS = { files: 20_000, fileBytes: 100_000_000, totalBytes: 400_000_000 } as const;

/**
 * Imports files: all of them but those that are refused by name, or none. An import over the limits is refused before
 * anything is written, and one that ends early is taken back. Existing files are overwritten only if asked for. Resolves
 * when the imported files survive a crash of the tab. Never rejects.
 */
export async function importEntries(
  workspace: Workspace,
  entries: readonly ImportEntry[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  const totalFiles = entries.filter(({ type }) => type !== 'directory').length;
  const totalBytes = entries.reduce((sum, entry) => sum + (entry.type === 'file' ? entry.size : 0), 0);
  const tooMuch = checkLimits(totalFiles, totalBytes);
  if (tooMuch) return { files: 0, kept: [], refused: [], stopped: tooMuch };

  const kept: ImportEntry[] = [];
  const refused: Fault[] = [];
  let written = 0;
  let bytes = 0;
  const created = new CreatedPaths(workspace);
  const links = entries.filter(({ type }) => type === 'symlink');
  const linkPaths = new Set(links.map(({ path }) => path));
  const made = new Map<string, ImportEntry>();
  try {
    // The links come last, so that nothing is written through one of them.
    for (const entry of [...entries.filter(({ type }) => type !== 'symlink'), ...links]) {
      options.signal?.throwIfAborted();
      const outcome =
        refusedThroughLink(entry, linkPaths) ?? (await importOne(workspace, entry, options, created));
      if (outcome === 'kept') kept.push(entry);
      else if (outcome !== 'written') refused.push(outcome);
      else if (entry.type !== 'directory') written += 1;
      if (outcome === 'written' && entry.type === 'symlink')
        made.set(`${options.into ?? ROOT}/${entry.path}`, entry);
      if (entry.type === 'file') bytes += entry.size;
      options.onProgress?.({
        files: written + kept.length + refused.length,
        totalFiles,
        bytes,
        totalBytes,
      });
    }
    const leadingOut = await takeBackLeadingOut(workspace, made, created);
    refused.push(...leadingOut);
    written -= leadingOut.length;
    await workspace.durable();
    return { files: written, kept, refused, stopped: null };
  } catch (error) {
    const left = await created.takeBack().catch(() => null);
    return { files: left ?? written, kept, refused, stopped: stopFault(error, options.signal, left) };
  }
}

async function importOne(
  workspace: Workspace,
  entry: ImportEntry,
  options: ImportOptions,
  created: CreatedPaths,
): Promise<'written' | 'kept' | Fault> {
  const bad = checkEntry(entry);
  if (bad) return bad;
  const path = `${options.into ?? ROOT}/${entry.path}`;
  try {
    await created.expectFolders(entry.type === 'directory' ? `${path}/` : path);
    if (entry.type === 'directory') {
      await workspace.files.makeDirectory(path);
      return 'written';
    }
    const isReplacing = options.existing === 'replace';
    if (entry.type === 'file') return await importFile(workspace, entry, path, isReplacing, created);
    const target = await readEntry(entry);
    if (typeof target !== 'string') return target;
    return await importLink(workspace, { link: entry, path, target }, isReplacing, created);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === 'ENOSPC' || error.code === 'EGONE') throw error;
    return { code: 'import-refused', what: reasons[error.code] ?? error.message, where: entry.path };
  }
}

async function importFile(
  workspace: Workspace,
  entry: ImportEntry & { type: 'file' },
  path: string,
  isReplacing: boolean,
  created: CreatedPaths,
): Promise<'written' | 'kept' | Fault> {
  const content = await readEntry(entry);
  if (!(content instanceof Uint8Array)) return content;
  const before = isReplacing ? await contentOf(workspace, path) : null;
  const executable = entry.isExecutable ?? false;
  if (before) await workspace.files.write(path, content, { executable });
  else {
    const outcome = await writeNew(workspace, path, content, executable);
    if (outcome !== 'written') return outcome === 'same' ? 'written' : 'kept';
  }
  created.wrote(path, entry.read, before);
  return 'written';
}

async function readEntry<Content>(entry: {
  readonly path: string;
  read(): Promise<Content>;
}): Promise<Content | Fault> {
  try {
    return await entry.read();
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'zip-unreadable') throw error;
    if (error instanceof FaultError) return { ...error.fault, where: entry.path };
    const what = `It could not be read: ${faultOf(error).what}`;
    return { code: 'import-unreadable', what, where: entry.path, next: 'Choose it again.' };
  }
}

/** Writes a file unless it exists. */
async function writeNew(
  workspace: Workspace,
  path: string,
  content: Uint8Array,
  executable: boolean,
): Promise<'written' | 'same' | 'different'> {
  try {
    await workspace.files.write(path, content, { expect: null, executable });
    return 'written';
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'ECHANGED') throw error;
    const present = await workspace.files.read(path);
    const isSame = present.length === content.length && present.every((byte, at) => byte === content[at]);
    return isSame ? 'same' : 'different';
  }
}

const reasons: Partial<Record<string, string>> = {
  EISDIR: 'A folder with this name already exists.',
  ENOTDIR: 'There is a file where its folder should be.',
  EACCES: 'It would leave the workspace.',
  EINVAL: 'Its name cannot be used.',
};

function checkEntry(entry: ImportEntry): Fault | null {
  const where = entry.path;
  const parts = entry.path.split('/');
  if (entry.path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..')) {
    return {
      code: 'import-name',
      what: 'Its name cannot be used.',
      where,
      next: 'Rename it and add it again.',
    };
  }
  if (entry.type === 'file' && entry.size > IMPORT_LIMITS.fileBytes) {
    const what = `It has ${megabytes(entry.size)}; one file may have ${megabytes(IMPORT_LIMITS.fileBytes)}.`;
    return { code: 'import-file-too-large', what, where, next: 'Leave it out or make it smaller.' };
  }
  return null;
}

function checkLimits(files: number, totalBytes: number): Fault | null {
  if (files > IMPORT_LIMITS.files) {
    return {
      code: 'import-too-many',
      what: `These are ${files} files; ${IMPORT_LIMITS.files} can be added at once.`,
      next: 'Leave out what can be made again, such as node_modules.',
    };
  }
  if (totalBytes > IMPORT_LIMITS.totalBytes) {
    return {
      code: 'import-too-large',
      what: `These are ${megabytes(totalBytes)}; ${megabytes(IMPORT_LIMITS.totalBytes)} can be added at once.`,
      next: 'Leave out what is large, or add it in parts.',
    };
  }
  return null;
}

/** Whether an import was refused because there is too much of it, so that leaving something out may help. */
export function isOverLimits(fault: Fault | null): boolean {
  return fault?.code === 'import-too-many' || fault?.code === 'import-too-large';
}

/** `left` is the number of files that could not be taken back; `null` where that is not known. */
function stopFault(error: unknown, signal: AbortSignal | undefined, left: number | null): Fault {
  const outcome =
    left === 0
      ? 'Nothing was added.'
      : left === null
        ? 'Some of the files may be there.'
        : left === 1
          ? '1 file was changed meanwhile and stays.'
          : `${left} files were changed meanwhile and stay.`;
  if (signal?.aborted) return { code: 'import-stopped', what: `You stopped it. ${outcome}` };
  if (error instanceof WorkspaceError && error.code === 'ENOSPC') {
    return {
      code: 'storage-full',
      what: `The browser has no more room for this workspace. ${outcome}`,
      where: error.path,
      next: 'Delete files or old sessions, then add them again.',
    };
  }
  if (error instanceof WorkspaceError && error.code === 'EGONE') {
    return {
      code: 'workspace-gone',
      what: `The workspace stopped while files were being added. ${outcome}`,
      where: error.path,
      next: 'Add them again when it is back.',
    };
  }
  const fault = faultOf(error, 'import-failed');
  return { ...fault, what: `${fault.what} ${outcome}` };
}

export interface ExportReport {
  readonly zip: Blob;
  readonly files: number;
  /** Paths that were left out: `node_modules`, links that lead out to a folder or out of the workspace, and files deleted meanwhile. */
  readonly skipped: readonly string[];
}

/**
 * Exports the files of a workspace, or of one folder in it, as a zip, including hidden files and empty folders. A link
 * stays a link, as with `zip -y`; one that leads out of what is exported is replaced by a copy of the file there. Throws a {@link WorkspaceError} where a folder cannot be listed, and the signal's reason when
 * aborted.
 */
export async function exportZip(
  workspace: Workspace,
  options: {
    readonly from?: string;
    readonly onProgress?: (files: number) => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<ExportReport> {
  const from = await workspace.files.resolve(options.from ?? ROOT);
  const skipped: string[] = [];
  let files = 0;
  async function* contents() {
    for await (const { path, entry } of walk(workspace, from, '')) {
      options.signal?.throwIfAborted();
      const isSkipped = entry.type === 'directory' && isLeftOut(from, entry.name);
      const packed = isSkipped ? null : await packedOf(workspace, from, path, entry);
      if (!packed) {
        skipped.push(path);
        continue;
      }
      yield packed;
      if (entry.type === 'directory') continue;
      files += 1;
      options.onProgress?.(files);
    }
  }
  const zip = await new Response(makeZip(contents(), { buffersAreUTF8: true })).blob();
  return { zip: new Blob([zip], { type: 'application/zip' }), files, skipped };
}

/** The mode of a link in a zip, by which other programs know that the content is its target. */
const LINK_MODE = 0o120777;

/** An entry as the zip has it; null where its content is not to be had. */
async function packedOf(workspace: Workspace, from: string, path: string, entry: Entry) {
  const about = ({ modified, mode }: Stat) => ({
    lastModified: new Date(Math.max(modified, FIRST_ZIP_TIME)),
    mode,
  });
  if (entry.type === 'directory') return { name: `${path}/`, ...about(entry) };
  const place = `${from}/${path}`;
  const target = entry.type === 'symlink' ? await innerTargetOf(workspace, place, from) : null;
  if (target !== null) return { name: path, ...about(entry), input: target, mode: LINK_MODE };
  // In the place of a link that leads out stands the file there, so what counts is about that file.
  const stat = entry.type === 'symlink' ? await targetOf(workspace, place) : entry;
  const content = await contentOf(workspace, place);
  return content && { name: path, ...about(stat ?? entry), input: inPieces(content) };
}

/** The target of a link that stays in the exported folder, wherever that is unpacked; else null. */
async function innerTargetOf(workspace: Workspace, path: string, folder: string): Promise<string | null> {
  const target = await workspace.files.readLink(path);
  if (target === null || !staysInside(path, target, folder)) return null;
  return (await leadsOut(workspace, path, folder)) ? null : target;
}

/** Packages can be installed again, and would make the zip many times as large. One that is asked for by its folder is packed. */
function isLeftOut(folder: string, name: string): boolean {
  return name === 'node_modules' && !isInLargeTree(`${folder}/`);
}

/** Zips know no time before 1980; a day more, because they are in local time. */
const FIRST_ZIP_TIME = Date.UTC(1980, 0, 2);

/** How much of a file is packed at a time. */
const PIECE = 1_000_000;

/** A large file in pieces, between which the page answers. */
function inPieces(content: Uint8Array<ArrayBuffer>) {
  return content.length > PIECE ? piecesOf(content) : content;
}

async function* piecesOf(content: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const slices = new Slices();
  for (let at = 0; at < content.length; at += PIECE) {
    await slices.next();
    yield content.subarray(at, at + PIECE);
  }
}

async function* walk(
  workspace: Workspace,
  folder: string,
  prefix: string,
): AsyncGenerator<{ path: string; entry: Entry }> {
  for (const entry of await workspace.files.list(folder)) {
    const path = prefix + entry.name;
    yield { path, entry };
    if (entry.type === 'directory' && !isLeftOut(folder, entry.name))
      yield* walk(workspace, `${folder}/${entry.name}`, `${path}/`);
  }
}

/** What a link leads to; null where that is not to be had, as its content then is not either. */
async function targetOf(workspace: Workspace, path: string): Promise<Stat | null> {
  try {
    return await workspace.files.stat(path);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code !== 'EGONE') return null;
    throw error;
  }
}

async function contentOf(workspace: Workspace, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await workspace.files.read(path));
  } catch (error) {
    if (error instanceof WorkspaceError && error.code !== 'EGONE') return null;
    throw error;
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
