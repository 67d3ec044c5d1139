import { asText, comparePaths, fromHex, sameBytes, shaOf, toHex, utf8 } from './bytes.ts';
import { Fatal } from './fatal.ts';

/** Facts that the index remembers about a file, so that an unchanged one need not be read. */
export interface StatData {
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly inode: number;
  readonly size: number;
}

export interface IndexEntry extends StatData {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** 0, or in a conflict 1 for the common ancestor, 2 for ours and 3 for theirs. */
  readonly stage: number;
  /** Set by `git add -N`. */
  readonly intent?: boolean;
  /** The two bits by which a person tells git not to look at the file. */
  readonly assumed?: boolean;
  readonly skipped?: boolean;
}

export const NO_STAT: StatData = { seconds: 0, nanoseconds: 0, inode: 0, size: 0 };

const HEADER = 12;
const FIXED = 62;

/** Reads versions 2 to 4 of git's index. Extensions that only save work are left out. */
export function parseIndex(bytes: Uint8Array): IndexEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER + 20 || asText(bytes.subarray(0, 4)) !== 'DIRC')
    throw new Fatal('index file corrupt: bad signature');
  const body = bytes.subarray(0, -20);
  const stored = bytes.subarray(-20);
  if (stored.some((byte) => byte !== 0) && !sameBytes(shaOf(body), stored))
    throw new Fatal('index file corrupt: bad checksum');
  const version = view.getUint32(4);
  if (version < 2 || version > 4)
    throw new Fatal(`index file has version ${version}, which is not known here`);
  const entries: IndexEntry[] = [];
  let at = HEADER;
  let before = '';
  for (let left = view.getUint32(8); left > 0; left--) {
    const flags = view.getUint16(at + 60);
    const extended = version > 2 && (flags & 0x4000) !== 0;
    const more = extended ? view.getUint16(at + FIXED) : 0;
    let start = at + FIXED + (extended ? 2 : 0);
    let kept = '';
    if (version === 4) {
      const [removed, next] = varint(bytes, start);
      kept = before.slice(0, before.length - removed);
      start = next;
    }
    const end = bytes.indexOf(0, start);
    const path = kept + asText(bytes.subarray(start, end));
    entries.push({
      path,
      seconds: view.getUint32(at + 8),
      nanoseconds: view.getUint32(at + 12),
      inode: view.getUint32(at + 20),
      mode: view.getUint32(at + 24),
      size: view.getUint32(at + 36),
      oid: toHex(bytes.subarray(at + 40, at + 60)),
      stage: (flags >> 12) & 3,
      ...((flags & 0x8000) !== 0 && { assumed: true }),
      ...((more & 0x4000) !== 0 && { skipped: true }),
      ...((more & 0x2000) !== 0 && { intent: true }),
    });
    before = path;
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return entries;
}

/** Git's variable-length number: each further byte adds one, so that no number has two forms. */
function varint(bytes: Uint8Array, start: number): [value: number, next: number] {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return [value, at];
}

export function encodeIndex(entries: readonly IndexEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => comparePaths(a.path, b.path) || a.stage - b.stage);
  const isExtended = ({ intent, skipped }: IndexEntry) => intent === true || skipped === true;
  const paths = sorted.map(({ path }) => utf8(path));
  const sizes = sorted.map((entry, at) => {
    const length = FIXED + (isExtended(entry) ? 2 : 0) + (paths[at]?.length ?? 0);
    return (length + 8) & ~7;
  });
  const bytes = new Uint8Array(HEADER + sizes.reduce((sum, size) => sum + size, 0) + 20);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8('DIRC'));
  view.setUint32(4, sorted.some(isExtended) ? 3 : 2);
  view.setUint32(8, sorted.length);
  let at = HEADER;
  sorted.forEach((entry, index) => {
    const path = paths[index] ?? new Uint8Array();
    const extended = isExtended(entry);
    view.setUint32(at, entry.seconds);
    view.setUint32(at + 4, entry.nanoseconds);
    view.setUint32(at + 8, entry.seconds);
    view.setUint32(at + 12, entry.nanoseconds);
    view.setUint32(at + 20, entry.inode);
    view.setUint32(at + 24, entry.mode);
    view.setUint32(at + 36, entry.size);
    bytes.set(fromHex(entry.oid), at + 40);
    const bits = (entry.assumed ? 0x8000 : 0) | (extended ? 0x4000 : 0) | (entry.stage << 12);
    view.setUint16(at + 60, bits | Math.min(path.length, 0xfff));
    if (extended) view.setUint16(at + FIXED, (entry.skipped ? 0x4000 : 0) | (entry.intent ? 0x2000 : 0));
    bytes.set(path, at + FIXED + (extended ? 2 : 0));
    at += sizes[index] ?? 0;
  });
  bytes.set(shaOf(bytes.subarray(0, -20)), at);
  return bytes;
}
