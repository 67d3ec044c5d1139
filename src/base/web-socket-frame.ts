/** The opcodes of frames (RFC 6455, 5.2). */
export const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** How many bytes a frame that controls the connection carries at most. */
export const MAX_CONTROL = 125;

/** Encodes one frame, masked as the frames of clients must be. */
export function frameOf(op: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = bytes.byteLength;
  const longer = size > 0xffff ? 8 : size > MAX_CONTROL ? 2 : 0;
  const frame = new Uint8Array(6 + longer + size);
  const view = new DataView(frame.buffer);
  frame[0] = 0x80 | op;
  frame[1] = 0x80 | (longer === 8 ? 127 : longer === 2 ? 126 : size);
  if (longer === 2) view.setUint16(2, size);
  if (longer === 8) view.setBigUint64(2, BigInt(size));
  const mask = crypto.getRandomValues(frame.subarray(2 + longer, 6 + longer));
  const body = frame.subarray(6 + longer);
  for (let at = 0; at < size; at++) body[at] = (bytes[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return frame;
}
