import { unzipSync } from 'fflate';
import { FaultError, faultOf } from '../base/fault.ts';
import { IMPORT_LIMITS, type ImportEntry } from './transfer.ts';

/** Reads the files of a zip. Fault `zip-unreadable` where it is not a zip, or holds more than can be added. */
export function entriesOfZip(bytes: Uint8Array): readonly ImportEntry[] {
  let total = 0;
  let files = 0;
  try {
    const unpacked = unzipSync(bytes, {
      // The stated sizes are checked before anything is unpacked, because a small zip can hold far too much.
      filter: ({ name, originalSize }) => {
        if (name.startsWith('__MACOSX/')) return false;
        total += originalSize;
        files += 1;
        if (total > IMPORT_LIMITS.totalBytes || files > IMPORT_LIMITS.files)
          throw new Error('it holds more than can be added at once');
        return true;
      },
    });
    return Object.entries(unpacked).map(([path, content]) => entryOf(path, content));
  } catch (error) {
    throw new FaultError({
      code: 'zip-unreadable',
      what: `This zip cannot be unpacked: ${faultOf(error).what}`,
      next: 'Unpack it on your computer and add the folder.',
    });
  }
}

function entryOf(path: string, content: Uint8Array): ImportEntry {
  if (path.endsWith('/')) return { type: 'directory', path: path.slice(0, -1) };
  return { type: 'file', path, size: content.length, read: async () => content };
}
