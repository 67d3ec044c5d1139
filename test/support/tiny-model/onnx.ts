/** Writes ONNX files, as far as the tiny models of the tests need them: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */

type Bytes = Uint8Array<ArrayBuffer>;
type Attribute = number | readonly number[];

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export interface Tensor {
  readonly dims: readonly number[];
  readonly values: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
}

/** A value that goes in or comes out; text stands for a dimension that may be of any size. */
export interface Value {
  readonly type: 'float' | 'int64';
  readonly dims: readonly (number | string)[];
}

export interface Graph {
  readonly inputs: Readonly<Record<string, Value>>;
  readonly outputs: Readonly<Record<string, Value>>;
  readonly weights: Readonly<Record<string, Tensor>>;
  readonly nodes: readonly Node[];
}

const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

export function onnxModel({ inputs, outputs, weights, nodes }: Graph): Bytes {
  const graph = [
    ...nodes.map((node) => field(1, nodeOf(node))),
    field(2, text('tiny')),
    ...Object.entries(weights).map(([name, tensor]) => field(5, tensorOf(name, tensor))),
    ...Object.entries(inputs).map(([name, value]) => field(11, valueOf(name, value))),
    ...Object.entries(outputs).map(([name, value]) => field(12, valueOf(name, value))),
  ];
  return join([number(1, 8), field(7, join(graph)), field(8, join([field(1, text('')), number(2, 17)]))]);
}

function nodeOf({ op, inputs, output, attributes = {} }: Node): Bytes {
  return join([
    ...inputs.map((name) => field(1, text(name))),
    field(2, text(output)),
    field(3, text(output)),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeOf(name, value))),
  ]);
}

function attributeOf(name: string, value: Attribute): Bytes {
  if (typeof value === 'number')
    return join([field(1, text(name)), number(3, value), number(20, ATTRIBUTE_INT)]);
  return join([field(1, text(name)), ...value.map((each) => number(8, each)), number(20, ATTRIBUTE_INTS)]);
}

function tensorOf(name: string, { dims, values }: Tensor): Bytes {
  return join([
    ...dims.map((size) => number(1, size)),
    number(2, values instanceof Float32Array ? FLOAT : INT64),
    field(8, text(name)),
    field(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ]);
}

function valueOf(name: string, { type, dims }: Value): Bytes {
  const shape = dims.map((size) =>
    field(1, typeof size === 'number' ? number(1, size) : field(2, text(size))),
  );
  const tensor = join([number(1, type === 'float' ? FLOAT : INT64), field(2, join(shape))]);
  return join([field(1, text(name)), field(2, field(1, tensor))]);
}

const text = (value: string): Bytes => new TextEncoder().encode(value);
const number = (tag: number, value: number): Bytes => join([varint(tag << 3), varint(value)]);
const field = (tag: number, content: Bytes): Bytes =>
  join([varint((tag << 3) | 2), varint(content.length), content]);

/** Negative numbers take ten bytes, as two's complements of 64 bits. */
function varint(value: number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return new Uint8Array([...bytes, Number(rest)]);
}

function join(pieces: readonly Bytes[]): Bytes {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
