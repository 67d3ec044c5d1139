import type { ByteSource } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { joined, nextPiece, textOf, type Writer } from '../../kit/io.ts';

export interface Member {
  /** The names of folders end with a slash. */
  readonly name: string;
  readonly mode: number;
  readonly modified: Date;
  readonly type: 'file' | 'folder' | 'link' | 'hardLink';
  readonly link: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;
/** The largest size of one member in bytes, because a member is read whole. */
const MOST = 512 * 1024 * 1024;
export const TAR_END = new Uint8Array(BLOCK * 2);
const encoder = new TextEncoder();

/** Makes the blocks of one member; as in GNU tar, a long name goes into a block before it. */
export function tarEntry(member: Member): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const name = encoder.encode(member.name);
  const link = encoder.encode(member.link);
  if (name.length > 100) parts.push(...longName('L', name));
  if (link.length > 100) parts.push(...longName('K', link));
  const flags = { file: '0', hardLink: '1', link: '2', folder: '5' };
  const header = headerOf(
    name,
    link,
    flags[member.type],
    member.content.length,
    member.mode,
    member.modified,
  );
  parts.push(header, ...padded(member.content));
  return parts;
}

function longName(flag: string, name: Uint8Array): Uint8Array[] {
  const content = new Uint8Array(name.length + 1);
  content.set(name);
  return [
    headerOf(encoder.encode('././@LongLink'), new Uint8Array(), flag, content.length, 0o644, new Date(0)),
    ...padded(content),
  ];
}

function padded(content: Uint8Array): Uint8Array[] {
  return [content, new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK)];
}

function headerOf(
  name: Uint8Array,
  link: Uint8Array,
  flag: string,
  size: number,
  mode: number,
  modified: Date,
): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.set(encoder.encode(`${value.toString(8).padStart(length - 1, '0')}\0`), at);
  header.set(name.subarray(0, 100), 0);
  octal(mode, 100, 8);
  octal(1000, 108, 8);
  octal(1000, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, Math.floor(modified.getTime() / 1000)), 136, 12);
  header.set(encoder.encode(`        ${flag}`), 148);
  header.set(link.subarray(0, 100), 157);
  header.set(encoder.encode('ustar\x0000'), 257);
  header.set(encoder.encode('user'), 265);
  header.set(encoder.encode('user'), 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(encoder.encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return header;
}

/** Reads a given number of bytes from a source. */
class Blocks {
  readonly #source: ByteSource;
  readonly #out: Writer | undefined;
  #held: Uint8Array = new Uint8Array();

  constructor(source: ByteSource, out: Writer | undefined) {
    this.#source = source;
    this.#out = out;
  }

  /** Returns fewer than `count` bytes only at the end. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      const piece = this.#held.length > 0 ? this.#held : await nextPiece(this.#source, this.#out);
      if (!piece) break;
      parts.push(piece.subarray(0, missing));
      this.#held = piece.subarray(missing);
      missing -= Math.min(missing, piece.length);
    }
    return joined(parts);
  }
}

/**
 * Reads ustar archives with GNU's long names and pax headers, and yields each member as soon as it has
 * arrived. Devices and the like are skipped.
 */
export async function* readTar(source: ByteSource, out?: Writer): AsyncGenerator<Member, void, undefined> {
  const blocks = new Blocks(source, out);
  let longNames: { name?: string; link?: string } = {};
  for (;;) {
    const header = await blocks.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK || !checksumHolds(header))
      throw new Complaint('This does not look like a tar archive');
    const size = numberAt(header, 124, 12);
    if (size > MOST) throw new Complaint('a member is too large to be read here');
    const content = (await blocks.take(size)).slice();
    if (content.length < size) throw new Complaint('Unexpected EOF in archive');
    await blocks.take((BLOCK - (size % BLOCK)) % BLOCK);
    const flag = String.fromCharCode(header[156] ?? 0);
    if (flag === 'L') longNames = { ...longNames, name: textUpToNul(content) };
    else if (flag === 'K') longNames = { ...longNames, link: textUpToNul(content) };
    else if (flag === 'x') longNames = { ...longNames, ...paxNames(content) };
    else if (flag !== 'g') {
      const member = memberOf(header, flag, content, longNames);
      longNames = {};
      if (member) yield member;
    }
  }
}

function memberOf(
  header: Uint8Array,
  flag: string,
  content: Uint8Array,
  long: { name?: string; link?: string },
): Member | undefined {
  const prefix =
    textUpToNul(header.subarray(257, 263)) === 'ustar' ? textUpToNul(header.subarray(345, 500)) : '';
  const short = textUpToNul(header.subarray(0, 100));
  const name = long.name ?? (prefix ? `${prefix}/${short}` : short);
  const isFolder = flag === '5' || (flag !== '2' && name.endsWith('/'));
  const type = isFolder ? 'folder' : flag === '2' ? 'link' : flag === '1' ? 'hardLink' : 'file';
  if (type === 'file' && flag !== '0' && flag !== '\0' && flag !== '7') return undefined;
  return {
    name: isFolder && !name.endsWith('/') ? `${name}/` : name,
    mode: numberAt(header, 100, 8) & 0o7777,
    modified: new Date(numberAt(header, 136, 12) * 1000),
    type,
    link: long.link ?? textUpToNul(header.subarray(157, 257)),
    content: type === 'file' ? content : new Uint8Array(),
  };
}

function checksumHolds(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  return sum === numberAt(header, 148, 8);
}

function numberAt(header: Uint8Array, at: number, length: number): number {
  return Number.parseInt(textUpToNul(header.subarray(at, at + length)).trim() || '0', 8);
}

function textUpToNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOf(end < 0 ? bytes : bytes.subarray(0, end));
}

function paxNames(content: Uint8Array): { name?: string; link?: string } {
  const text = textOf(content);
  const name = /(?:^|\n)\d+ path=(.*)\n/.exec(text)?.[1];
  const link = /(?:^|\n)\d+ linkpath=(.*)\n/.exec(text)?.[1];
  return { ...(name !== undefined && { name }), ...(link !== undefined && { link }) };
}
