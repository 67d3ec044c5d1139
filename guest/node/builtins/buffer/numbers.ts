import { argTypeError, nodeError, outOfRange } from '../internal/errors.ts';

type Bytes = Uint8Array & Record<string, unknown>;
type Kind = 'Uint' | 'Int' | 'BigUint' | 'BigInt' | 'Float';

/** The reading and writing methods for numbers, with the names that node has for them. */
export function numberMethods(): Record<string, (this: Bytes, ...args: never[]) => unknown> {
  const methods: Record<string, (this: Bytes, ...args: never[]) => unknown> = {};
  const add = (verb: 'read' | 'write', name: string, method: (this: Bytes, ...args: never[]) => unknown) => {
    methods[verb + name] = method;
    if (name.includes('UInt')) methods[verb + name.replace('UInt', 'Uint')] = method;
    Object.defineProperty(method, 'name', { value: verb + name, configurable: true });
  };
  for (const { name, kind, bits, little } of fixed()) {
    const size = bits / 8;
    add('read', name, function (this: Bytes, offset: unknown = 0) {
      const at = place(this, offset, size);
      return readAt(this, kind, bits, at, little);
    });
    add('write', name, function (this: Bytes, value: unknown, offset: unknown = 0) {
      const number = numberFor(kind, value);
      if (kind !== 'Float') checkValue(number, kind, size);
      const at = place(this, offset, size);
      writeAt(this, kind, bits, at, little, number);
      return at + size;
    });
  }
  for (const signed of [false, true]) {
    for (const little of [true, false]) {
      const name = `${signed ? 'Int' : 'UInt'}${little ? 'LE' : 'BE'}`;
      add('read', name, function (this: Bytes, offset: unknown, size: unknown) {
        if (offset === undefined) throw argTypeError('offset', 'number', offset);
        const length = sizeOf(size);
        const at = place(this, offset, length);
        let value = 0;
        for (let index = 0; index < length; index++)
          value = value * 256 + (this[little ? at + length - 1 - index : at + index] ?? 0);
        return signed && value >= 2 ** (length * 8 - 1) ? value - 2 ** (length * 8) : value;
      });
      add('write', name, function (this: Bytes, value: unknown, offset: unknown, size: unknown) {
        const length = sizeOf(size);
        const number = Number(value);
        checkValue(number, signed ? 'Int' : 'Uint', length);
        const at = place(this, offset, length);
        let rest = number < 0 ? number + 2 ** (length * 8) : number;
        for (let index = 0; index < length; index++) {
          this[little ? at + index : at + length - 1 - index] = rest % 256;
          rest = Math.floor(rest / 256);
        }
        return at + length;
      });
    }
  }
  return methods;
}

function* fixed(): Generator<{ name: string; kind: Kind; bits: number; little: boolean }> {
  for (const kind of ['Uint', 'Int'] as const) {
    const label = kind === 'Uint' ? 'UInt' : 'Int';
    yield { name: `${label}8`, kind, bits: 8, little: true };
    for (const bits of [16, 32])
      for (const little of [true, false])
        yield { name: `${label}${bits}${little ? 'LE' : 'BE'}`, kind, bits, little };
  }
  for (const little of [true, false]) {
    const end = little ? 'LE' : 'BE';
    yield { name: `BigUInt64${end}`, kind: 'BigUint', bits: 64, little };
    yield { name: `BigInt64${end}`, kind: 'BigInt', bits: 64, little };
    yield { name: `Float${end}`, kind: 'Float', bits: 32, little };
    yield { name: `Double${end}`, kind: 'Float', bits: 64, little };
  }
}

function sizeOf(size: unknown): number {
  if (typeof size !== 'number') throw argTypeError('byteLength', 'number', size);
  if (Math.floor(size) !== size) throw outOfRange('byteLength', 'an integer', size);
  if (size < 1 || size > 6) throw outOfRange('byteLength', '>= 1 and <= 6', size);
  return size;
}

function place(bytes: Uint8Array, offset: unknown, size: number): number {
  if (typeof offset !== 'number') throw argTypeError('offset', 'number', offset);
  const last = bytes.length - size;
  if (Number.isInteger(offset) && offset >= 0 && offset <= last) return offset;
  if (Math.floor(offset) !== offset) throw outOfRange('offset', 'an integer', offset);
  if (last < 0)
    throw nodeError('ERR_BUFFER_OUT_OF_BOUNDS', 'Attempt to access memory outside buffer bounds', RangeError);
  throw outOfRange('offset', `>= 0 and <= ${last}`, offset);
}

function numberFor(kind: Kind, value: unknown): number | bigint {
  if (kind === 'BigInt' || kind === 'BigUint') {
    if (typeof value === 'bigint') return value;
    throw new TypeError(`Cannot mix BigInt and other types, use explicit conversions`);
  }
  return Number(value);
}

function checkValue(value: number | bigint, kind: Kind, size: number): void {
  const bits = size * 8;
  const unsigned = kind === 'Uint' || kind === 'BigUint';
  const n = typeof value === 'bigint' ? 'n' : '';
  const low = unsigned ? 0 : -(2 ** (bits - 1));
  const high = unsigned ? 2 ** bits : 2 ** (bits - 1);
  if (!(value < low || value >= high)) return;
  const range =
    size > 4
      ? unsigned
        ? `>= 0${n} and < 2${n} ** ${bits}${n}`
        : `>= -(2${n} ** ${bits - 1}${n}) and < 2${n} ** ${bits - 1}${n}`
      : `>= ${low} and <= ${high - 1}`;
  throw outOfRange('value', range, value);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readAt(bytes: Uint8Array, kind: Kind, bits: number, at: number, little: boolean): number | bigint {
  if (bits === 8) return kind === 'Uint' ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 24) >> 24;
  const view = viewOf(bytes);
  switch (kind) {
    case 'Uint':
      return bits === 16 ? view.getUint16(at, little) : view.getUint32(at, little);
    case 'Int':
      return bits === 16 ? view.getInt16(at, little) : view.getInt32(at, little);
    case 'BigUint':
      return view.getBigUint64(at, little);
    case 'BigInt':
      return view.getBigInt64(at, little);
    case 'Float':
      return bits === 32 ? view.getFloat32(at, little) : view.getFloat64(at, little);
  }
}

function writeAt(
  bytes: Uint8Array,
  kind: Kind,
  bits: number,
  at: number,
  little: boolean,
  value: number | bigint,
): void {
  if (bits === 8) {
    bytes[at] = Number(value);
    return;
  }
  const view = viewOf(bytes);
  switch (kind) {
    case 'Uint':
    case 'Int':
      return bits === 16
        ? view.setUint16(at, Number(value), little)
        : view.setUint32(at, Number(value), little);
    case 'BigUint':
    case 'BigInt':
      return view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), little);
    case 'Float':
      return bits === 32
        ? view.setFloat32(at, Number(value), little)
        : view.setFloat64(at, Number(value), little);
  }
}
