import { CompressStream, DecompressStream } from 'brotli-wasm/pkg.bundler/brotli_wasm_bg.js';

/** Brotli: a part of `node:zlib` that is fetched with its first use. */
function makeBrotli() {
  return { CompressStream, DecompressStream };
}

export type MakeBrotli = typeof makeBrotli;
export type Brotli = ReturnType<MakeBrotli>;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', makeBrotli);
