import { inflateSync, zipSync, type Zippable } from 'fflate';
import { Complaint } from '../../kit/complaint.ts';
import { decode } from '../../kit/io.ts';

export interface ZipMember {
  /** The names of folders end with a slash. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly modified: Date;
  readonly mode: number;
  readonly stored: boolean;
  readonly packedSize: number;
  readonly crc: number;
}

/** Reads the members that the directory at the end of an archive lists. */
export function readZip(bytes: Uint8Array): ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Complaint('End-of-central-directory signature not found.', 9);
  const members: ZipMember[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Complaint('bad central directory', 3);
    const method = view.getUint16(at + 10, true);
    const packedSize = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const start = view.getUint32(at + 42, true);
    const name = decode(bytes.subarray(at + 46, at + 46 + (nameLength ?? 0)));
    const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    const packed = bytes.subarray(from, from + packedSize);
    if (method !== 0 && method !== 8)
      throw new Complaint(`${name}: unsupported compression method ${method}`, 81);
    members.push({
      name,
      content: method === 0 ? packed : inflateSync(packed, { out: new Uint8Array(size) }),
      modified: dosDate(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
      mode: (view.getUint32(at + 38, true) >>> 16) & 0o7777,
      stored: method === 0,
      packedSize,
      crc: view.getUint32(at + 16, true),
    });
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return members;
}

function dosDate(date: number, time: number): Date {
  return new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
}

export interface NewMember {
  readonly name: string;
  readonly content: Uint8Array;
  readonly modified: Date;
  readonly mode: number;
}

export function writeZip(
  members: readonly NewMember[],
  level: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9,
): Uint8Array {
  if (members.length === 0) {
    const empty = new Uint8Array(22);
    empty.set([0x50, 0x4b, 5, 6]);
    return empty;
  }
  const files: Zippable = {};
  for (const { name, content, modified, mode } of members) {
    const isFolder = name.endsWith('/');
    const kind = isFolder ? 0o040000 : 0o100000;
    files[name] = [
      content,
      {
        level: isFolder || content.length === 0 ? 0 : level,
        mtime: modified,
        os: 3,
        attrs: ((kind | mode) << 16) >>> 0,
      },
    ];
  }
  return zipSync(files);
}
