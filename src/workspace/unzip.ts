import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import { Slices } from '../base/slices.ts';
import { ignoredBy, namesIgnored } from './leave-out.ts';
import { MAX_TARGET } from './links.ts';
import { IMPORT_LIMITS, type ImportEntry } from './transfer.ts';
import { zipEntries, type ZipEntry } from './zip-directory.ts';

/**
 * Lists the files of a zip, without those that its ignore files name if `leaveOutIgnored` is set. Each is unpacked when it is
 * read, in slices between which the page answers. Rejects with the fault `zip-too-large` where the zip holds more than can be
 * added, and `zip-unreadable` where it is not a zip; reading a file that is damaged rejects with the latter too.
 */
export async function entriesOfZip(
  bytes: Uint8Array<ArrayBuffer>,
  { leaveOutIgnored = false }: { readonly leaveOutIgnored?: boolean } = {},
): Promise<readonly ImportEntry[]> {
  const all = directoryOf(bytes);
  const isIgnored = leaveOutIgnored ? ignoredBy(await ignoreFilesOf(all)) : () => false;
  const wanted = all.filter(({ name }) => !isIgnored(name.replace(/\/$/, ''), name.endsWith('/')));
  return limited(wanted, IMPORT_LIMITS).map(importEntryOf);
}

/** The entries of a zip; of several with one name, the last. */
function directoryOf(bytes: Uint8Array<ArrayBuffer>): readonly ZipEntry[] {
  try {
    const entries = zipEntries(bytes).filter(({ name }) => !name.startsWith('__MACOSX/'));
    return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
  } catch (error) {
    throw unreadable(faultOf(error).what);
  }
}

/** The stated sizes are checked before anything is unpacked, because a small zip can hold far too much. */
function limited(
  entries: readonly ZipEntry[],
  limits: { readonly files: number; readonly totalBytes: number },
): readonly ZipEntry[] {
  const files = entries.filter(({ name }) => !name.endsWith('/')).length;
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (files <= limits.files && total <= limits.totalBytes) return entries;
  throw unreadable('it holds more than can be added at once', 'zip-too-large');
}

/** The ignore files of a zip; all together may have this size in bytes. */
const IGNORE_LIMITS = { files: 1_000, totalBytes: 1_000_000 };

function ignoreFilesOf(
  entries: readonly ZipEntry[],
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const files = limited(
    entries.filter((entry) => namesIgnored(entry.name) && !entry.isLink && !refusalOf(entry)),
    IGNORE_LIMITS,
  );
  return Promise.all(
    files.map(async (entry) => ({
      path: entry.name,
      text: new TextDecoder().decode(await contentOf(entry)),
    })),
  );
}

function importEntryOf(entry: ZipEntry): ImportEntry {
  const { name, size, isExecutable } = entry;
  const refused = refusalOf(entry);
  if (name.endsWith('/') && !refused) return { type: 'directory', path: name.slice(0, -1) };
  if (entry.isLink && !refused) return { type: 'symlink', path: name, read: () => linkTargetOf(entry) };
  const read = () => (refused ? Promise.reject(new FaultError(refused)) : contentOf(entry));
  return { type: 'file', path: name, size: refused ? 0 : size, isExecutable, read };
}

const BAD_LINK: Fault = { code: 'import-link', what: 'It is a link whose target cannot be used.' };

async function linkTargetOf(entry: ZipEntry): Promise<string> {
  const bytes = await contentOf(entry);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FaultError(BAD_LINK);
  }
}

const UNPACK_YOURSELF = 'Unpack the zip on your computer and add the folder.';

function refusalOf({ isLink, isEncrypted, method, size }: ZipEntry): Fault | undefined {
  if (isLink && size > MAX_TARGET) return BAD_LINK;
  if (isEncrypted) return { code: 'import-encrypted', what: 'It needs a password.', next: UNPACK_YOURSELF };
  if (method !== 'unknown') return undefined;
  return { code: 'import-packing', what: 'It is packed in an unusual way.', next: UNPACK_YOURSELF };
}

async function contentOf(entry: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  if (entry.method === 'stored') return entry.packed.slice();
  try {
    return await inflated(entry);
  } catch {
    throw unreadable(`${entry.name} is damaged.`);
  }
}

/** How much is unpacked at a time. */
const PIECE = 65_536;

async function inflated({ packed, size }: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  let next = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (next >= packed.length) return controller.close();
      controller.enqueue(packed.subarray(next, next + PIECE));
      next += PIECE;
    },
  });
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const content = new Uint8Array(size);
  const slices = new Slices();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) {
      void reader.cancel();
      throw new Error('There is more than was stated.');
    }
    content.set(value, at);
    at += value.length;
    await slices.next();
  }
  if (at < size) throw new Error('There is less than was stated.');
  return content;
}

function unreadable(why: string, code = 'zip-unreadable'): FaultError {
  return new FaultError({
    code,
    what: `This zip cannot be unpacked: ${why}`,
    next: UNPACK_YOURSELF,
  });
}
