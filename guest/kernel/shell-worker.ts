import { withResolvers } from '../../src/base/with-resolvers.ts';
import {
  FLAG,
  type FromChild,
  type FromShell,
  type FsOutcome,
  type ProcessSignal,
  type ToShell,
  type WorkerPeer,
} from '../shared/protocol.ts';
import { isFromShell } from './checked.ts';
import { failureOf } from './errors.ts';
import type { Runner, RunnerEvents } from './runner.ts';

/** Taken output is reported in steps of this size: a message for each piece would cost more than the output itself. */
const REPORT_BYTES = 64 * 1024;

/** A shell worker. It runs one script at a time, which can be asked to stop or be ended with the worker. */
export class ShellWorker implements Runner {
  readonly #peer: WorkerPeer<ToShell, FromShell>;
  /** The interpreter checks this between statements. Undefined where memory cannot be shared. */
  readonly #flag = sharedFlag();
  /** Rejects if the shell cannot be loaded. */
  readonly ready: Promise<void>;
  #run = 0;
  #taken = 0;
  #events: RunnerEvents | undefined;
  #rested: (() => void) | undefined;
  #failure: string | undefined;

  constructor(peer: WorkerPeer<ToShell, FromShell>) {
    this.#peer = peer;
    const { promise, resolve, reject } = withResolvers<void>();
    this.ready = promise;
    promise.catch(() => {});
    const fail = (reason: string) => {
      this.#failure = reason;
      reject(new Error(reason));
      this.#events?.lost(reason);
    };
    peer.onMessage((message) => {
      if (!isFromShell(message)) fail('it sent an invalid message');
      else if (message.kind === 'ready') resolve();
      else this.#hear(message);
    });
    peer.onFailure(fail);
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  run(script: Omit<Extract<ToShell, { kind: 'run' }>, 'kind' | 'run' | 'flag'>, events: RunnerEvents): void {
    this.#events = events;
    const run = ++this.#run;
    this.#taken = 0;
    if (this.#flag) Atomics.store(this.#flag, FLAG.interrupts, 0);
    this.#peer.post({ kind: 'run', run, ...script, ...(this.#flag && { flag: this.#flag }) });
  }

  input(bytes: Uint8Array): void {
    this.#peer.post({ kind: 'input', bytes });
  }

  endInput(): void {
    this.#peer.post({ kind: 'endInput' });
  }

  line(text: string): void {
    this.#peer.post({ kind: 'line', run: this.#run, text });
  }

  resize(columns: number, rows: number): void {
    this.#peer.post({ kind: 'resize', run: this.#run, columns, rows });
  }

  signal(signal: ProcessSignal, job?: number): boolean {
    // A busy program receives no messages, but checks the shared memory.
    if (signal === 'SIGINT' && job === undefined && this.#flag) Atomics.add(this.#flag, FLAG.interrupts, 1);
    this.#peer.post({ kind: 'signal', run: this.#run, signal, ...(job !== undefined && { job }) });
    return true;
  }

  whenDeaf(ms: number, deaf: () => void): void {
    if (this.#rested) return;
    const timer = setTimeout(() => {
      this.#rested = undefined;
      deaf();
    }, ms);
    this.#rested = () => clearTimeout(timer);
    this.#peer.post({ kind: 'rest' });
  }

  tell(message: FromChild): void {
    this.#peer.post({ kind: 'child', run: this.#run, message });
  }

  /** Asks the script to end. A busy one may not notice. */
  stop(): boolean {
    if (this.#flag) Atomics.store(this.#flag, FLAG.stopped, this.#run);
    this.#peer.post({ kind: 'stop', run: this.#run });
    return true;
  }

  /** Calls back once nothing runs in the worker any more. If something never ends, that is never. */
  rest(rested: () => void): void {
    this.#events = undefined;
    this.#rested = rested;
    this.#peer.post({ kind: 'rest' });
  }

  terminate(): void {
    this.#events = undefined;
    this.#rested = undefined;
    this.#peer.terminate();
  }

  #hear(message: Exclude<FromShell, { kind: 'ready' }>): void {
    if (message.kind === 'rested') {
      this.#rested?.();
      this.#rested = undefined;
      return;
    }
    // Messages of background jobs that outlive their script are ignored.
    const events = message.run === this.#run ? this.#events : undefined;
    if (message.kind === 'fs') void this.#answer(message, events);
    else if (message.kind === 'output') this.#print(message, events);
    else if (message.kind === 'child') events?.child(message.message);
    else if (message.kind === 'left') events?.left?.(message.exitCode, message.cwd, message.jobs);
    else if (message.kind === 'jobEnded') events?.jobEnded?.(message.job, message.exitCode);
    else if (message.kind === 'inputUsed') events?.inputUsed?.(message.bytes);
    else if (message.kind === 'lineDone') events?.lineDone?.(message.state);
    else if (message.kind === 'keyboard') events?.keyboard?.(message.mode);
    else events?.done(message.exitCode, message.cwd, message.signal);
  }

  #print(
    { run, bytes, stream = 1, job }: Extract<FromShell, { kind: 'output' }>,
    events: RunnerEvents | undefined,
  ): void {
    const taken = () => {
      if (run !== this.#run) return;
      this.#taken += bytes.byteLength;
      if (this.#taken < REPORT_BYTES) return;
      this.#peer.post({ kind: 'outputUsed', run, bytes: this.#taken });
      this.#taken = 0;
    };
    events?.output(stream, bytes, taken, job);
  }

  async #answer(
    { id, calls }: Extract<FromShell, { kind: 'fs' }>,
    events: RunnerEvents | undefined,
  ): Promise<void> {
    const outcomes: FsOutcome[] = [];
    for (const call of calls) outcomes.push(events ? await outcomeOf(events.files(call)) : ENDED);
    this.#peer.post({ kind: 'answers', id, outcomes }, outcomes.flatMap(transferable));
  }
}

const ENDED: FsOutcome = { code: 'EGONE', message: 'EGONE: the process has ended' };

async function outcomeOf(answer: Promise<unknown>): Promise<FsOutcome> {
  try {
    return { value: await answer };
  } catch (error) {
    return failureOf(error);
  }
}

function transferable(outcome: FsOutcome): Transferable[] {
  const value = 'code' in outcome ? undefined : outcome.value;
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
}

function sharedFlag(): Int32Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined;
  return new Int32Array(new SharedArrayBuffer(FLAG.bytes));
}
