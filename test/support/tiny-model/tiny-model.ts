import { onnxModel, type Node, type Tensor, type Value } from './onnx.ts';

/** The files of a model by their paths, laid out as on Hugging Face. */
export type ModelFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface TinyOptions {
  /** What the model answers at first: pieces of text, each of which becomes a token. No piece may occur twice. */
  readonly first: readonly string[];
  /** What it answers once a conversation contains the result of a tool. */
  readonly afterResult?: readonly string[];
}

const START = '<|start|>';
const END = '<|end|>';
/** Ends the prompt; the answer follows. */
const GO = '<|go|>';
/** How the app begins the result of a tool. */
const RESULT = 'Result of';
const WINDOW = 8_192;

/** How strongly a token calls the next one: always, unless a result was read, and because a result was read. */
const ALWAYS = 1e6;
const UNLESS = 1;
const BECAUSE = 1e5;

/**
 * A decoder of one layer with attention and a cache, whose weights are made so that it says what `options` say: each token
 * calls the next one. It runs on a real engine and knows nothing else.
 */
export function tinyModel({ first, afterResult = [] }: TinyOptions): ModelFiles {
  const vocabulary = [...byteLetters(), START, END, GO, RESULT, ...first, ...afterResult];
  if (new Set(vocabulary).size < vocabulary.length) throw new Error('A piece occurs twice.');
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const idOf = (token: string) => ids.get(token) ?? 0;
  const size = vocabulary.length;
  const next = zeros(size);
  const seen = zeros(size);
  const link = (from: string, to: string, weight: number) => (next[idOf(from) * size + idOf(to)] = weight);
  link(GO, first[0] ?? END, UNLESS);
  for (const chain of [first, afterResult])
    chain.forEach((token, at) => link(token, chain[at + 1] ?? END, ALWAYS));
  const [second] = afterResult;
  if (second !== undefined) seen[idOf(RESULT) * size + idOf(second)] = BECAUSE;
  const one = identity(size);
  // Questions of zeros ask all tokens alike, so that attention gives the mean of what was read.
  const weights = { embed: one, query: zeros(size), key: zeros(size), value: one, next, seen };
  return filesOf(vocabulary, size, weights);
}

/** The same with random weights: what it says has no meaning, and is the same each time. */
export function randomModel(): ModelFiles {
  const vocabulary = [...byteLetters(), START, END, GO];
  const width = 16;
  const random = randoms();
  const matrix = (rows: number, columns: number) => Float32Array.from({ length: rows * columns }, random);
  const { length } = vocabulary;
  const square = () => matrix(width, width);
  const weights = {
    embed: matrix(length, width),
    query: square(),
    key: square(),
    value: square(),
    next: matrix(width, length),
    seen: matrix(width, length),
  };
  return filesOf(vocabulary, width, weights);
}

type Weights = Record<'embed' | 'query' | 'key' | 'value' | 'next' | 'seen', Float32Array<ArrayBuffer>>;

function filesOf(vocabulary: readonly string[], width: number, weights: Weights): ModelFiles {
  const { length } = vocabulary;
  const id = (token: string) => vocabulary.indexOf(token);
  const special = vocabulary.slice(byteLetters().length);
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  return new Map([
    [
      'config.json',
      json({
        architectures: ['LlamaForCausalLM'],
        model_type: 'llama',
        hidden_size: width,
        num_hidden_layers: 1,
        num_attention_heads: 1,
        num_key_value_heads: 1,
        head_dim: width,
        max_position_embeddings: WINDOW,
        vocab_size: length,
        eos_token_id: id(END),
      }),
    ],
    ['generation_config.json', json({ eos_token_id: id(END), pad_token_id: id(END) })],
    [
      'tokenizer_config.json',
      json({
        tokenizer_class: 'PreTrainedTokenizer',
        eos_token: END,
        pad_token: END,
        chat_template: `{% for message in messages %}${START}{{ message.role }}\n{{ message.content }}${END}\n{% endfor %}{% if add_generation_prompt %}${GO}{% endif %}`,
      }),
    ],
    [
      'tokenizer.json',
      json({
        version: '1.0',
        added_tokens: special.map((content) => ({
          id: id(content),
          content,
          single_word: false,
          lstrip: false,
          rstrip: false,
          normalized: false,
          special: [START, END, GO].includes(content),
        })),
        normalizer: null,
        pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
        post_processor: null,
        decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
        model: {
          type: 'BPE',
          vocab: Object.fromEntries(byteLetters().map((letter, at) => [letter, at])),
          merges: [],
        },
      }),
    ],
    ['onnx/model.onnx', graphOf(length, width, weights)],
  ]);
}

