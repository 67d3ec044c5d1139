import { FaultError, type Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Event } from '../../session/log/events.ts';
import type { SessionState } from '../../session/log/state.ts';
import type { SessionHandle } from '../app.ts';

/** A read-only session: it rejects every change, and nothing runs in it. */
export abstract class ShownSession implements SessionHandle {
  readonly writable = false;
  readonly past = true;
  readonly restores = null;
  readonly #refusal: Fault;

  constructor(refusal: Fault) {
    this.#refusal = refusal;
  }

  abstract readonly id: string;
  abstract get state(): SessionState;
  abstract get oldestLoaded(): boolean;
  abstract onEvents(listener: (events: readonly Event[]) => void): Unlisten;
  abstract loadOlder(limit?: number): Promise<boolean>;

  readonly #refuse = (): Promise<never> => Promise.reject(new FaultError(this.#refusal));
  readonly prompt = this.#refuse;
  readonly command = this.#refuse;
  readonly setMode = this.#refuse;
  readonly chooseAgent = this.#refuse;
  readonly chooseEffort = this.#refuse;
  readonly rename = this.#refuse;
  readonly keep = this.#refuse;
  readonly summarize = this.#refuse;
  readonly tellAsItIs = this.#refuse;
  readonly tellOwnSystem = this.#refuse;
  readonly commanding = false;
  onGap(): Unlisten {
    return () => undefined;
  }
  abort(): void {}
  answer(): void {}
  answerQuestion(): void {}
  compact(): void {}
  retryNow(): void {}
}
