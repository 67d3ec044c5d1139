import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { ToolSpec } from '../../session/request/model.ts';
import type { SeenMessage } from './seen.ts';

/** One model call that a person answers, with everything the model would see. */
export interface YouRequest {
  readonly id: string;
  readonly sessionID: string;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly ToolSpec[];
  /** The call options that a model gets, as JSON; file contents are replaced by their size. */
  raw(): string;
}

export interface YouAnswer {
  readonly text: string;
  readonly calls: readonly YouCall[];
}

export interface YouCall {
  readonly tool: string;
  /** Sent exactly as written, whether it is valid JSON or not. */
  readonly args: string;
}

interface PendingRequest {
  readonly request: YouRequest;
  settle(answer: YouAnswer): void;
}

/** The requests that wait for the person to answer as the model. */
export class YouQueue {
  readonly #waiting = new Map<string, PendingRequest>();
  readonly #changed = new Listeners<void>();
  #last = 0;

  /** Rejects with the signal's reason when it is aborted. */
  ask(asked: Omit<YouRequest, 'id'>, signal: AbortSignal): Promise<YouAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const id = `you_${++this.#last}`;
      const leave = () => {
        signal.removeEventListener('abort', withdraw);
        this.#waiting.delete(id);
        this.#changed.emit();
      };
      const withdraw = () => {
        leave();
        reject(signal.reason);
      };
      const settle = (answer: YouAnswer) => {
        leave();
        resolve(answer);
      };
      signal.addEventListener('abort', withdraw);
      this.#waiting.set(id, { request: { ...asked, id }, settle });
      this.#changed.emit();
    });
  }

  /** Oldest first. */
  waiting(): readonly YouRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /** An unknown id is ignored: its request was answered or withdrawn in the meantime. */
  answer(id: string, answer: YouAnswer): void {
    this.#waiting.get(id)?.settle(answer);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
