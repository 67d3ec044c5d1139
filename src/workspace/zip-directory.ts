/** An entry of a zip, as the directory at its end describes it. */
export interface ZipEntry {
  readonly name: string;
  /** The content is the target of a link. */
  readonly isLink: boolean;
  readonly isExecutable: boolean;
  readonly isEncrypted: boolean;
  readonly method: 'stored' | 'deflated' | 'unknown';
  /** The content as it is in the zip. */
  readonly packed: Uint8Array<ArrayBuffer>;
  /** The size of the unpacked content in bytes, as the zip states it. */
  readonly size: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const RECORD = 0x02014b50;
const LOCAL = 0x04034b50;
/** This value in a field of 32 bits means that the real one is in the extra field, which has 64 bits for it. */
const IN_EXTRA = 0xffffffff;
const EXTRA_64 = 1;
/** The systems whose zips carry a mode: Unix and macOS. */
const WITH_MODE = new Set([3, 19]);
const METHODS: Readonly<Record<number, ZipEntry['method']>> = { 0: 'stored', 8: 'deflated' };

/** Reads the directory at the end of a zip, and no content. Throws if there is none, or if it is damaged. */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ZipEntry[] = [];
  let { at, left } = directoryOf(view);
  // A zip may say that it has more entries than it has room for.
  for (; left > 0 && at + 46 <= view.byteLength && view.getUint32(at, true) === RECORD; left--) {
    entries.push(entryAt(bytes, view, at));
    at += 46 + [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
  }
  return entries;
}

function entryAt(bytes: Uint8Array<ArrayBuffer>, view: DataView, at: number): ZipEntry {
  const system = view.getUint8(at + 5);
  const flags = view.getUint16(at + 8, true);
  const mode = WITH_MODE.has(system) ? view.getUint32(at + 38, true) >>> 16 : 0;
  const method = METHODS[view.getUint16(at + 10, true)] ?? 'unknown';
  const nameLength = view.getUint16(at + 28, true);
  const name = bytes.subarray(at + 46, at + 46 + nameLength);
  const { size, packedSize, offset } = sizesAt(view, at, at + 46 + nameLength);
  return {
    name: nameOf(name),
    isLink: (mode & 0o170000) === 0o120000,
    isExecutable: (mode & 0o100) !== 0,
    isEncrypted: (flags & 1) !== 0,
    method,
    packed: contentAt(bytes, view, offset, packedSize),
    size: method === 'stored' ? packedSize : size,
  };
}

/** Some programs write names in UTF-8 without saying so. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Zips with more than 4 GB, and some that are written as a stream, have the sizes in an extra field. */
function sizesAt(view: DataView, at: number, extra: number) {
  const [packedSize = 0, size = 0, offset = 0] = [20, 24, 42].map((field) =>
    view.getUint32(at + field, true),
  );
  const end = Math.min(extra + view.getUint16(at + 30, true), view.byteLength);
  let field = extra;
  while (field + 4 <= end && view.getUint16(field, true) !== EXTRA_64)
    field += 4 + view.getUint16(field + 2, true);
  field += 4;
  const wide = (value: number) => {
    if (value !== IN_EXTRA || field + 8 > end) return value;
    field += 8;
    return Number(view.getBigUint64(field - 8, true));
  };
  // The extra field has only the values that are missing, in this order.
  const wideSize = wide(size);
  const widePacked = wide(packedSize);
  return { size: wideSize, packedSize: widePacked, offset: wide(offset) };
}

function contentAt(bytes: Uint8Array<ArrayBuffer>, view: DataView, offset: number, size: number) {
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL)
    throw new Error('a file of its list is not in it');
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + size > view.byteLength) throw new Error('a part of it is missing');
  return bytes.subarray(start, start + size);
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
