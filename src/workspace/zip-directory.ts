/** Facts about an entry of a zip, besides its name and sizes. */
export interface ZipAttributes {
  /** The content is the target of a link. */
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const RECORD = 0x02014b50;
/** The systems whose zips carry a mode: Unix and macOS. */
const WITH_MODE = new Set([3, 19]);

/** Reads the directory at the end of a zip: the attributes of its entries, in order. Throws where there is none. */
export function zipAttributes(bytes: Uint8Array): readonly ZipAttributes[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ZipAttributes[] = [];
  let { at, left } = directoryOf(view);
  // A zip may say that it has more entries than it has room for.
  for (; left > 0 && at + 46 <= view.byteLength && view.getUint32(at, true) === RECORD; left--) {
    const system = view.getUint8(at + 5);
    const type = (view.getUint32(at + 38, true) >>> 16) & 0o170000;
    entries.push({
      isLink: WITH_MODE.has(system) && type === 0o120000,
      isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
    });
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return entries;
}

function directoryOf(view: DataView): { at: number; left: number } {
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('it is no zip');
  if (end >= 20 && view.getUint32(end - 20, true) === LOCATOR_64) {
    const large = Number(view.getBigUint64(end - 12, true));
    if (large + 56 <= view.byteLength && view.getUint32(large, true) === END_64)
      return {
        at: Number(view.getBigUint64(large + 48, true)),
        left: Number(view.getBigUint64(large + 32, true)),
      };
  }
  return { at: view.getUint32(end + 16, true), left: view.getUint16(end + 10, true) };
}
