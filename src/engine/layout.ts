import { FaultError } from '../base/fault.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import type { EngineDevice, EngineDtype } from '../protocol/engine.ts';

/** How the files of a model are named on Hugging Face, and in a folder that the person picks. */

const SUFFIXES: Readonly<Record<EngineDtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** The smallest that the device runs well goes first. */
const PREFERRED: Readonly<Record<EngineDevice, readonly EngineDtype[]>> = {
  wasm: ['q4', 'q8', 'int8', 'uint8', 'bnb4', 'fp32'],
  webgpu: ['q4f16', 'q4', 'fp16', 'fp32', 'q8', 'int8', 'uint8', 'bnb4'],
};

export const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;
/** Absent in some models. */
export const OPTIONAL = ['generation_config.json', 'chat_template.jinja', 'special_tokens_map.json'] as const;

export const weightsPath = (dtype: EngineDtype): string => `onnx/model${SUFFIXES[dtype]}.onnx`;

/** The files of one model among those that the person picked, by their paths in its folder. */
export interface PickedModel {
  readonly name: string;
  readonly dtype: EngineDtype;
  readonly files: ReadonlyMap<string, Blob>;
}

/** Rejects with a fault that names what is missing. */
export function pickedModel(picked: readonly File[], device: EngineDevice): PickedModel {
  const byPath = new Map(picked.map((file) => [pathOf(file), file]));
  const missing = NEEDED.filter((path) => !byPath.has(path));
  const dtype = PREFERRED[device].find((each) => byPath.has(weightsPath(each)));
  if (missing.length > 0 || !dtype)
    throw new FaultError({
      code: 'no-model-files',
      what: fill(TEXTS.noFiles, { files: [...missing, ...(dtype ? [] : ['onnx/model*.onnx'])].join(', ') }),
      next: TEXTS.pickFolder,
      retryable: false,
    });
  const weights = weightsPath(dtype);
  const wanted = (path: string) =>
    path === weights ||
    path.startsWith(`${weights}_data`) ||
    [...NEEDED, ...OPTIONAL].some((each) => each === path);
  const [folder = ''] = picked.map(({ webkitRelativePath }) => webkitRelativePath.split('/')[0] ?? '');
  return {
    name: folder || 'Model from files',
    dtype,
    files: new Map([...byPath].filter(([path]) => wanted(path))),
  };
}

/** Single files have no folder; their names tell where they belong. */
function pathOf({ name, webkitRelativePath }: File): string {
  if (webkitRelativePath !== '') return webkitRelativePath.split('/').slice(1).join('/');
  return /\.onnx(_data(_\d+)?)?$/.test(name) ? `onnx/${name}` : name;
}
