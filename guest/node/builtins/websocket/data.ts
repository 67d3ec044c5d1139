import { OP } from '../../../../src/base/web-socket-frame.ts';

/** Data to send: text, or bytes, which may be available only later. */
export type Data = string | ArrayBufferLike | ArrayBufferView | Blob;

/** The number of bytes of a close frame that are left for its reason. */
const MAX_REASON = 123;

export function bytesOf(data: Data): [op: number, bytes: Uint8Array | Blob] {
  if (data instanceof Blob) return [OP.binary, data];
  if (ArrayBuffer.isView(data))
    return [OP.binary, new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()];
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer)
    return [OP.binary, new Uint8Array(data).slice()];
  return [OP.text, new TextEncoder().encode(String(data))];
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('Received invalid UTF-8 in text frame.');
  }
}

/** The content of a close frame. Throws where browsers refuse the code or the reason. */
export function closeBytes(code: number | undefined, reason: string): Uint8Array {
  const given = code === undefined ? undefined : Math.trunc(Number(code)) & 0xffff;
  if (given !== undefined && given !== 1000 && (given < 3000 || given > 4999))
    throw new DOMException('invalid code', 'InvalidAccessError');
  const text = new TextEncoder().encode(String(reason));
  if (text.byteLength > MAX_REASON)
    throw new DOMException(
      `Reason must be less than ${MAX_REASON} bytes; received ${text.byteLength}`,
      'SyntaxError',
    );
  return given === undefined ? new Uint8Array() : Uint8Array.from([given >> 8, given & 0xff, ...text]);
}
