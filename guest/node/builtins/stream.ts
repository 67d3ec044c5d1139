import stream from 'readable-stream/lib/stream.js';
import type { MakeBuiltin } from './builtin.ts';
import { addWebStreams } from './stream/web.ts';

export const makeStream: MakeBuiltin = () => {
  // As node 22 has it: the package is of an older one.
  stream.setDefaultHighWaterMark(false, 64 * 1024);
  addWebStreams(stream);
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
