import type { FromNode, ToNode } from '../node/wire.ts';
import type { WorkerPeer } from '../protocol.ts';
import { NodeWorker } from './node-worker.ts';

/** Node workers: each runs one program. Once one was asked for, another is kept ready. */
export class NodePool {
  readonly #source: () => Promise<string>;
  readonly #start: (source: string) => WorkerPeer<ToNode, FromNode>;
  #ready: NodeWorker | undefined;
  #loaded: string | undefined;
  #loading: Promise<string> | undefined;

  constructor(source: () => Promise<string>, start: (source: string) => WorkerPeer<ToNode, FromNode>) {
    this.#source = source;
    this.#start = start;
  }

  async take(): Promise<NodeWorker> {
    const source = (this.#loaded ??= await this.#load());
    const ready = this.#ready?.failure === undefined ? this.#ready : undefined;
    this.#ready = undefined;
    return ready ?? new NodeWorker(this.#start(source));
  }

  /** Once, whoever asks meanwhile; one that failed is tried again. */
  #load(): Promise<string> {
    return (this.#loading ??= this.#source().finally(() => (this.#loading = undefined)));
  }

  /** Makes the next one ready. Called when one has been started, so that the two do not load at once. */
  keepOne(): void {
    if (this.#loaded !== undefined && !this.#ready) this.#ready = new NodeWorker(this.#start(this.#loaded));
  }
}
