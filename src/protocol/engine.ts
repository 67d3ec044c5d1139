/*
 * The app and the engine for small models send each other these messages. The engine runs in a worker of `engine.html`, a frame
 * without an origin or a network: the app hands over every file.
 */

export interface EngineMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** How the numbers of a model are stored; it is part of the names of its files. */
export const ENGINE_DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;
export type EngineDtype = (typeof ENGINE_DTYPES)[number];

/** `wasm`: the processor. */
export type EngineDevice = 'wasm' | 'webgpu';

export type EngineRequest =
  | {
      readonly type: 'load';
      readonly id: number;
      /** The files of the model by their paths in its folder. */
      readonly files: ReadonlyMap<string, Blob>;
      /** The name of the weights' file without its ending, such as `model_q4`. */
      readonly dtype: EngineDtype;
      readonly device: EngineDevice;
      /** The WebAssembly of ONNX Runtime. */
      readonly wasm: ArrayBuffer;
    }
  | {
      readonly type: 'generate';
      readonly id: number;
      readonly messages: readonly EngineMessage[];
      /** How many tokens an answer may have. */
      readonly limit: number;
    }
  | { readonly type: 'count'; readonly id: number; readonly messages: readonly EngineMessage[] }
  /** Ends the answer with this id, also one that has not begun. */
  | { readonly type: 'stop'; readonly id: number };

/** Every request but `stop` is answered by any number of `text` and one of the others. */
export type EngineResponse =
  | { readonly type: 'text'; readonly id: number; readonly text: string }
  | { readonly type: 'loaded'; readonly id: number; readonly contextWindow: number }
  | { readonly type: 'counted'; readonly id: number; readonly tokens: number }
  | { readonly type: 'done'; readonly id: number; readonly input: number; readonly output: number }
  | { readonly type: 'problem'; readonly id: number; readonly problem: string };
