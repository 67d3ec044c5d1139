export type Encoding = 'utf8' | 'utf16le' | 'latin1' | 'ascii' | 'hex' | 'base64' | 'base64url';

export function encodingNamed(name: unknown): Encoding | undefined {
  switch (String(name).toLowerCase()) {
    case 'utf8':
    case 'utf-8':
      return 'utf8';
    case 'ucs2':
    case 'ucs-2':
    case 'utf16le':
    case 'utf-16le':
      return 'utf16le';
    case 'latin1':
    case 'binary':
      return 'latin1';
    case 'ascii':
      return 'ascii';
    case 'hex':
      return 'hex';
    case 'base64':
      return 'base64';
    case 'base64url':
      return 'base64url';
    default:
      return undefined;
  }
}

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case 'utf8':
      return utf8Encoder.encode(text);
    case 'latin1':
    case 'ascii':
      return unitsOf(text);
    case 'utf16le': {
      const bytes = new Uint8Array(text.length * 2);
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        bytes[at * 2] = unit & 255;
        bytes[at * 2 + 1] = unit >> 8;
      }
      return bytes;
    }
    case 'hex':
      return fromHex(text);
    case 'base64':
    case 'base64url':
      return fromBase64(text);
  }
}

function unitsOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The number of bytes that {@link encode} returns. */
export function encodedLength(text: string, encoding: Encoding): number {
  switch (encoding) {
    case 'utf8': {
      let bytes = text.length;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit < 0x80) continue;
        if (unit < 0x800) bytes += 1;
        else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
          bytes += 2;
          at += 1;
        } else bytes += 2;
      }
      return bytes;
    }
    case 'latin1':
    case 'ascii':
      return text.length;
    case 'utf16le':
      return text.length * 2;
    case 'hex':
      return text.length >>> 1;
    case 'base64':
    case 'base64url': {
      let { length } = text;
      if (text.endsWith('=')) length -= 1;
      if (length > 1 && text[length - 1] === '=') length -= 1;
      return (length * 3) >>> 2;
    }
  }
}

export function decode(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return utf8Decoder.decode(unshared(bytes));
    case 'latin1':
      return fromUnits(bytes);
    case 'ascii':
      return fromUnits(bytes.map((byte) => byte & 127));
    case 'utf16le': {
      const units = new Uint16Array(bytes.length >> 1);
      for (let at = 0; at < units.length; at++)
        units[at] = (bytes[at * 2] ?? 0) | ((bytes[at * 2 + 1] ?? 0) << 8);
      return fromUnits(units);
    }
    case 'hex': {
      let text = '';
      for (let at = 0; at < bytes.length; at++) text += hexOf[bytes[at] ?? 0];
      return text;
    }
    case 'base64':
      return toBase64(bytes);
    case 'base64url':
      return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }
}

// Decoders refuse shared memory.
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes);
}

const CHUNK = 4096;

function fromUnits(units: Uint8Array | Uint16Array): string {
  if (units.length <= CHUNK) return String.fromCharCode(...units);
  let text = '';
  for (let at = 0; at < units.length; at += CHUNK)
    text += String.fromCharCode(...units.subarray(at, at + CHUNK));
  return text;
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length >>> 1);
  for (let at = 0; at < bytes.length; at++) {
    const high = hexDigit(text.charCodeAt(at * 2));
    const low = hexDigit(text.charCodeAt(at * 2 + 1));
    if (high < 0 || low < 0) return bytes.slice(0, at);
    bytes[at] = high * 16 + low;
  }
  return bytes;
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64Values = new Int8Array(128).fill(-1);
for (let at = 0; at < 64; at++) base64Values[base64Digits.charCodeAt(at)] = at;
base64Values[45] = 62;
base64Values[95] = 63;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  const whole = bytes.length - (bytes.length % 3);
  for (let at = 0; at < whole; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text +=
      base64Digits.charAt(group >> 18) +
      base64Digits.charAt((group >> 12) & 63) +
      base64Digits.charAt((group >> 6) & 63) +
      base64Digits.charAt(group & 63);
  }
  if (bytes.length - whole === 1) {
    const last = bytes[whole] ?? 0;
    text += `${base64Digits.charAt(last >> 2)}${base64Digits.charAt((last & 3) << 4)}==`;
  } else if (bytes.length - whole === 2) {
    const group = ((bytes[whole] ?? 0) << 8) | (bytes[whole + 1] ?? 0);
    text += `${base64Digits.charAt(group >> 10)}${base64Digits.charAt((group >> 4) & 63)}${base64Digits.charAt((group & 15) << 2)}=`;
  }
  return text;
}

// Lenient as node is: both alphabets, characters of neither are passed over, `=` ends it.
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 61) break;
    const value = unit < 128 ? (base64Values[unit] ?? -1) : -1;
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = (held >> bits) & 255;
    }
  }
  return bytes.slice(0, length);
}
