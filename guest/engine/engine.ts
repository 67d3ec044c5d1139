import {
  AutoModelForCausalLM,
  AutoTokenizer,
  StoppingCriteria,
  TextStreamer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Tensor,
} from '@huggingface/transformers';
import type { EngineMessage, EngineRequest } from '../../src/protocol/engine.ts';

/** The name under which the library asks for the one model that there is. */
const NAME = 'given/model';
/** Used where a model does not say how much it can read. */
const SMALL_WINDOW = 2_048;
/** Longer conversations need more memory and time than a tab has, whatever the model says of itself. */
const LARGEST_WINDOW = 8_192;

type Load = Extract<EngineRequest, { type: 'load' }>;
type Generate = Extract<EngineRequest, { type: 'generate' }>;

interface Loaded {
  readonly tokenizer: PreTrainedTokenizer;
  readonly model: PreTrainedModel;
}

/** One language model, run by Transformers.js on ONNX Runtime. */
export class Engine {
  readonly #stopped = new Set<number>();
  #loaded: Loaded | null = null;

  /** Resolves to how many tokens fit into a conversation. */
  async load({ files, dtype, device, wasm }: Load): Promise<number> {
    serveFiles(files);
    const { wasm: runtime } = env.backends.onnx;
    if (runtime) {
      runtime.wasmBinary = wasm;
      // The library sets the address of a CDN.
      Reflect.deleteProperty(runtime, 'wasmPaths');
      // Threads would load this script again, from an address that a frame without an origin does not have.
      runtime.numThreads = 1;
    }
    const tokenizer = await AutoTokenizer.from_pretrained(NAME);
    if (!tokenizer.chat_template)
      throw new Error('The model has no template for conversations: it is no chat model.');
    const useExternalData = files.has(`onnx/${weightsOf(files)}_data`);
    const model = await AutoModelForCausalLM.from_pretrained(NAME, {
      dtype,
      device,
      ...(useExternalData && { use_external_data_format: true }),
    });
    letMessagesIn(model);
    this.#loaded = { tokenizer, model };
    const window: unknown = Reflect.get(model.config, 'max_position_embeddings');
    return Math.min(typeof window === 'number' ? window : SMALL_WINDOW, LARGEST_WINDOW);
  }

  count(messages: readonly EngineMessage[]): number {
    return lengthOf(this.#inputs(messages).input_ids);
  }

  async generate(
    { id, messages, limit }: Generate,
    say: (text: string) => void,
  ): Promise<{ readonly input: number; readonly output: number }> {
    const { tokenizer, model } = this.#ready();
    const inputs = this.#inputs(messages);
    const input = lengthOf(inputs.input_ids);
    let output = 0;
    const streamer = new TextStreamer(tokenizer, {
      skip_prompt: true,
      skip_special_tokens: true,
      callback_function: say,
      token_callback_function: (tokens) => (output += tokens.length),
    });
    const isStopped = () => this.#stopped.has(id);
    if (isStopped()) return { input, output };
    await model.generate({
      ...inputs,
      max_new_tokens: limit,
      do_sample: false,
      streamer,
      stopping_criteria: new StopWhen(isStopped),
    });
    return { input, output };
  }

  stop(id: number): void {
    this.#stopped.add(id);
  }

  #inputs(messages: readonly EngineMessage[]): { readonly input_ids: Tensor } {
    // Models that can reason first would spend most of their small context on it: some templates know this word.
    const options = { add_generation_prompt: true, return_dict: true, enable_thinking: false } as const;
    return this.#ready().tokenizer.apply_chat_template([...messages], options);
  }

  #ready(): Loaded {
    if (!this.#loaded) throw new Error('No model is loaded.');
    return this.#loaded;
  }
}

class StopWhen extends StoppingCriteria {
  readonly #holds: () => boolean;

  constructor(holds: () => boolean) {
    super();
    this.#holds = holds;
  }

  override _call(ids: readonly unknown[]): boolean[] {
    return ids.map(() => this.#holds());
  }
}

/** On a processor an answer is one long run of promises: without a pause the worker would not hear that it is to stop. */
function letMessagesIn(model: PreTrainedModel): void {
  const forward = model.forward.bind(model);
  const { port1, port2 } = new MessageChannel();
  model.forward = async (inputs) => {
    const paused = new Promise((resolve) => (port1.onmessage = resolve));
    port2.postMessage(null);
    await paused;
    return forward(inputs);
  };
}

const lengthOf = (ids: Tensor): number => ids.dims.at(-1) ?? 0;

const weightsOf = (files: ReadonlyMap<string, Blob>): string =>
  [...files.keys()].find((path) => path.endsWith('.onnx'))?.replace(/^onnx\//, '') ?? '';

/** Answers whatever the library fetches with the given files. Nothing else is there: the frame has no network. */
function serveFiles(files: ReadonlyMap<string, Blob>): void {
  env.allowLocalModels = false;
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.fetch = async (address: RequestInfo | URL) => {
    const url = new URL(address instanceof Request ? address.url : address);
    const [, path = ''] = url.pathname.split(/\/resolve\/[^/]+\//);
    const file = files.get(path);
    return file ? new Response(file) : new Response(null, { status: 404 });
  };
}
