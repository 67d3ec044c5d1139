import type { Plugin } from 'vite';

/**
 * Which build of ONNX Runtime each script of the engine gets in place of the one that Transformers.js names: the one for
 * processors, or the one for graphics cards that needs the browser to suspend WebAssembly (JSPI). Each is half as large as the
 * one in its place, which does both.
 */
const RUNTIMES: Readonly<Record<string, string>> = {
  'guest/engine/main.ts': 'onnxruntime-web/wasm',
  'guest/engine/graphics.ts': 'onnxruntime-web/jspi',
};

export function onnxRuntime(entry: string): Plugin {
  const runtime = RUNTIMES[entry];
  return {
    name: 'vitrine:onnx-runtime',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (source !== 'onnxruntime-web/webgpu' || runtime === undefined) return undefined;
      return this.resolve(runtime, importer, { ...options, skipSelf: true });
    },
  };
}

/** The runtime asks for its own address, which a script that is handed over as text does not have. */
export const withoutAddress = (entry: string) => (entry in RUNTIMES ? { 'import.meta.url': '""' } : {});
