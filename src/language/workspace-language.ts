import { unlessAborted } from '../base/abort.ts';
import { FaultError, type Fault } from '../base/fault.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { Visibility, Workspace } from '../workspace/workspace.ts';
import { GivenFiles, isCovered } from './given-files.ts';
import type { Method, OpenLanguage, Requests, WorkspaceLanguage } from './language.ts';
import type { FromWorker, LanguagePort } from './protocol.ts';

/** A worker that takes longer than this for an answer is ended. */
const PATIENCE_MS = 120_000;
/** One that is not asked for this long is too: it holds the whole program in memory. */
const IDLE_MS = 10 * 60_000;

interface Running {
  readonly port: LanguagePort;
  readonly files: GivenFiles;
  readonly waiting: Map<number, { resolve(result: unknown): void; reject(error: FaultError): void }>;
}

/** The language services of a workspace, in a worker that is started when it is first asked. */
export class LanguageInWorker implements WorkspaceLanguage {
  readonly #workspace: Workspace;
  readonly #start: () => LanguagePort;
  readonly #timer: Timer;
  #running: Running | null = null;
  /** Requests take turns: each may see other files. */
  #last: Promise<unknown> = Promise.resolve();
  #lastID = 0;
  #stopIdling: Unlisten = () => {};

  constructor(workspace: Workspace, start: () => LanguagePort, timer: Timer) {
    this.#workspace = workspace;
    this.#start = start;
    this.#timer = timer;
    workspace.onStatus(({ state }) => {
      if (state === 'closed') this.#stop({ code: 'language-closed', what: 'The workspace was closed.' });
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
    this.#stop({ code: 'language-stopped', what: 'The language service was ended.' });
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

  #ask<M extends Method>({ port, waiting }: Running, method: M, params: Requests[M]['params']) {
    const id = ++this.#lastID;
    return new Promise<Requests[M]['result']>((resolve, reject) => {
      const cancel = this.#timer.after(PATIENCE_MS, () =>
        this.#stop({
          code: 'language-timeout',
          what: `The language service did not answer within ${PATIENCE_MS / 1000} seconds and was ended.`,
          next: 'It is started again by the next request.',
        }),
      );
      waiting.set(id, {
        resolve(result) {
          cancel();
          // The worker answers what it was asked: it is our own code.
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

  #run(): Running {
    if (this.#running) return this.#running;
    const port = this.#start();
    const running: Running = {
      port,
      files: new GivenFiles(this.#workspace, (message) => port.postMessage(message)),
      waiting: new Map(),
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

  async #take({ port, files, waiting }: Running, message: FromWorker): Promise<void> {
    if (message.kind === 'want') {
      await files.bring(message.paths);
      port.postMessage({ kind: 'brought' });
      return;
    }
    const waits = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') waits?.resolve(message.result);
    else waits?.reject(new FaultError(message.fault));
  }

  #stop(fault: Fault): void {
    const running = this.#running;
    this.#running = null;
    this.#stopIdling();
    if (!running) return;
    running.port.terminate();
    running.files.stop();
    for (const { reject } of running.waiting.values()) reject(new FaultError(fault));
    running.waiting.clear();
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
