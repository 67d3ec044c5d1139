import { unlessAborted } from '../base/abort.ts';
import { FaultError, type Fault } from '../base/fault.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';
import { SyncedFiles, isCovered } from './synced-files.ts';
import type { Method, OpenLanguage, Requests, WorkspaceLanguage } from './language.ts';
import type { FromWorker, LanguagePort } from './protocol.ts';

/** How long an answer may take before the worker is ended, in milliseconds. */
const MAX_ANSWER_MS = 120_000;
/** How long an idle worker is kept, in milliseconds, as it holds the whole program in memory. */
const IDLE_MS = 10 * 60_000;

interface RunningWorker {
  readonly port: LanguagePort;
  readonly files: SyncedFiles;
  readonly pending: Map<number, { resolve(result: unknown): void; reject(error: FaultError): void }>;
}

/** The language services of a workspace, in a worker that the first request starts. */
export class WorkerLanguage implements WorkspaceLanguage {
  readonly #workspace: Workspace;
  readonly #start: () => LanguagePort;
  readonly #timer: Timer;
  #running: RunningWorker | null = null;
  /** Requests run one after the other, as each may see other files. */
  #last: Promise<unknown> = Promise.resolve();
  #lastID = 0;
  #stopIdling: Unlisten = () => {};

  constructor(workspace: Workspace, start: () => LanguagePort, timer: Timer) {
    this.#workspace = workspace;
    this.#start = start;
    this.#timer = timer;
    workspace.onStatus(({ state }) => {
      if (state === 'closed') this.#stop({ code: 'language-closed', what: 'The workspace was closed.' });
      // The worker would hold the whole program in memory for a workspace that nobody uses.
      else if (state === 'suspended') this.stop();
    });
  }

  get running(): boolean {
    return this.#running !== null;
  }

  covers(path: string): boolean {
    return isCovered(path);
  }

  async open(visibility: Visibility, changed: readonly string[] = []): Promise<OpenLanguage> {
    await this.#inTurn(async () => this.#run().files.update(visibility, changed.filter(isCovered)));
    const hidden = this.#running?.files.hidden ?? 0;
    return { hidden, request: (method, params, signal) => this.#request(visibility, method, params, signal) };
  }

  /** Ends the worker; the next request starts another one. */
  stop(): void {
    this.#stop({ code: 'language-stopped', what: 'The language service was stopped.' });
  }

  async #request<M extends Method>(
    visibility: Visibility,
    method: M,
    params: Requests[M]['params'],
    signal?: AbortSignal,
  ): Promise<Requests[M]['result']> {
    const answer = this.#inTurn(async () => {
      if (signal?.aborted) throw stopped();
      const running = this.#run();
      await running.files.update(visibility, params.path === undefined ? [] : [params.path]);
      return this.#ask(running, method, params);
    });
    return signal ? unlessAborted(signal, answer, stopped) : answer;
  }

  #ask<M extends Method>({ port, pending }: RunningWorker, method: M, params: Requests[M]['params']) {
    const id = ++this.#lastID;
    return new Promise<Requests[M]['result']>((resolve, reject) => {
      const cancel = this.#timer.after(MAX_ANSWER_MS, () =>
        this.#stop({
          code: 'language-timeout',
          what: `The language service did not answer within ${MAX_ANSWER_MS / 1000} seconds and was stopped.`,
          next: 'The next request starts it again.',
        }),
      );
      pending.set(id, {
        resolve(result) {
          cancel();
          // The worker is our own code, so the answer has the type of the request.
          resolve(result as Requests[M]['result']);
        },
        reject(error) {
          cancel();
          reject(error);
        },
      });
      port.postMessage({ kind: 'request', id, method, params });
    });
  }

  #run(): RunningWorker {
    if (this.#running) return this.#running;
    const port = this.#start();
    const running: RunningWorker = {
      port,
      files: new SyncedFiles(this.#workspace, (message) => port.postMessage(message)),
      pending: new Map(),
    };
    port.onmessage = ({ data }) => void this.#take(running, data);
    port.onerror = () =>
      this.#stop({
        code: 'language-unavailable',
        what: 'The language service could not be loaded, or failed.',
        next: 'Try again.',
        retryable: true,
      });
    this.#running = running;
    return running;
  }

  async #take({ port, files, pending }: RunningWorker, message: FromWorker): Promise<void> {
    if (message.kind === 'want') {
      await files.bring(message.paths);
      port.postMessage({ kind: 'brought' });
      return;
    }
    const request = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'answer') request?.resolve(message.result);
    else request?.reject(new FaultError(message.fault));
  }

  #stop(fault: Fault): void {
    const running = this.#running;
    this.#running = null;
    this.#stopIdling();
    if (!running) return;
    running.port.terminate();
    running.files.stop();
    for (const { reject } of running.pending.values()) reject(new FaultError(fault));
    running.pending.clear();
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#stopIdling();
    const turn = this.#last.then(run);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last = ended;
    void ended.then(() => {
      if (this.#last !== ended || !this.#running) return;
      this.#stopIdling = this.#timer.after(IDLE_MS, () => this.stop());
    });
    return turn;
  }
}

function stopped(): FaultError {
  return new FaultError({ code: 'stopped', what: 'It was stopped.' });
}