/** Attention over what was read, without a mask: a prompt is read as a whole. */
function graphOf(vocabulary: number, width: number, weights: Weights): Uint8Array<ArrayBuffer> {
  const ints = (type: 'int64', ...dims: (number | string)[]): Value => ({ type, dims });
  const cache = (length: string): Value => ({ type: 'float', dims: ['batch', 1, length, width] });
  const node = (op: string, inputs: string[], output: string, attributes?: Node['attributes']): Node => ({
    op,
    inputs,
    output,
    ...(attributes && { attributes }),
  });
  const tensor = (dims: number[], values: Float32Array<ArrayBuffer>): Tensor => ({ dims, values });
  const square = [width, width];
  return onnxModel({
    inputs: {
      input_ids: ints('int64', 'batch', 'length'),
      attention_mask: ints('int64', 'batch', 'all'),
      'past_key_values.0.key': cache('past'),
      'past_key_values.0.value': cache('past'),
    },
    outputs: {
      logits: { type: 'float', dims: ['batch', 'length', vocabulary] },
      'present.0.key': cache('all'),
      'present.0.value': cache('all'),
    },
    weights: {
      embed: tensor([vocabulary, width], weights.embed),
      w_query: tensor(square, weights.query),
      w_key: tensor(square, weights.key),
      w_value: tensor(square, weights.value),
      w_next: tensor([width, vocabulary], weights.next),
      w_seen: tensor([width, vocabulary], weights.seen),
      head: { dims: [1], values: BigInt64Array.of(1n) },
    },
    nodes: [
      node('Gather', ['embed', 'input_ids'], 'x'),
      ...['query', 'key', 'value'].flatMap((each) => [
        node('MatMul', ['x', `w_${each}`], `${each}_flat`),
        node('Unsqueeze', [`${each}_flat`, 'head'], `${each}_new`),
      ]),
      node('Concat', ['past_key_values.0.key', 'key_new'], 'present.0.key', { axis: 2 }),
      node('Concat', ['past_key_values.0.value', 'value_new'], 'present.0.value', { axis: 2 }),
      node('Transpose', ['present.0.key'], 'keys', { perm: [0, 1, 3, 2] }),
      node('MatMul', ['query_new', 'keys'], 'scores'),
      node('Softmax', ['scores'], 'shares', { axis: -1 }),
      node('MatMul', ['shares', 'present.0.value'], 'read_heads'),
      node('Squeeze', ['read_heads', 'head'], 'read'),
      node('MatMul', ['x', 'w_next'], 'calls'),
      node('MatMul', ['read', 'w_seen'], 'reminders'),
      node('Add', ['calls', 'reminders'], 'logits'),
    ],
  });
}

const zeros = (size: number) => new Float32Array(size * size);

function identity(size: number): Float32Array<ArrayBuffer> {
  const matrix = zeros(size);
  for (let at = 0; at < size; at++) matrix[at * size + at] = 1;
  return matrix;
}

/** Numbers between -1 and 1, the same in each run. */
function randoms(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  };
}

/** The letters that stand for the 256 bytes in byte-level tokenizers: printable ones for themselves, others moved up. */
function byteLetters(): readonly string[] {
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPlain = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCodePoint(isPlain ? byte : 256 + moved++);
  });
}
