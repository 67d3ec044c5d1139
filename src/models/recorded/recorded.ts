import type { Hash } from '../../base/hash.ts';
import { pause, type Timer } from '../../base/timer.ts';
import type { Model, ModelRequest } from '../../session/request/model.ts';
import type { StreamPart } from '../../session/log/parts.ts';
import { LONGEST_WAIT_MS } from '../../session/recording/pace.ts';
import { firstPrompt, type Playback } from '../../session/recording/playback.ts';

export interface RecordedModelDeps {
  readonly playback: Playback;
  readonly timer: Timer;
  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined;
  /** The playback speed relative to the recording; `Infinity` plays without pauses. */
  speed(): number;
  /** Resolves when the playback is not paused, or when `signal` is aborted. */
  going(signal: AbortSignal): Promise<void>;
}

/** A model that replays recorded answers part by part. The tools run for real, as with any other model. */
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
    yield { type: 'error', fault: RECORDING_EXHAUSTED };
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
  // The recorded run was stopped at this point; the provider did not fail.
  if (!finished) yield { type: 'finish', reason: 'other', usage: {} };
}

const RECORDING_EXHAUSTED = {
  code: 'recording-exhausted',
  what: 'The recording has no answer for this request: this run differs from the recorded one.',
  next: 'Choose another model to continue.',
  retryable: false,
};
