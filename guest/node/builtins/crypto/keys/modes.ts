import { unsafe } from '@noble/ciphers/aes.js';
import { chacha20 } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { ghash } from '@noble/ciphers/_polyval.js';
import { opensslError } from './tools.ts';

/** A cipher that takes its bytes in pieces. */
export interface Mode {
  update(bytes: Uint8Array): Uint8Array;
  final(): Uint8Array;
  /** The tag over all that went through, of those that authenticate. */
  readonly auth?: { aad(bytes: Uint8Array): void; tag(): Uint8Array };
  /** Whether modes that work in blocks pad the last one. */
  padding?: boolean;
}

const BLOCK = 16;
const NOTHING = new Uint8Array(0);

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const wrongLength = () => opensslError('1C80006B', 'Provider routines', 'wrong final block length');
const badDecrypt = () => opensslError('1C800064', 'Provider routines', 'bad decrypt');

/** ECB, and CBC where there is an initialization vector. */
export function blockMode(key: Uint8Array, iv: Uint8Array | undefined, isEncrypting: boolean): Mode {
  const schedule = isEncrypting ? unsafe.expandKeyLE(key) : unsafe.expandKeyDecLE(key);
  let before: Uint8Array = Uint8Array.from(iv ?? NOTHING);
  let rest: Uint8Array = NOTHING;

  function blocks(bytes: Uint8Array): Uint8Array {
    const out = new Uint8Array(bytes.length);
    const block = new Uint8Array(BLOCK);
    for (let at = 0; at < bytes.length; at += BLOCK) {
      block.set(bytes.subarray(at, at + BLOCK));
      if (isEncrypting) {
        if (iv) xor(block, before);
        unsafe.encryptBlock(schedule, block);
        out.set(block, at);
        if (iv) before = out.subarray(at, at + BLOCK);
      } else {
        unsafe.decryptBlock(schedule, block);
        if (iv) {
          xor(block, before);
          before = bytes.slice(at, at + BLOCK);
        }
        out.set(block, at);
      }
    }
    return out;
  }

  const mode: Mode = {
    padding: true,
    update(bytes) {
      const all = joined(rest, bytes);
      // The last block of what is deciphered has the padding: it waits for the end.
      const kept =
        !isEncrypting && mode.padding && all.length > 0 ? all.length % BLOCK || BLOCK : all.length % BLOCK;
      const whole = all.length - kept;
      rest = all.slice(whole);
      return blocks(all.subarray(0, whole));
    },
    final() {
      if (!mode.padding) {
        if (rest.length > 0) throw wrongLength();
        return NOTHING;
      }
      if (isEncrypting) {
        const missing = BLOCK - rest.length;
        return blocks(joined(rest, new Uint8Array(missing).fill(missing)));
      }
      if (rest.length !== BLOCK) throw wrongLength();
      const last = blocks(rest);
      const padding = last[BLOCK - 1] ?? 0;
      const isRight =
        padding >= 1 && padding <= BLOCK && last.subarray(BLOCK - padding).every((byte) => byte === padding);
      if (!isRight) throw badDecrypt();
      return last.slice(0, BLOCK - padding);
    },
  };
  return mode;
}

function xor(target: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < target.length; at++) target[at] = (target[at] ?? 0) ^ (other[at] ?? 0);
}

/** Bytes of a key stream, block by block, laid over what goes through. */
function streamOver(next: () => Uint8Array) {
  let block: Uint8Array = NOTHING;
  let used = 0;
  return (bytes: Uint8Array): Uint8Array => {
    const out = new Uint8Array(bytes.length);
    for (let at = 0; at < bytes.length; at++) {
      if (used === block.length) {
        block = next();
        used = 0;
      }
      out[at] = (bytes[at] ?? 0) ^ (block[used++] ?? 0);
    }
    return out;
  };
}

