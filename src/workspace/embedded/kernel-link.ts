import type * as z from 'zod';
import type { Hash } from '../../base/hash.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { JournalChange } from '../../protocol/journal.ts';
import type { Job } from '../jobs.ts';
import { FILE_ERROR_CODES, WorkspaceError, type FileChange, type WorkspaceErrorCode } from '../workspace.ts';
import type { ProcessListener } from './process-listener.ts';
import type { NetRequest } from '../../protocol/exchange.ts';
import type { Call, Part, ToKernel } from '../../protocol/frame.ts';
import { fromKernel, type ParsedFromKernel } from './schemas.ts';

/** A kernel that has just been started. `close` ends it and everything below it for certain. */
export interface Connection {
  readonly port: MessagePort;
  close(): void;
}

export interface LinkEvents {
  batch(changes: readonly JournalChange[]): void;
  changes(changes: readonly FileChange[]): void;
  outside(id: number, path: string): void;
  wantContents(id: number, hashes: readonly Hash[]): void;
  jobs(jobs: readonly Job[]): void;
  /** All ports on which processes now listen. */
  servers(ports: readonly number[]): void;
  wantNode(): void;
  wantPart(part: Part): void;
  wantImage(name: string): void;
  /** `over` is aborted when the kernel ends. */
  reach(request: NetRequest, channel: MessagePort, over: AbortSignal): void;
  /** Called once, when the kernel stops answering or sends an invalid message. `reason` is a sentence for the person. */
  died(reason: string): void;
}

/** How often the kernel is checked. It counts as dead after `misses` times `everyMs` without a message. */
export interface Pulse {
  readonly everyMs: number;
  readonly misses: number;
}

interface PendingCall {
  readonly path: string;
  resolve(value: unknown): void;
  reject(error: WorkspaceError): void;
}

/** Most likely the frame's process has died, but the browser does not report that. */
const SILENT =
  'The workspace stopped answering, as it does when a program takes all of its memory. It starts again with its files.';

/** The app's connection to one kernel. When it ends, every call fails with EGONE and every process is lost. */
export class KernelLink {
  readonly processes = new Map<string, ProcessListener>();
  /** Resolves once the kernel answers. Rejects if it ends before; then `died` is not called. */
  readonly hello: Promise<void>;
  readonly #connection: Connection;
  readonly #events: LinkEvents;
  readonly #pending = new Map<number, PendingCall>();
  readonly #pulse: Pulse;
  readonly #timer: Timer;
  #cancelBeat: Unlisten | undefined;
  #greeted: () => void = () => {};
  #notGreeted: (error: WorkspaceError) => void = () => {};
  #heard = true;
  #missed = 0;
  readonly #over = new AbortController();
  #nextId = 1;

  constructor(connection: Connection, events: LinkEvents, pulse: Pulse, timer: Timer) {
    this.#connection = connection;
    this.#events = events;
    this.#pulse = pulse;
    this.#timer = timer;
    this.hello = new Promise((resolve, reject) => {
      this.#greeted = resolve;
      this.#notGreeted = reject;
    });
    connection.port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
  }

