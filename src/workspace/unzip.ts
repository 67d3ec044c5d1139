import { unzipSync } from 'fflate';
import { FaultError, faultOf, type Fault } from '../base/fault.ts';
import { ignoredBy, namesIgnored } from './leave-out.ts';
import { IMPORT_LIMITS, type ImportEntry } from './transfer.ts';
import { zipAttributes, type ZipAttributes } from './zip-directory.ts';

/**
 * Reads the files of a zip, without those that its ignore files name if `leaveOutIgnored` is set. Fault `zip-too-large`
 * where it holds more than can be added, `zip-unreadable` where it is not a zip.
 */
export function entriesOfZip(
  bytes: Uint8Array,
  { leaveOutIgnored = false }: { readonly leaveOutIgnored?: boolean } = {},
): readonly ImportEntry[] {
  const isIgnored = leaveOutIgnored ? ignoredBy(ignoreFilesOf(bytes)) : () => false;
  const unpacked = unpack(
    bytes,
    (name) => !isIgnored(name.replace(/\/$/, ''), name.endsWith('/')),
    IMPORT_LIMITS,
  );
  return unpacked.map(entryOf);
}

/** The ignore files of a zip; all together may have this size in bytes. */
const IGNORE_LIMITS = { files: 1_000, totalBytes: 1_000_000 };

function ignoreFilesOf(bytes: Uint8Array): readonly { readonly path: string; readonly text: string }[] {
  return unpack(bytes, namesIgnored, IGNORE_LIMITS).map(({ path, content }) => ({
    path,
    text: new TextDecoder().decode(content),
  }));
}

interface Unpacked {
  readonly path: string;
  readonly content: Uint8Array;
  /** Why the content is not what the file would be. */
  readonly refused?: Fault;
}

function unpack(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  limits: { readonly files: number; readonly totalBytes: number },
): readonly Unpacked[] {
  let total = 0;
  let files = 0;
  let tooLarge = false;
  try {
    const attributes = zipAttributes(bytes);
    const refused = new Map<string, Fault | undefined>();
    let index = 0;
    const contents = unzipSync(bytes, {
      // The stated sizes are checked before anything is unpacked, because a small zip can hold far too much.
      filter: ({ name, size, originalSize }) => {
        const why = refusalOf(attributes[index++]);
        if (name.startsWith('__MACOSX/') || !isWanted(name)) return false;
        // An entry that is not packed has its length in one field, and a packed one in the other: neither can hide it.
        total += Math.max(size, originalSize);
        if (!name.endsWith('/')) files += 1;
        tooLarge = total > limits.totalBytes || files > limits.files;
        if (tooLarge) throw new Error('it holds more than can be added at once');
        refused.set(name, why);
        return !why;
      },
    });
    return [...refused].map(([path, why]) => {
      const content = Object.hasOwn(contents, path) ? contents[path] : undefined;
      const fault = why ?? (content ? undefined : { code: 'import-name', what: 'Its name cannot be used.' });
      return { path, content: content ?? new Uint8Array(), ...(fault && { refused: fault }) };
    });
  } catch (error) {
    throw new FaultError({
      code: tooLarge ? 'zip-too-large' : 'zip-unreadable',
      what: `This zip cannot be unpacked: ${faultOf(error).what}`,
      next: 'Unpack it on your computer and add the folder.',
    });
  }
}

function refusalOf(attributes: ZipAttributes | undefined): Fault | undefined {
  if (attributes?.isLink)
    return { code: 'import-link', what: 'It is a link; only files and folders are added.' };
  if (!attributes?.isEncrypted) return undefined;
  return {
    code: 'import-encrypted',
    what: 'It needs a password.',
    next: 'Unpack the zip on your computer and add the folder.',
  };
}

function entryOf({ path, content, refused }: Unpacked): ImportEntry {
  const read = () => (refused ? Promise.reject(new FaultError(refused)) : Promise.resolve(content));
  if (path.endsWith('/') && !refused) return { type: 'directory', path: path.slice(0, -1) };
  return { type: 'file', path, size: content.length, read };
}
