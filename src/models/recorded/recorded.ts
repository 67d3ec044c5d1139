import type { Hash } from '../../base/hash.ts';
import { pause, type Timer } from '../../base/timer.ts';
import type { Model, ModelRequest } from '../../session/model.ts';
import type { StreamPart } from '../../session/parts.ts';
import { LONGEST_WAIT_MS } from '../../session/recording/pace.ts';
import { firstPrompt, type Playback } from '../../session/recording/playback.ts';

export interface RecordedModelDeps {
  readonly playback: Playback;
  readonly timer: Timer;
  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined;
  /** How many times as fast as it was; `Infinity`: at once. */
  speed(): number;
  /** Resolves when it is not paused, or when `signal` is aborted. */
  going(signal: AbortSignal): Promise<void>;
}

/** A model that says again what was recorded, part by part. What the tools then do is as real as with any other. */
export function recordedModel(ref: Model['ref'], deps: RecordedModelDeps): Model {
  return { ref, stream: (request) => stream(request, deps) };
}

async function* stream(
  { messages, cacheKey = '', purpose, signal, onBlob }: ModelRequest,
  { playback, timer, content, speed, going }: RecordedModelDeps,
): AsyncGenerator<StreamPart, void, undefined> {
  const parts = purpose
    ? playback.takeSummary(cacheKey)
    : playback.take(cacheKey, firstPrompt(messages))?.parts;
  if (!parts) {
    yield { type: 'error', fault: PAST_ITS_END };
    yield { type: 'finish', reason: 'error', usage: {} };
    return;
  }
  let before = 0;
  let finished = false;
  for (const { at, part } of parts) {
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(0, at - before)) / speed();
    before = at;
    if (wait >= 1) await pause(timer, wait, signal);
    await going(signal);
    if (signal.aborted) return;
    if (part.type === 'file') {
      const bytes = content(part.blob);
      if (!bytes) continue;
      onBlob?.({ hash: part.blob, bytes });
    }
    finished = part.type === 'finish';
    yield part;
  }
  // It was stopped there: it is not the provider that broke off.
  if (!finished) yield { type: 'finish', reason: 'other', usage: {} };
}

const PAST_ITS_END = {
  code: 'recording-exhausted',
  what: 'The recording has no further answer here: what happened was not what had happened then.',
  next: 'Choose a model of your own to go on.',
  retryable: false,
};