function counting(key: Uint8Array, start: Uint8Array, width: number): () => Uint8Array {
  const schedule = unsafe.expandKeyLE(key);
  const counter = Uint8Array.from(start);
  return () => {
    const block = unsafe.encryptBlock(schedule, Uint8Array.from(counter));
    for (let at = BLOCK - 1; at >= BLOCK - width; at--) {
      counter[at] = ((counter[at] ?? 0) + 1) & 0xff;
      if (counter[at] !== 0) break;
    }
    return block;
  };
}

export function ctrMode(key: Uint8Array, iv: Uint8Array): Mode {
  return { update: streamOver(counting(key, iv, BLOCK)), final: () => NOTHING };
}

/** The last 16 bytes that both authenticators end with: two lengths. */
function lengths(aad: number, text: number, isLittle: boolean, unit: number): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const view = new DataView(block.buffer);
  view.setBigUint64(0, BigInt(aad * unit), isLittle);
  view.setBigUint64(8, BigInt(text * unit), isLittle);
  return block;
}

interface Authenticator {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Feeds whole blocks only: each part is filled up with zeros. */
function authenticating(
  authenticator: Authenticator,
  crypt: (bytes: Uint8Array) => Uint8Array,
  isEncrypting: boolean,
  end: (aad: number, text: number) => Uint8Array,
  finish: (tag: Uint8Array) => Uint8Array,
): Mode {
  let aadLength = 0;
  let textLength = 0;
  let rest: Uint8Array = NOTHING;
  let done: Uint8Array | undefined;
  const feed = (bytes: Uint8Array) => {
    const all = joined(rest, bytes);
    const whole = all.length - (all.length % BLOCK);
    if (whole > 0) authenticator.update(all.slice(0, whole));
    rest = all.slice(whole);
  };
  const fill = () => {
    if (rest.length > 0) authenticator.update(joined(rest, new Uint8Array(BLOCK - rest.length)));
    rest = NOTHING;
  };
  return {
    update(bytes) {
      if (textLength === 0) fill();
      const out = crypt(bytes);
      feed(isEncrypting ? out : bytes);
      textLength += bytes.length;
      return out;
    },
    final: () => NOTHING,
    auth: {
      aad(bytes) {
        aadLength += bytes.length;
        feed(bytes);
      },
      tag() {
        if (!done) {
          fill();
          authenticator.update(end(aadLength, textLength));
          done = finish(authenticator.digest());
        }
        return done;
      },
    },
  };
}

export function gcmMode(key: Uint8Array, iv: Uint8Array, isEncrypting: boolean): Mode {
  const schedule = unsafe.expandKeyLE(key);
  const hashKey = unsafe.encryptBlock(schedule, new Uint8Array(BLOCK));
  const first = new Uint8Array(BLOCK);
  if (iv.length === 12) {
    first.set(iv);
    first[15] = 1;
  } else {
    const hash = ghash.create(hashKey);
    hash.update(joined(iv, new Uint8Array((BLOCK - (iv.length % BLOCK)) % BLOCK)));
    hash.update(lengths(0, iv.length, false, 8));
    first.set(hash.digest());
  }
  const next = counting(key, first, 4);
  const mask = next();
  return authenticating(
    ghash.create(hashKey),
    streamOver(next),
    isEncrypting,
    (aad, text) => lengths(aad, text, false, 8),
    (tag) => {
      const masked = Uint8Array.from(tag);
      xor(masked, mask);
      return masked;
    },
  );
}

export function chachaMode(key: Uint8Array, iv: Uint8Array, isEncrypting: boolean): Mode {
  const nonce = joined(new Uint8Array(12 - iv.length), iv);
  let counter = 0;
  const next = () => chacha20(key, nonce, new Uint8Array(64), undefined, counter++);
  const one = next().slice(0, 32);
  return authenticating(
    poly1305.create(one),
    streamOver(next),
    isEncrypting,
    (aad, text) => lengths(aad, text, true, 1),
    (tag) => tag,
  );
}
