import {
  argTypeError,
  argValueError,
  needInteger,
  needObject,
  outOfRange,
} from '../builtins/internal/errors.ts';

/** The largest possible file, because the browser has no larger buffers. */
export const MAX_FILE_BYTES = 2 ** 31 - 1;

export interface BufferPart {
  readonly view: Uint8Array;
  /** The offset in the file; undefined means where the last operation ended. */
  readonly position: number | undefined;
}

function needView(value: unknown, kinds: readonly string[] = []): asserts value is ArrayBufferView {
  if (!ArrayBuffer.isView(value))
    throw argTypeError('buffer', [...kinds, 'Buffer', 'TypedArray', 'DataView'], value);
}

function viewOf(buffer: ArrayBufferView, offset: number, length: number): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
}

function readPosition(position: unknown, length: number): number | undefined {
  if (position === undefined || position === null) return undefined;
  if (typeof position === 'number') needInteger(position, 'position', -1);
  else if (typeof position !== 'bigint') throw argTypeError('position', ['integer', 'bigint'], position);
  else {
    const last = 2n ** 63n - 1n - BigInt(length);
    if (position < -1n || position > last) throw outOfRange('position', `>= -1 && <= ${last}`, position);
  }
  // There is nothing beyond the largest file.
  return Number(position) < 0 ? undefined : Math.min(Number(position), MAX_FILE_BYTES);
}

/** The offset of a write. Undefined, for any value that is no number, means where the last operation ended. */
export function writePosition(position: unknown): number | undefined {
  if (typeof position === 'bigint') return writePosition(Number(position));
  return typeof position === 'number' && position >= 0 ? position : undefined;
}

/** The part of a buffer to read into, from separate arguments or an object. */
export function partToRead(buffer: unknown, args: readonly unknown[]): BufferPart {
  needView(buffer);
  let [offset, length, position] = args;
  if (args.length <= 1 || (typeof offset === 'object' && offset !== null)) {
    if (offset !== undefined && offset !== null) needObject(offset, 'options');
    const given: { readonly offset?: unknown; readonly length?: unknown; readonly position?: unknown } =
      offset ?? {};
    ({ offset, position } = given);
    length = given.length ?? buffer.byteLength - Number(offset ?? 0);
  }
  const from = offset ?? 0;
  needInteger(from, 'offset', 0);
  const size = Number(length ?? 0) | 0;
  if (size === 0) return { view: viewOf(buffer, 0, 0), position: undefined };
  if (buffer.byteLength === 0) throw argValueError('buffer', buffer, 'is empty and cannot be written');
  if (size < 0) throw outOfRange('length', '>= 0', size);
  if (from + size > buffer.byteLength) throw outOfRange('length', `<= ${buffer.byteLength - from}`, size);
  return { view: viewOf(buffer, from, size), position: readPosition(position, size) };
}

/** The part of a buffer to write, from separate arguments or an object. */
export function partToWrite(buffer: unknown, args: readonly unknown[]): BufferPart {
  needView(buffer, ['string']);
  let [offset, length, position] = args;
  if (typeof offset === 'object' && offset !== null)
    ({ offset, length, position } = offset as Record<string, unknown>);
  const from = offset ?? 0;
  needInteger(from, 'offset', 0);
  const room = buffer.byteLength - from;
  const size = typeof length === 'number' ? length : room;
  if (from > buffer.byteLength) throw outOfRange('offset', `<= ${buffer.byteLength}`, from);
  if (size > room) throw outOfRange('length', `<= ${room}`, size);
  if (size < 0) throw outOfRange('length', '>= 0', size);
  if (size > MAX_FILE_BYTES) throw outOfRange('length', `>= 0 && <= ${MAX_FILE_BYTES}`, size);
  return { view: viewOf(buffer, from, size | 0), position: writePosition(position) };
}

export function vectorsOf(buffers: unknown): ArrayBufferView[] {
  if (!Array.isArray(buffers) || !buffers.every((each) => ArrayBuffer.isView(each)))
    throw argTypeError('buffers', 'ArrayBufferView[]', buffers);
  return buffers;
}
