import { CompressStream, DecompressStream } from 'brotli-wasm/pkg.bundler/brotli_wasm_bg.js';

/** Brotli: a part of `node:zlib` that is fetched with its first use. */
function makeBrotli() {
  return { CompressStream, DecompressStream };
}

export type Brotli = ReturnType<typeof makeBrotli>;

// Taken from there by whoever runs this script.
Reflect.set(globalThis, '__vtr_part', makeBrotli);
