import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { zlibSync } from 'fflate';

/** The name of a content in git: the SHA-1 of its length and its bytes. */
export function gitHash(bytes: Uint8Array): string {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return bytesToHex(sha1(whole));
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const BYTES_PER_LINE = 52;

/** Packs bytes as in a git binary patch: deflated, in lines of base 85 that begin with the number of their bytes. */
export function base85Lines(bytes: Uint8Array): string {
  const packed = zlibSync(bytes);
  let lines = '';
  for (let at = 0; at < packed.length; at += BYTES_PER_LINE) {
    const line = packed.subarray(at, at + BYTES_PER_LINE);
    const length = String.fromCharCode(line.length <= 26 ? 64 + line.length : 70 + line.length);
    lines += `${length}${base85(line)}\n`;
  }
  return lines;
}

function base85(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    let word = 0;
    for (let index = 0; index < 4; index++) word = word * 256 + (bytes[at + index] ?? 0);
    let group = '';
    for (let digit = 0; digit < 5; digit++) {
      group = (ALPHABET[word % 85] ?? '') + group;
      word = Math.floor(word / 85);
    }
    text += group;
  }
  return text;
}
