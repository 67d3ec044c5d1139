import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { ModelFacts } from '../log/cost.ts';
import type { ModelRef } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';

/**
 * A model as the loop sees it: one call at a time, with everything it does as parts. Providers, scripted and
 * recorded models all implement this and cannot be told apart.
 */
export interface Model extends ModelFacts {
  readonly ref: ModelRef;
  /**
   * Never throws and never rejects: a failure before or during the stream is an `error` part. The last part
   * is always `finish`, except after an abort, which ends the iteration at once.
   */
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
  /** Set if this is no ordinary step but a request for a summary. */
  readonly purpose?: 'compaction';
  /** The same for all requests of a conversation, so that providers can find its beginning in a cache. */
  readonly cacheKey?: string;
  /**
   * Called with the exact body that is sent, as text, without headers or key. Called before the first part,
   * and never if nothing is sent.
   */
  onBody(body: unknown): void;
  /** Called with the bytes of a file that the model made, before the `file` part that names their hash. */
  onBlob?(blob: { readonly hash: Hash; readonly bytes: Uint8Array<ArrayBuffer> }): void;
}

/** A tool as it is described to a model. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
}
