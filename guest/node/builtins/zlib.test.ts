import buffer from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import realZlib from 'node:zlib';
import stream from 'node:stream';
import { expect, test } from 'vitest';
import { makeZlib } from './zlib.ts';

const parts: Readonly<Record<string, unknown>> = { buffer, stream };
const ours = makeZlib({} as never, ((name: string) => parts[name]) as never) as typeof realZlib;

type Handle = Record<'writeSync', (...args: unknown[]) => void>;
type Opened = Record<'_handle', Handle> & Record<'_writeState', Uint32Array>;

/** Fills rooms of the given sizes, one after the other. Returns what is in them, and how much of each is left. */
function filled({ createInflate }: typeof realZlib, packed: Uint8Array, rooms: readonly number[]) {
  const engine: unknown = createInflate();
  const { _handle: handle, _writeState: state } = engine as Opened;
  let input = packed.length;
  return rooms.map((size) => {
    const room = new Uint8Array(size + 2);
    handle.writeSync(realZlib.constants.Z_NO_FLUSH, packed, packed.length - input, input, room, 1, size);
    const [left = 0, rest = 0] = state;
    input = rest;
    return { room, left };
  });
}

test('the handle of a codec fills the room that it is given, as in Node', () => {
  const text = Buffer.from('hello '.repeat(500));
  const packed = realZlib.deflateSync(text);
  const rooms = [10, 1000, 0, 4000, 10];
  expect(filled(ours, packed, rooms)).toEqual(filled(realZlib, packed, rooms));
});

test('pngjs reads and writes pictures at once with this zlib', () => {
  const { PNG } = pngjsWith(ours);
  const png = new PNG({ width: 50, height: 40 });
  for (let at = 0; at < png.data.length; at++) png.data[at] = (at * 37) & 255;
  const bytes = PNG.sync.write(png);
  expect(PNG.sync.read(bytes)).toMatchObject({ width: 50, height: 40, data: png.data });
  expect(pngjsWith(realZlib).PNG.sync.read(bytes).data).toEqual(png.data);
  expect(() => PNG.sync.read(bytes.subarray(0, 60))).toThrow();
});

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}
interface Pngjs {
  readonly PNG: (new (size: { width: number; height: number }) => Picture) & {
    readonly sync: { write(png: Picture): Buffer; read(bytes: Uint8Array): Picture };
  };
}

/** Loads pngjs as a process of the workspace would, where `require('zlib')` gives what this is given. */
function pngjsWith(zlib: unknown): Pngjs {
  const real = createRequire(import.meta.url);
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const require = (name: string) =>
      name === 'zlib' ? zlib : name.startsWith('.') ? load(`${join(dirname(path), name)}.js`) : real(name);
    const run = new Function('module', 'exports', 'require', readFileSync(path, 'utf8'));
    Reflect.apply(run, undefined, [module, module.exports, require]);
    return module.exports;
  };
  return load(real.resolve('pngjs')) as Pngjs;
}