  post(message: ToKernel, transfer: Transferable[] = []): void {
    if (!this.#over.signal.aborted) this.#connection.port.postMessage(message, transfer);
  }

  /** Calls the kernel. Rejects with a {@link WorkspaceError}, with ECANCELED when `signal` is aborted. */
  call<Schema extends z.ZodType>(
    call: Call,
    schema: Schema,
    signal?: AbortSignal,
    transfer: Transferable[] = [],
  ): Promise<z.output<Schema>> {
    const path = pathOf(call);
    return new Promise((resolve, reject) => {
      if (this.#over.signal.aborted) return reject(new WorkspaceError('EGONE', path));
      if (signal?.aborted) return reject(new WorkspaceError('ECANCELED', path));
      const id = this.#nextId++;
      const cancel = () => this.post({ kind: 'cancel', id });
      const done = () => signal?.removeEventListener('abort', cancel);
      this.#pending.set(id, {
        path,
        resolve: (value) => {
          done();
          const parsed = schema.safeParse(value);
          if (parsed.success) return resolve(parsed.data);
          reject(new WorkspaceError('EGONE', path));
          this.end('The workspace sent an invalid answer.');
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
      this.post({ kind: 'call', id, call }, transfer);
    });
  }

  /** Ends the kernel. With a reason, it counts as a failure and `died` is called. */
  end(reason?: string): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#cancelBeat?.();
    this.#connection.port.onmessage = null;
    this.#connection.port.close();
    this.#connection.close();
    for (const { path, reject } of this.#pending.values()) reject(new WorkspaceError('EGONE', path));
    this.#pending.clear();
    for (const process of this.processes.values()) process.lose(reason ?? 'the workspace was closed');
    this.processes.clear();
    if (this.#cancelBeat === undefined) this.#notGreeted(new WorkspaceError('EGONE', '', reason));
    else if (reason !== undefined) this.#events.died(reason);
  }

  /**
   * Counts checks, not time: while the page itself is stopped, in a hidden tab or by a long task, no check is missed, and
   * the kernel's answers wait in the queue.
   */
  #beat(): void {
    this.#missed = this.#heard ? 0 : this.#missed + 1;
    this.#heard = false;
    if (this.#missed >= this.#pulse.misses) return this.end(SILENT);
    this.post({ kind: 'ping' });
    this.#nextBeat();
  }

  #nextBeat(): void {
    this.#cancelBeat = this.#timer.after(this.#pulse.everyMs, () => this.#beat());
  }

  #receive(data: unknown): void {
    this.#heard = true;
    const parsed = fromKernel.safeParse(data);
    if (parsed.success) this.#hear(parsed.data);
    else this.end('The workspace sent an invalid message.');
  }

  #hear(message: ParsedFromKernel): void {
    switch (message.kind) {
      case 'hello':
        if (!this.#cancelBeat) this.#nextBeat();
        return this.#greeted();
      case 'pong':
        return;
      case 'answer':
        this.#pending.get(message.id)?.resolve(message.value);
        return void this.#pending.delete(message.id);
      case 'failed':
        this.#pending.get(message.id)?.reject(errorOf(message));
        return void this.#pending.delete(message.id);
      case 'batch':
        return this.#events.batch(message.changes);
      case 'changes':
        return this.#events.changes(message.changes);
      case 'outside':
        return this.#events.outside(message.id, message.path);
      case 'wantContents':
        return this.#events.wantContents(message.id, message.hashes);
      case 'wantNode':
        return this.#events.wantNode();
      case 'wantPart':
        return this.#events.wantPart(message.part);
      case 'wantImage':
        return this.#events.wantImage(message.name);
      case 'reach':
        return this.#events.reach(message.request, message.channel, this.#over.signal);
      case 'output':
        return this.processes.get(message.process)?.heard(message.bytes);
      case 'lineDone':
        return this.processes.get(message.process)?.tell?.({ type: 'line', ...message.state });
      case 'keyboard':
        return this.processes.get(message.process)?.tell?.({ type: 'keyboard', ...message.mode });
      case 'jobs':
        return this.#events.jobs(message.jobs);
      case 'servers':
        return this.#events.servers(message.ports);
      case 'exited':
        this.processes.get(message.process)?.ended(message.exit);
        return void this.processes.delete(message.process);
    }
  }
}

const CODES: ReadonlySet<string> = new Set<WorkspaceErrorCode>([
  ...FILE_ERROR_CODES,
  'ECHANGED',
  'EGONE',
  'ECANCELED',
]);

/** Turns codes that {@link WorkspaceError} does not have into EINVAL. The message still has the original code. */
function errorOf({ code, path, message }: { code: string; path: string; message: string }): WorkspaceError {
  return new WorkspaceError(isCode(code) ? code : 'EINVAL', path, message);
}

function isCode(code: string): code is WorkspaceErrorCode {
  return CODES.has(code);
}

function pathOf(call: Call): string {
  if ('path' in call) return call.path;
  if ('from' in call) return call.from;
  return 'query' in call ? (call.query.path ?? '') : '';
}
