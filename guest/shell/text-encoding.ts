import type { BufferEncoding } from './shell-fs.ts';

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function encode(content: string | Uint8Array, encoding: BufferEncoding): Uint8Array {
  if (typeof content !== 'string') return content;
  switch (encoding) {
    case 'latin1':
    case 'binary':
      return Uint8Array.from(content, (char) => char.charCodeAt(0));
    case 'base64':
      return Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    case 'hex':
      return Uint8Array.from(content.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    default:
      return utf8Encoder.encode(content);
  }
}

export function decode(bytes: Uint8Array, encoding: BufferEncoding): string {
  switch (encoding) {
    case 'latin1':
    case 'binary':
      return latin1(bytes);
    case 'base64':
      return btoa(latin1(bytes));
    case 'hex':
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    default:
      return utf8Decoder.decode(bytes);
  }
}

const PIECE = 32_768;

/**
 * Decodes one character per byte. `TextDecoder('latin1')` cannot be used, because it decodes windows-1252.
 */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return text;
}
