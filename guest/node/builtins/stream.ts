import stream from 'readable-stream/lib/stream.js';
import type { MakeBuiltin } from './builtin.ts';
import { addWebStreams } from './stream/web.ts';

type Chunked = (this: unknown, chunk: unknown, ...rest: unknown[]) => unknown;

const asBytes = (chunk: unknown): unknown =>
  ArrayBuffer.isView(chunk) && !(chunk instanceof Uint8Array)
    ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : chunk;

/** Any view of bytes is a chunk, unless the stream is one of objects. */
function takingViews(prototype: object, name: string, objects: string): void {
  const original = Reflect.get(prototype, name) as Chunked;
  const taking: Chunked = function (chunk, ...rest) {
    const plain: unknown = Reflect.get(Object(this) as object, objects);
    return Reflect.apply(original, this, [plain ? chunk : asBytes(chunk), ...rest]);
  };
  Object.defineProperty(taking, 'name', { value: name });
  Reflect.set(prototype, name, taking);
}

function addNewerParts(module: typeof stream): void {
  takingViews(module.Writable.prototype, 'write', 'writableObjectMode');
  takingViews(module.Readable.prototype, 'push', 'readableObjectMode');
  Object.assign(module, {
    _isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
    /** Two streams: what is written to the one is read from the other. */
    duplexPair(options: object = {}) {
      const sides: InstanceType<typeof stream.Duplex>[] = [];
      const resume: ((() => void) | undefined)[] = [];
      for (const at of [0, 1])
        sides.push(
          new module.Duplex({
            ...options,
            read() {
              const done = resume[at];
              resume[at] = undefined;
              done?.();
            },
            write(chunk, _encoding, done) {
              if (chunk.length === 0) return void globalThis.process.nextTick(done);
              sides[1 - at]?.push(chunk);
              resume[1 - at] = done;
            },
            final(done) {
              sides[1 - at]?.push(null);
              done();
            },
          }),
        );
      return sides;
    },
  });
}

export const makeStream: MakeBuiltin = () => {
  // As node 22 has it: the package is of an older one.
  stream.setDefaultHighWaterMark(false, 64 * 1024);
  addWebStreams(stream);
  addNewerParts(stream);
  return stream;
};

export const makeStreamPromises: MakeBuiltin = (_host, load) => load('stream').promises;

export const makeStreamWeb: MakeBuiltin = () => {
  const names = [
    'ReadableStream',
    'ReadableStreamDefaultReader',
    'ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest',
    'ReadableByteStreamController',
    'ReadableStreamDefaultController',
    'TransformStream',
    'TransformStreamDefaultController',
    'WritableStream',
    'WritableStreamDefaultController',
    'WritableStreamDefaultWriter',
    'ByteLengthQueuingStrategy',
    'CountQueuingStrategy',
    'TextEncoderStream',
    'TextDecoderStream',
    'CompressionStream',
    'DecompressionStream',
  ];
  return Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name) as unknown]));
};

type Source = AsyncIterable<unknown>;

export const makeStreamConsumers: MakeBuiltin = (_host, load) => {
  const { Buffer } = load('buffer');
  async function parts(source: Source): Promise<Uint8Array[]> {
    const found: Uint8Array[] = [];
    for await (const part of source)
      found.push(typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array));
    return found;
  }
  async function text(source: Source): Promise<string> {
    const decoder = new TextDecoder();
    let whole = '';
    for await (const part of source)
      whole +=
        typeof part === 'string' ? part : decoder.decode(part as Uint8Array<ArrayBuffer>, { stream: true });
    return whole + decoder.decode();
  }
  const buffer = async (source: Source) => Buffer.concat(await parts(source));
  return {
    arrayBuffer: async (source: Source) => {
      const whole = await buffer(source);
      return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength);
    },
    blob: async (source: Source) => new Blob((await parts(source)) as Uint8Array<ArrayBuffer>[]),
    buffer,
    json: async (source: Source) => JSON.parse(await text(source)) as unknown,
    text,
  };
};
