import { expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
import { bestDevice, deviceFor } from './device.ts';
import { NEEDED, pickedModel } from './layout.ts';
import { OFFERED } from './offered.ts';

function picked(paths: readonly string[], folder: string | null = 'tiny'): File[] {
  return paths.map((path) => {
    const file = new File(['x'], path.split('/').at(-1) ?? '');
    return Object.defineProperty(file, 'webkitRelativePath', {
      value: folder === null ? '' : `${folder}/${path}`,
    });
  });
}
const ALL = [...NEEDED, 'README.md', 'onnx/model.onnx', 'onnx/model_q4.onnx', 'onnx/model_q4f16.onnx'];

test.for([
  ['wasm', 'q4', 'onnx/model_q4.onnx'],
  ['webgpu', 'q4f16', 'onnx/model_q4f16.onnx'],
] as const)('of a folder, the weights that suit %s are taken', ([device, dtype, weights]) => {
  const model = pickedModel(picked(ALL), device);
  expect([model.name, model.dtype, [...model.files.keys()]]).toEqual(['tiny', dtype, [...NEEDED, weights]]);
});

test('files without a folder are put where they belong, with the data beside the weights', () => {
  const names = [...NEEDED, 'model_fp16.onnx', 'model.onnx', 'model.onnx_data', 'model.onnx_data_1'];
  const { name, files } = pickedModel(picked(names, null), 'wasm');
  expect(name).toBe('Model from files');
  expect([...files.keys()].slice(3)).toEqual([
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
  ]);
});

test('what is missing is named', () => {
  const what = (paths: string[]) => {
    try {
      pickedModel(picked(paths), 'wasm');
      return '';
    } catch (error) {
      return error instanceof FaultError ? error.fault.what : '';
    }
  };
  expect(what([])).toContain('config.json, tokenizer.json, tokenizer_config.json, onnx/model*.onnx missing');
  expect(what([...NEEDED, 'model.safetensors'])).toContain('onnx/model*.onnx missing');
});

test('a graphics card is used only where everything that it takes is there', async () => {
  const suspending = { WebAssembly: { Suspending: class {} } };
  const gpu = (...names: string[]) => ({
    navigator: { gpu: { requestAdapter: async () => ({ features: new Set(names) }) } },
  });
  expect(await bestDevice({ ...suspending, ...gpu('shader-f16') })).toBe('webgpu');
  expect(await bestDevice({ ...suspending, ...gpu() })).toBe('wasm');
  expect(await bestDevice({ WebAssembly: {}, ...gpu('shader-f16') })).toBe('wasm');
  expect(await bestDevice({ ...suspending, navigator: { gpu: { requestAdapter: async () => null } } })).toBe(
    'wasm',
  );
  expect(await bestDevice({ ...suspending, navigator: {} })).toBe('wasm');
  expect([deviceFor('q8', 'webgpu'), deviceFor('q4', 'webgpu'), deviceFor('q4', 'wasm')]).toEqual([
    'wasm',
    'webgpu',
    'wasm',
  ]);
});

test('every model that is offered has a licence that lets anybody use it', () => {
  for (const { id, licence, weights } of OFFERED) {
    expect(id).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(licence).toBe('Apache-2.0');
    expect(Math.max(weights.wasm.megabytes, weights.webgpu.megabytes)).toBeLessThan(700);
  }
});
