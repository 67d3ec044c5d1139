import { Answerer, sharedMemory } from '../shared/shared-answer.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import { weightOf, type FromNode, type NodeCall, type NodeStart, type ToNode } from '../shared/wire.ts';
import type { FromChild, NetRequest, ProcessSignal, WorkerPeer } from '../shared/protocol.ts';
import { isFromNode, isNodeFsCall } from './checked-node.ts';
import type { NodeEvents, Runner } from './runner.ts';

const INVALID = 'it sent an invalid message';

/** A node worker. It runs one program, and ends with it. */
export class NodeWorker implements Runner {
  readonly #peer: WorkerPeer<ToNode, FromNode>;
  readonly #names: SharedArrayBuffer;
  readonly #shared = sharedMemory();
  readonly #answerer = new Answerer(this.#shared);
  readonly #input: (Uint8Array | null)[] = [];
  #wants: 'message' | 'call' | undefined;
  #taker: ((piece: Uint8Array | null) => void) | undefined;
  #catches: ReadonlySet<ProcessSignal> = new Set();
  #events: NodeEvents | undefined;
  #failure: string | undefined;
  /** Resolves once the worker's script has loaded, or never will. */
  readonly loaded: Promise<void>;
  #setLoaded: () => void = () => {};

  /** `names` is the memory of the version of names. */
  constructor(peer: WorkerPeer<ToNode, FromNode>, names: SharedArrayBuffer) {
    this.#peer = peer;
    this.#names = names;
    this.loaded = new Promise((resolve) => (this.#setLoaded = resolve));
    peer.onMessage((message) => {
      this.#setLoaded();
      if (!isFromNode(message)) return this.#fail(INVALID);
      try {
        this.#hear(message);
      } catch {
        // The message asked to transfer something that cannot be transferred.
        this.#fail(INVALID);
      }
    });
    peer.onFailure((reason) => this.#fail(reason));
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  run(start: Omit<NodeStart, 'kind' | 'shared' | 'names'>, events: NodeEvents): void {
    this.#events = events;
    this.#peer.post({ kind: 'start', ...start, shared: this.#shared, names: this.#names });
  }

  input(bytes: Uint8Array): void {
    if (bytes.byteLength > 0) this.#input.push(bytes);
    this.#giveInput();
  }

  endInput(): void {
    if (this.#input.at(-1) !== null) this.#input.push(null);
    this.#giveInput();
  }

  signal(signal: ProcessSignal): boolean {
    if (!this.#catches.has(signal)) return false;
    this.#peer.post({ kind: 'signal', signal });
    return true;
  }

  tell(message: FromChild): void {
    this.#peer.post({ kind: 'child', message }, transferOf(message));
  }

  message(data: unknown, transfer: readonly Transferable[]): void {
    this.#peer.post({ kind: 'message', data }, [...transfer]);
  }

  disconnected(): void {
    this.#peer.post({ kind: 'disconnected' });
  }

  resize(columns: number, rows: number): void {
    this.#peer.post({ kind: 'resize', columns, rows });
  }

  takeInput(take: ((piece: Uint8Array | null) => void) | undefined): void {
    this.#taker = take;
    this.#giveInput();
  }

  serve(address: number | string, request: NetRequest, channel: MessagePort): void {
    this.#peer.post({ kind: 'request', address, request, channel }, [channel]);
  }

  connected(address: number | string, host: string, port: number, channel: MessagePort): void {
    this.#peer.post({ kind: 'connection', address, host, port, channel }, [channel]);
  }

  changed(watch: number, path: string, change: FileChange['change'], isWritten: boolean): void {
    this.#peer.post({ kind: 'changed', watch, path, change, isWritten });
  }

  stop(): boolean {
    return false;
  }

  terminate(): void {
    this.#setLoaded();
    this.#events = undefined;
    this.#peer.terminate();
  }

  #fail(reason: string): void {
    this.#setLoaded();
    this.#failure = reason;
    this.#events?.lost(reason);
  }

  #hear(message: FromNode): void {
    const events = this.#events;
    if (!events) return;
    const weight = weightOf(message);
    switch (message.kind) {
      case 'ready':
        return;
      case 'call':
        return this.#call(message.call, events);
      case 'more':
        return this.#answerer.more();
      case 'output': {
        const { stream, bytes } = message;
        return events.output(stream, bytes, () => this.#answerer.took(weight));
      }
      case 'append':
        events.append(message.handle, message.bytes);
        return this.#answerer.took(weight);
      case 'wantInput':
        this.#wants ??= 'message';
        return this.#giveInput(events);
      case 'catches':
        this.#catches = new Set(message.signals);
        return;
      case 'child':
        this.#answerer.took(weight);
        return events.child(message.message);
      case 'watch':
        return events.watch(message.watch, message.path, message.recursive);
      case 'unwatch':
        return events.unwatch(message.watch);
      case 'unlisten':
        return events.unlisten(message.address);
      case 'message':
        this.#answerer.took(weight);
        return events.message(message.data, message.transfer ?? []);
      case 'disconnect':
        return events.disconnect();
      case 'keyboard':
        return events.rawMode(message.raw);
      case 'compiled':
        return events.compiled(message.name, message.module);
      case 'exit':
        return events.done(message.exitCode, '', message.signal);
    }
  }

  #call(call: NodeCall, events: NodeEvents): void {
    if (call.kind === 'readInput') {
      this.#wants = 'call';
      return this.#giveInput(events);
    }
    if (call.kind !== 'files' && call.kind !== 'severalFiles') return events.call(call, this.#answerer);
    this.#answerer.watch.answering(
      () => this.#files(call),
      (next) => {
        if (isNodeFsCall(next)) return this.#files({ kind: 'files', call: next });
        this.#fail(INVALID);
        return false;
      },
    );
  }

  /** Returns true if the call has been answered already. */
  #files(call: NodeCall): boolean {
    const answerer = this.#answerer;
    return answerer.answers(() => this.#events?.call(call, answerer));
  }

  #giveInput(events = this.#events): void {
    const taker = this.#taker;
    if (this.#wants === undefined && !taker) return;
    const [next] = this.#input;
    if (next === undefined) return events?.wantsInput();
    // The end stays in the queue: every further read gets it again.
    if (next !== null) this.#input.shift();
    if (taker) {
      this.#taker = undefined;
      return taker(next);
    }
    const how = this.#wants;
    this.#wants = undefined;
    if (how === 'call') this.#answerer.answer(next ?? undefined);
    else this.#peer.post({ kind: 'input', bytes: next });
  }
}

function transferOf(message: FromChild): Transferable[] {
  return message.kind === 'childMessage' ? [...(message.transfer ?? [])] : [];
}
