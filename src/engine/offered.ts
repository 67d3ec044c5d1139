import type { EngineDtype } from '../protocol/engine.ts';

/** A model that can be fetched from Hugging Face. The sizes are those of the publishers' pages, and were not tried. */
export interface OfferedModel {
  /** The repository there. */
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  /** The number of its parameters, in millions. */
  readonly millions: number;
  /** The file for the processor and that for a graphics card, with its size in megabytes. */
  readonly weights: { readonly wasm: Weights; readonly webgpu: Weights };
}

interface Weights {
  readonly dtype: EngineDtype;
  readonly megabytes: number;
}

export const OFFERED: readonly OfferedModel[] = [
  {
    id: 'HuggingFaceTB/SmolLM2-360M-Instruct',
    name: 'SmolLM2 360M Instruct',
    licence: 'Apache-2.0',
    millions: 360,
    weights: { wasm: { dtype: 'q4', megabytes: 417 }, webgpu: { dtype: 'q4f16', megabytes: 299 } },
  },
  {
    id: 'onnx-community/Qwen2.5-0.5B-Instruct',
    name: 'Qwen2.5 0.5B Instruct',
    licence: 'Apache-2.0',
    millions: 490,
    weights: { wasm: { dtype: 'q8', megabytes: 512 }, webgpu: { dtype: 'q4f16', megabytes: 483 } },
  },
  {
    id: 'onnx-community/Qwen2.5-Coder-0.5B-Instruct',
    name: 'Qwen2.5 Coder 0.5B Instruct',
    licence: 'Apache-2.0',
    millions: 490,
    weights: { wasm: { dtype: 'q8', megabytes: 639 }, webgpu: { dtype: 'q4f16', megabytes: 555 } },
  },
];
