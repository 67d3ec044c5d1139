import { CallFailed } from '../../shared/shared-answer.ts';
import type { FileOutcome, NodeFsCall } from '../../shared/wire.ts';

/** A call that an operation makes. */
export interface CallToSend {
  readonly call: NodeFsCall;
  /** Called once the kernel has carried out the call, which may be before the event of the operation. */
  readonly onDone?: (() => void) | undefined;
}

/** An operation that waits for its event, and the only call to the kernel that it makes. */
export interface PendingCall {
  /** Tells the call as it must be sent now. Undefined if the operation would fail before it. */
  readonly call: () => CallToSend | undefined;
  /** The number of its event in the loop. */
  readonly event: number;
  outcome?: FileOutcome | undefined;
}

/** How many calls go to the kernel together at most, and how many bytes of contents. */
const MOST_CALLS = 64;
const MOST_BYTES = 1024 * 1024;

interface PendingLink {
  /** Carries out the calls in order. Throws CallFailed if none could be carried out. */
  severalFiles(calls: readonly NodeFsCall[]): readonly FileOutcome[];
}

/**
 * Sends the calls of operations whose events follow each other to the kernel together, when the first of these events
 * comes. A call costs a change of threads, which takes longer than most operations do. The order of calls stays the same,
 * and as in node they are carried out at some time between the start of the operation and its event.
 */
export class PendingCalls {
  readonly #link: PendingLink;
  #pending: PendingCall[] = [];
  /** The operation that runs now, until it makes its call. */
  #running: PendingCall | undefined;

  constructor(link: PendingLink) {
    this.#link = link;
  }

  /** Must be called before the event is added to the loop, whose number is `event`. */
  add(call: PendingCall['call'], event: number): PendingCall {
    const pending = { call, event };
    this.#pending.push(pending);
    return pending;
  }

  /** Runs an operation whose event has come. */
  run<T>(pending: PendingCall, operation: () => T): T {
    if (!pending.outcome) this.#send(pending);
    this.#running = pending;
    try {
      return operation();
    } finally {
      this.#running = undefined;
    }
  }

  /** Whether the call that the running operation makes was sent before with others. */
  get isSent(): boolean {
    return this.#running?.outcome !== undefined;
  }

  /** Takes the outcome of the call that the running operation makes. Undefined if it must be sent. */
  take(): FileOutcome | undefined {
    const outcome = this.#running?.outcome;
    this.#running = undefined;
    return outcome;
  }

  #send(first: PendingCall): void {
    const at = this.#pending.indexOf(first);
    // It was sent with others before, without success, so it goes alone.
    if (at < 0) return;
    const calls = callsFrom(this.#pending, at);
    const outcomes = calls.length > 1 ? this.#outcomes(calls.map(({ call }) => call)) : [undefined];
    const together = this.#pending.splice(0, at + outcomes.length).slice(at);
    for (const [n, pending] of together.entries()) {
      const outcome = outcomes[n];
      pending.outcome = outcome;
      if (outcome && !('failed' in outcome)) calls[n]?.onDone?.();
    }
  }

  /** Returns no outcome for any call if the kernel could not fetch what the calls need: each then fails by itself. */
  #outcomes(calls: readonly NodeFsCall[]): readonly (FileOutcome | undefined)[] {
    try {
      return this.#link.severalFiles(calls);
    } catch (error) {
      if (error instanceof CallFailed) return calls.map(() => undefined);
      throw error;
    }
  }
}

/** Returns the calls from `start` on that can go together: their events follow each other, and no open file comes twice. */
function callsFrom(pending: readonly PendingCall[], start: number): CallToSend[] {
  const calls: CallToSend[] = [];
  const handles = new Set<number>();
  const firstEvent = pending[start]?.event ?? 0;
  let bytes = 0;
  for (let at = start; at < pending.length && calls.length < MOST_CALLS; at++) {
    if (pending[at]?.event !== firstEvent + calls.length) break;
    const next = pending[at]?.call();
    if (!next) break;
    const { call } = next;
    if ('handle' in call) {
      if (handles.has(call.handle)) break;
      handles.add(call.handle);
    }
    if ('content' in call) bytes += call.content.byteLength;
    if (bytes > MOST_BYTES) break;
    calls.push(next);
  }
  return calls;
}
