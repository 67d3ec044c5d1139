import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { ModelMessage } from '../models/types.ts';
import type { ModelFacts } from './cost.ts';
import type { ModelRef } from './events.ts';
import type { StreamPart } from './parts.ts';

/**
 * A model as the loop sees it: one call at a time, everything it does as parts. Providers, scripted and recorded
 * models all stand behind this and cannot be told apart.
 */
export interface Model extends ModelFacts {
  readonly ref: ModelRef;
  /**
   * Never throws and never rejects: whatever goes wrong, before or during the stream, is an `error` part.
   * The last part is always `finish`, except after an abort, which ends the iteration at once.
   */
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
  /** Where it is no step: the conversation is to be summed up. */
  readonly purpose?: 'compaction';
  /** The same for all requests of a conversation: where a provider routes by it, they find its beginning in a cache. */
  readonly cacheKey?: string;
  /** The body exactly as it is sent, as text: no headers, no key. Called before the first part; never where nothing is sent. */
  onBody(body: unknown): void;
  /** Bytes of a file the model made; called before the `file` part that names their hash. */
  onBlob?(blob: { readonly hash: Hash; readonly bytes: Uint8Array<ArrayBuffer> }): void;
}

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
}
