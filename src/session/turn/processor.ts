import { faultOf, type Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import { PartOrder } from '../log/part-order.ts';
import type { FinishReason, StreamPart, Usage } from '../log/parts.ts';

/** The result of one model call. */
export interface StepResult {
  readonly reason: FinishReason;
  readonly usage: Usage;
  /** The reason for a failure; also set if only the stream broke off. */
  readonly fault?: Fault;
  readonly aborted: boolean;
  /** Whether any text, file or call arrived. */
  readonly said: boolean;
  /** The calls in message order. */
  readonly calls: readonly StreamedCall[];
}

export interface StreamedCall {
  readonly callID: string;
  readonly tool: string;
  /** Absent if the stream ended before the arguments did. */
  readonly input?: Json;
  readonly invalid?: { readonly reason: string; readonly message: string };
}

/**
 * Appends everything that a model streams as a well-formed sequence: missing starts are added, open parts are
 * closed, and repeated ids are renamed. A stream that throws or just ends gets an `error` part and `finish`.
 * Never rejects. After an abort, only the ends of open parts are appended.
 */
export function consume(
  stream: AsyncIterable<StreamPart>,
  append: (part: StreamPart) => void,
  signal: AbortSignal,
): Promise<StepResult> {
  return new Promise((resolve) => {
    const step = new StreamedStep(append);
    if (signal.aborted) return resolve(step.end(true));
    const iterator = stream[Symbol.asyncIterator]();
    const stop = () => {
      resolve(step.end(true));
      // The model may be slow to stop; nobody waits for it.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    const pump = async () => {
      try {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          if (signal.aborted) return;
          step.take(next.value);
        }
      } catch (error) {
        if (signal.aborted) return;
        step.take({ type: 'error', fault: faultOf(error, 'model-failed') });
      }
      if (signal.aborted) return;
      signal.removeEventListener('abort', stop);
      resolve(step.end(false));
    };
    void pump();
  });
}

const CUT: Fault = {
  code: 'stream-cut',
  what: 'The answer of the model broke off before its end.',
  next: 'Send the message again.',
  retryable: true,
};

class StreamedStep {
  readonly #append: (part: StreamPart) => void;
  readonly #order = new PartOrder();
  readonly #calls = new Map<string, StreamedCall>();
  #finish: Extract<StreamPart, { type: 'finish' }> | undefined;
  #fault: Fault | undefined;
  #said = false;

  constructor(append: (part: StreamPart) => void) {
    this.#append = append;
  }

  take(part: StreamPart): void {
    if (this.#finish) return;
    for (const ordered of this.#order.next(part)) this.#put(ordered);
  }

  end(aborted: boolean): StepResult {
    if (!this.#finish) {
      for (const part of this.#order.close()) this.#put(part);
      if (!aborted) {
        if (!this.#fault) this.#put({ type: 'error', fault: CUT });
        this.#put({ type: 'finish', reason: 'error', usage: {} });
      }
    }
    const failed = !aborted && (this.#fault !== undefined || this.#finish?.reason === 'error');
    const fault = this.#fault ?? {
      code: 'model-failed',
      what: 'The model ended with an error and did not say which.',
    };
    return {
      reason: failed ? 'error' : (this.#finish?.reason ?? 'other'),
      usage: this.#finish?.usage ?? {},
      ...(failed && { fault }),
      aborted,
      said: this.#said || this.#calls.size > 0,
      calls: [...this.#calls.values()],
    };
  }

  #put(part: StreamPart): void {
    // This comes before the part is appended: a listener may abort, and `end` must know this part.
    if (part.type === 'error') this.#fault ??= part.fault;
    if (part.type === 'finish') this.#finish = part;
    if (part.type === 'file' || (part.type === 'text-delta' && part.text.trim())) this.#said = true;
    if (part.type === 'tool-input-start')
      this.#calls.set(part.callID, { callID: part.callID, tool: part.tool });
    if (part.type === 'tool-call') {
      const { callID, tool, input, invalid } = part;
      this.#calls.set(callID, { callID, tool, input, ...(invalid && { invalid }) });
    }
    this.#append(part);
  }
}
