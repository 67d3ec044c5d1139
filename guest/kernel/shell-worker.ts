import {
  FLAG,
  type FromChild,
  type FromShell,
  type ProcessSignal,
  type ToShell,
  type WorkerPeer,
} from '../protocol.ts';
import { isFromShell } from './checked.ts';
import { failureOf } from './errors.ts';
import type { Runner, RunnerEvents } from './runner.ts';

/** Told at once: a message for each piece of output would cost more than the output. */
const TAKEN_BYTES = 64 * 1024;

/** One shell worker: runs one script at a time and can be stopped, first politely, then for certain. */
export class ShellWorker implements Runner {
  readonly #peer: WorkerPeer<ToShell, FromShell>;
  /** Polled by the interpreter between statements; only where memory can be shared. */
  readonly #flag = sharedFlag();
  readonly commands: Promise<readonly string[]>;
  #run = 0;
  #taken = 0;
  #events: RunnerEvents | undefined;
  #rested: (() => void) | undefined;
  #failure: string | undefined;

  constructor(peer: WorkerPeer<ToShell, FromShell>) {
    this.#peer = peer;
    const { promise, resolve, reject } = withResolvers<readonly string[]>();
    this.commands = promise;
    promise.catch(() => {});
    const fail = (reason: string) => {
      this.#failure = reason;
      reject(new Error(reason));
      this.#events?.lost(reason);
    };
    peer.onMessage((message) => {
      if (!isFromShell(message)) fail('it said something that cannot be right');
      else if (message.kind === 'ready') resolve(message.commands);
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

  signal(signal: ProcessSignal): boolean {
    // A program that is busy hears no message.
    if (signal === 'SIGINT' && this.#flag) Atomics.add(this.#flag, FLAG.interrupts, 1);
    this.#peer.post({ kind: 'signal', run: this.#run, signal });
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

  /** Asks the script to end; one that does not look up goes on. */
  stop(): boolean {
    if (this.#flag) Atomics.store(this.#flag, FLAG.stopped, this.#run);
    this.#peer.post({ kind: 'stop', run: this.#run });
    return true;
  }

  /** Calls back once nothing runs in the worker any more; never, if something does not end. */
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
    // What a script left running in the background does after its end is not heard.
    const events = message.run === this.#run ? this.#events : undefined;
    if (message.kind === 'fs') this.#answer(message, events);
    else if (message.kind === 'output') this.#print(message, events);
    else if (message.kind === 'child') events?.child(message.message);
    else if (message.kind === 'inputUsed') events?.inputUsed?.(message.bytes);
    else if (message.kind === 'lineDone') events?.lineDone?.(message.state);
    else if (message.kind === 'keyboard') events?.keyboard?.(message.mode);
    else events?.done(message.exitCode, message.cwd, message.signal);
  }

  #print(
    { run, bytes, stream = 1 }: Extract<FromShell, { kind: 'output' }>,
    events: RunnerEvents | undefined,
  ): void {
    events?.output(stream, bytes, () => {
      if (run !== this.#run) return;
      this.#taken += bytes.byteLength;
      if (this.#taken < TAKEN_BYTES) return;
      this.#peer.post({ kind: 'outputUsed', run, bytes: this.#taken });
      this.#taken = 0;
    });
  }

  #answer({ id, call }: Extract<FromShell, { kind: 'fs' }>, events: RunnerEvents | undefined): void {
    if (!events) {
      this.#peer.post({ kind: 'failed', id, code: 'EGONE', message: 'EGONE: the process has ended' });
      return;
    }
    events.files(call).then(
      (value) => this.#peer.post({ kind: 'answer', id, value }, transferable(value)),
      (error: unknown) => this.#peer.post({ kind: 'failed', id, ...failureOf(error) }),
    );
  }
}

function transferable(value: unknown): Transferable[] {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
}

function sharedFlag(): Int32Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined;
  return new Int32Array(new SharedArrayBuffer(FLAG.bytes));
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
