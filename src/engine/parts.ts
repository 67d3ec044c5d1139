import graphicsScript from 'guest:guest/engine/graphics.ts';
import processorScript from 'guest:guest/engine/main.ts';
import graphicsWasm from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import processorWasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { loadBytes, loadText } from '../base/parts.ts';
import type { EngineDevice } from '../protocol/engine.ts';

/** The script that runs in the engine's worker. */
export const engineScript = (device: EngineDevice): Promise<string> =>
  loadText(device === 'webgpu' ? graphicsScript : processorScript);

/** The WebAssembly of ONNX Runtime, which belongs to the same device. */
export const runtimeBytes = (device: EngineDevice): Promise<ArrayBuffer> =>
  loadBytes(device === 'webgpu' ? graphicsWasm : processorWasm);
