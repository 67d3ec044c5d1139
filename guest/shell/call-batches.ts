import type { FsOutcome, ShellCall } from '../shared/protocol.ts';

interface QueuedCall {
  readonly run: number;
  readonly call: ShellCall;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** With this many messages under way, further calls wait for the next message. */
const UNDER_WAY = 2;
/** The largest number of calls in one message. */
const MOST = 64;

/**
 * Sends calls to the kernel. A message costs more than a call, so calls made while others are under way share
 * the next message; a call on its own is sent at once.
 */
export class CallBatches {
  readonly #post: (id: number, run: number, calls: readonly ShellCall[]) => void;
  readonly #sent = new Map<number, readonly QueuedCall[]>();
  #held: QueuedCall[] = [];
  #nextId = 1;

  constructor(post: (id: number, run: number, calls: readonly ShellCall[]) => void) {
    this.#post = post;
  }

  /**
   * `run` is the number of the script that calls. The kernel refuses calls of a script that has ended, such
   * as those of its background jobs.
   */
  ask<Answer>(run: number, call: ShellCall): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.#held.push({ run, call, resolve: (value) => resolve(value as Answer), reject });
      if (this.#sent.size < UNDER_WAY) this.#send();
    });
  }

  /** `outcomes` holds one outcome for each call of the message, in the order of the calls. */
  answered(id: number, outcomes: readonly FsOutcome[]): void {
    const calls = this.#sent.get(id) ?? [];
    this.#sent.delete(id);
    for (const [at, { resolve, reject }] of calls.entries()) {
      const outcome = outcomes[at];
      if (outcome && 'code' in outcome)
        reject(Object.assign(new Error(outcome.message), { code: outcome.code }));
      else resolve(outcome?.value);
    }
    if (this.#held.length > 0) this.#send();
  }

  #send(): void {
    const run = this.#held[0]?.run ?? 0;
    const other = this.#held.findIndex((each) => each.run !== run);
    const calls = this.#held.splice(0, Math.min(other < 0 ? MOST : other, MOST));
    const id = this.#nextId++;
    this.#sent.set(id, calls);
    this.#post(
      id,
      run,
      calls.map(({ call }) => call),
    );
  }
}
