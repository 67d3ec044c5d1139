import { joined } from './modes.ts';

/** One element of DER. Those that hold others have them in `parts`. */
export interface Der {
  readonly tag: number;
  readonly bytes: Uint8Array;
  readonly parts: readonly Der[];
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OID = 0x06;

export function readDer(bytes: Uint8Array): Der {
  const [first] = readAll(bytes);
  if (!first) throw new Error('nothing is there');
  return first;
}

function readAll(bytes: Uint8Array): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? 0;
    at += 2;
    if (length & 0x80) {
      const count = length & 0x7f;
      if (count < 1 || count > 4) throw new Error('a length cannot be read');
      length = 0;
      for (let more = 0; more < count; more++) length = length * 256 + (bytes[at++] ?? 0);
    }
    if (at + length > bytes.length) throw new Error('it ends too early');
    const content = bytes.subarray(at, at + length);
    const isHolder = (tag & 0x20) !== 0;
    found.push({ tag, bytes: content, parts: isHolder ? readAll(content) : [] });
    at += length;
  }
  return found;
}

export function element(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = joined(...contents);
  const { length } = content;
  const size = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest & 255);
  const head = length < 128 ? [tag, length] : [tag, 0x80 | size.length, ...size];
  return joined(Uint8Array.from(head), content);
}

export const sequence = (...parts: readonly Uint8Array[]) => element(SEQUENCE, ...parts);
export const octets = (bytes: Uint8Array) => element(OCTETS, bytes);
export const bits = (bytes: Uint8Array) => element(BITS, Uint8Array.of(0), bytes);
export const nothing = () => element(0x05);

export function integer(value: bigint | number): Uint8Array {
  let hex = value.toString(16);
  if (hex.length % 2) hex = `0${hex}`;
  // Its first bit would be a sign.
  if (parseInt(hex.slice(0, 2), 16) >= 128) hex = `00${hex}`;
  return element(INTEGER, bytesOfHex(hex));
}

export function oid(text: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 127];
    for (let left = part >>> 7; left > 0; left >>>= 7) digits.unshift((left & 127) | 128);
    bytes.push(...digits);
  }
  return element(OID, Uint8Array.from(bytes));
}

export function oidText({ tag, bytes }: Der): string | undefined {
  if (tag !== OID) return undefined;
  const parts: number[] = [];
  let part = 0;
  for (const byte of bytes) {
    part = part * 128 + (byte & 127);
    if (byte & 128) continue;
    parts.push(part);
    part = 0;
  }
  const [first = 0, ...rest] = parts;
  return [
    Math.min(2, Math.floor(first / 40)),
    first - Math.min(2, Math.floor(first / 40)) * 40,
    ...rest,
  ].join('.');
}

export const bigOf = ({ bytes }: Der): bigint => bigOfBytes(bytes);

export function bigOfBytes(bytes: Uint8Array): bigint {
  let hex = '0x0';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return BigInt(hex);
}

export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

/** As many bytes as it takes, or as many as are asked for. */
export function bytesOfBig(value: bigint, length?: number): Uint8Array {
  const hex = value.toString(16);
  return bytesOfHex(hex.padStart(length === undefined ? hex.length + (hex.length % 2) : length * 2, '0'));
}
