import type { FromNode, ToNode } from '../node/wire.ts';
import type { WorkerPeer } from '../protocol.ts';
import { NodeWorker } from './node-worker.ts';

/** So many load at once: with more, the kernel would not come to answer anybody meanwhile. */
const LOADING = 4;

/** Node workers: each runs one program. Once one was asked for, another is kept ready. */
export class NodePool {
  readonly #source: () => Promise<string>;
  readonly #start: (source: string) => WorkerPeer<ToNode, FromNode>;
  #ready: NodeWorker | undefined;
  #loaded: string | undefined;
  #loading: Promise<string> | undefined;
  #places = LOADING;
  readonly #queue: (() => void)[] = [];

  constructor(source: () => Promise<string>, start: (source: string) => WorkerPeer<ToNode, FromNode>) {
    this.#source = source;
    this.#start = start;
  }

  /** Undefined where none `isWanted` any more when its turn comes. */
  async take(isWanted = () => true): Promise<NodeWorker | undefined> {
    const source = (this.#loaded ??= await this.#fetch());
    const ready = this.#ready?.failure === undefined ? this.#ready : undefined;
    this.#ready = undefined;
    if (ready) return ready;
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    if (isWanted()) return this.#load(source);
    this.#leave();
    return undefined;
  }

  /** One that has a place, which it leaves once it is loaded. */
  #load(source: string): NodeWorker {
    const worker = new NodeWorker(this.#start(source));
    void worker.loaded.then(() => this.#leave());
    return worker;
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#places++;
  }

  /** Once, whoever asks meanwhile; one that failed is tried again. */
  #fetch(): Promise<string> {
    return (this.#loading ??= this.#source().finally(() => (this.#loading = undefined)));
  }

  /** Makes the next one ready. Called when one has been started, so that the two do not load at once. */
  keepOne(): void {
    if (this.#loaded === undefined || this.#ready || this.#places === 0) return;
    this.#places--;
    this.#ready = this.#load(this.#loaded);
  }
}
