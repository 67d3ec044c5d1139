import type { FromNode, ToNode } from '../shared/wire.ts';
import type { WorkerPeer } from '../shared/protocol.ts';
import { NodeWorker } from './node-worker.ts';

/** How many workers may load at once. With more, the kernel would have no time to answer calls. */
const MAX_LOADING = 4;

/** Starts node workers, each of which runs one program. After the first request, one more is kept ready. */
export class NodePool {
  readonly #script: () => Promise<Blob>;
  readonly #start: (script: Blob) => WorkerPeer<ToNode, FromNode>;
  readonly #names: SharedArrayBuffer;
  #ready: NodeWorker | undefined;
  #loaded: Blob | undefined;
  #loading: Promise<Blob> | undefined;
  #freeSlots = MAX_LOADING;
  readonly #queue: (() => void)[] = [];

  /** `names` is the memory of the version of names. */
  constructor(
    script: () => Promise<Blob>,
    start: (script: Blob) => WorkerPeer<ToNode, FromNode>,
    names: SharedArrayBuffer,
  ) {
    this.#script = script;
    this.#start = start;
    this.#names = names;
  }

  /** Returns a worker. Undefined where `isWanted` is false by the time it could start loading. */
  async take(isWanted = () => true): Promise<NodeWorker | undefined> {
    const script = (this.#loaded ??= await this.#fetch());
    const ready = this.#ready?.failure === undefined ? this.#ready : undefined;
    this.#ready = undefined;
    if (ready) return ready;
    if (this.#freeSlots > 0) this.#freeSlots--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    if (isWanted()) return this.#load(script);
    this.#freeSlot();
    return undefined;
  }

  /** Starts a worker in a slot that the caller has taken. The slot is freed once the worker is loaded. */
  #load(script: Blob): NodeWorker {
    const worker = new NodeWorker(this.#start(script), this.#names);
    void worker.loaded.then(() => this.#freeSlot());
    return worker;
  }

  #freeSlot(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#freeSlots++;
  }

  /** Fetches the script. Calls that come meanwhile share one request; after a failure the next call tries again. */
  #fetch(): Promise<Blob> {
    return (this.#loading ??= this.#script().finally(() => (this.#loading = undefined)));
  }

  /** Loads the next worker. Called once a program has started, so that the two do not load at the same time. */
  keepOne(): void {
    if (this.#loaded === undefined || this.#ready || this.#freeSlots === 0) return;
    this.#freeSlots--;
    this.#ready = this.#load(this.#loaded);
  }
}
