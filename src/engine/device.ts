import type { EngineDevice, EngineDtype } from '../protocol/engine.ts';

/**
 * Where models run here. A graphics card is used if it calculates with numbers of 16 bits, and if the browser can suspend
 * WebAssembly meanwhile (JSPI), which the runtime for it needs.
 */
export async function bestDevice(scope: object = globalThis): Promise<EngineDevice> {
  const wasm: unknown = Reflect.get(scope, 'WebAssembly');
  const suspends = typeof wasm === 'object' && wasm !== null && 'Suspending' in wasm;
  const navigator: unknown = Reflect.get(scope, 'navigator');
  if (!suspends || typeof navigator !== 'object' || navigator === null) return 'wasm';
  const gpu: unknown = Reflect.get(navigator, 'gpu');
  if (!hasAdapters(gpu)) return 'wasm';
  try {
    const adapter = await gpu.requestAdapter();
    return adapter?.features.has('shader-f16') ? 'webgpu' : 'wasm';
  } catch {
    return 'wasm';
  }
}

/** The part of WebGPU that is used here. */
interface Adapters {
  requestAdapter(): Promise<{ readonly features: { has(name: string): boolean } } | null>;
}

function hasAdapters(gpu: unknown): gpu is Adapters {
  return typeof gpu === 'object' && gpu !== null && 'requestAdapter' in gpu;
}

/** Files of these kinds run on a processor only. */
const ON_PROCESSORS: ReadonlySet<EngineDtype> = new Set(['q8', 'int8', 'uint8']);

/** Where files of this kind run, on a machine with this device. */
export const deviceFor = (dtype: EngineDtype, best: EngineDevice): EngineDevice =>
  ON_PROCESSORS.has(dtype) ? 'wasm' : best;
