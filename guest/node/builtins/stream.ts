import stream from 'readable-stream/lib/stream.js';
import type { MakeBuiltin } from './builtin.ts';
import { bytesIn } from './internal/bytes.ts';
import { abortError } from './internal/errors.ts';
import { addWebStreams } from './stream/web.ts';

type Chunked = (this: unknown, chunk: unknown, ...rest: unknown[]) => unknown;

const asBytes = (chunk: unknown): unknown =>
  ArrayBuffer.isView(chunk) && !(chunk instanceof Uint8Array)
    ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    : chunk;

/** Makes a method accept any view of bytes as a chunk, unless the stream has objects. */
function takingViews(prototype: object, name: string, objects: string): void {
  const original = Reflect.get(prototype, name) as Chunked;
  const taking: Chunked = function (chunk, ...rest) {
    const plain: unknown = Reflect.get(Object(this), objects);
    return Reflect.apply(original, this, [plain ? chunk : asBytes(chunk), ...rest]);
  };
  Object.defineProperty(taking, 'name', { value: name });
  Reflect.set(prototype, name, taking);
}

/** Makes the callback of `end` get null where there is no error. */
function endingWithNull(prototype: object): void {
  const original = Reflect.get(prototype, 'end') as Chunked;
  const end: Chunked = function (...args: unknown[]) {
    const at = args.findIndex((each) => typeof each === 'function');
    const done = args[at];
    const objects: unknown = Reflect.get(Object(this), 'writableObjectMode');
    if (!objects) args[0] = asBytes(args[0]);
    if (typeof done === 'function') args[at] = (error: unknown = null): unknown => done(error) as unknown;
    return Reflect.apply(original, this, args as [unknown]);
  };
  Object.defineProperty(end, 'name', { value: 'end' });
  Reflect.set(prototype, 'end', end);
}

/** Adds `Symbol.asyncDispose` to writable streams, for `await using`. */
function disposing({ Writable, finished }: typeof stream): void {
  const dispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
  Object.defineProperty(Writable.prototype, dispose, {
    value: async function (this: InstanceType<typeof Writable>) {
      if (!this.destroyed) this.destroy(this.writableFinished ? undefined : abortError());
      await new Promise<void>((resolve, reject) => {
        finished(this, (error) => (error && error.name !== 'AbortError' ? reject(error) : resolve()));
      });
    },
    writable: true,
    configurable: true,
  });
}

function addNewerParts(module: typeof stream): void {
  takingViews(module.Writable.prototype, 'write', 'writableObjectMode');
  takingViews(module.Readable.prototype, 'push', 'readableObjectMode');
  takingViews(module.Readable.prototype, 'unshift', 'readableObjectMode');
  endingWithNull(module.Writable.prototype);
  // Duplex copied these before they were wrapped, and its `destroy` must be the one that reports lost writes.
  for (const name of ['write', 'end', 'destroy'])
    Reflect.set(module.Duplex.prototype, name, Reflect.get(module.Writable.prototype, name));
  disposing(module);
  Object.assign(module, {
    _isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
    /** Makes two streams, each of which reads what is written to the other. */
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
  // This is the default of node 22. The package implements an older version.
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
  return Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)]));
};

type Source = AsyncIterable<unknown>;

export const makeStreamConsumers: MakeBuiltin = (_host, load) => {
  const { Buffer } = load('buffer');
  async function parts(source: Source): Promise<Uint8Array[]> {
    const found: Uint8Array[] = [];
    for await (const part of source) found.push(bytesIn(part) ?? Buffer.from(String(part)));
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
    json: async (source: Source) => JSON.parse(await text(source)),
    text,
  };
};
