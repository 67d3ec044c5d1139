import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { ToolSpec } from '../../session/model.ts';
import type { SeenMessage } from './seen.ts';

/** One call of a model whose answers a person writes: what it sees. */
export interface YouRequest {
  readonly id: string;
  /** The session that asks. */
  readonly sessionID: string;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly ToolSpec[];
  /** What a model's interface is given, as JSON; bytes of files are only counted. */
  raw(): string;
}

export interface YouAnswer {
  readonly text: string;
  readonly calls: readonly YouCall[];
}

export interface YouCall {
  readonly tool: string;
  /** Sent exactly as it is, whether it is JSON or not. */
  readonly args: string;
}

interface Waiting {
  readonly request: YouRequest;
  settle(answer: YouAnswer): void;
}

/** Requests that wait for the person to answer in the model's place. */
export class YouDesk {
  readonly #waiting = new Map<string, Waiting>();
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

  /** An id that waits no longer is ignored: it was answered or withdrawn meanwhile. */
  answer(id: string, answer: YouAnswer): void {
    this.#waiting.get(id)?.settle(answer);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
