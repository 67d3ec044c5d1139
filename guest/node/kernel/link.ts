import type { FileChange } from '../../../src/protocol/workspace-values.ts';
import type { FromChild, NetRequest, Peer, ProcessSignal, ToChild } from '../../shared/protocol.ts';
import type { NodeHost, ServerEvents } from '../builtins/builtin.ts';
import { NamesVersion } from '../../shared/names-version.ts';
import { Asker } from '../../shared/shared-answer.ts';
import { unpackRan } from '../../shared/ran-child.ts';
import {
  weightOf,
  type FileOutcome,
  type FolderNames,
  type FromNode,
  type NodeCall,
  type NodeFsCall,
  type NodeStart,
  type NodeStat,
  type RanChild,
  type ToNode,
} from '../../shared/wire.ts';
import { OUTPUT_WINDOW } from '../../shared/protocol.ts';
import type { Answer, FileAnswer } from './answers.ts';
import { leaveFrame } from '../builtins/async/context.ts';
import { copyOf } from '../builtins/internal/bytes.ts';

interface LinkEvents {
  input(bytes: Uint8Array | null): void;
  signal(signal: ProcessSignal): void;
  resized(columns: number, rows: number): void;
  message(data: unknown): void;
  disconnected(): void;
  changed(watch: number, path: string, change: FileChange['change'], isWritten: boolean): void;
}

/** A server of this process. */
export interface OwnServer {
  readonly accept: ServerEvents['accept'];
  readonly connected: (channel: MessagePort, host: string, port: number) => void;
  readonly serve: (request: NetRequest, channel: MessagePort) => void;
}

/** The process's end of the connection to the kernel. */
export class KernelLink {
  readonly #post: Peer<FromNode, ToNode>['post'];
  readonly #asker: Asker;
  readonly #names: NamesVersion;
  readonly #children = new Map<number, (message: FromChild) => void>();
  /** Keyed by port or by the path of the socket. */
  readonly servers = new Map<number | string, OwnServer>();
  #nextChild = 1;
  #sent = 0;
  events: LinkEvents | undefined;
  /** Called after each message from the kernel. */
  cameIn = (): void => {};

  constructor(
    peer: Pick<Peer<FromNode, ToNode>, 'post'>,
    shared: SharedArrayBuffer,
    names: SharedArrayBuffer,
  ) {
    this.#names = new NamesVersion(names);
    this.#post = peer.post;
    this.#asker = new Asker(shared, (message) => peer.post(message));
  }

  hear(message: Exclude<ToNode, NodeStart>): void {
    leaveFrame();
    this.#tell(message);
    this.cameIn();
  }

  #tell(message: Exclude<ToNode, NodeStart>): void {
    switch (message.kind) {
      case 'input':
        return this.events?.input(message.bytes);
      case 'signal':
        return this.events?.signal(message.signal);
      case 'resize':
        return this.events?.resized(message.columns, message.rows);
      case 'request':
        return this.servers.get(message.address)?.serve(message.request, message.channel);
      case 'connection': {
        const server = this.servers.get(message.address);
        // The server has closed in the meantime.
        if (!server) return message.channel.postMessage({ kind: 'reset', code: 'ECONNRESET' });
        return server.connected(message.channel, message.host, message.port);
      }
      case 'child':
        return this.#children.get(message.message.id)?.(message.message);
      case 'message':
        return this.events?.message(message.data);
      case 'disconnected':
        return this.events?.disconnected();
      case 'changed':
        return this.events?.changed(message.watch, message.path, message.change, message.isWritten);
    }
  }

  /** Blocks this thread until the answer is there. Throws CallFailed. */
  ask<Call extends NodeCall>(call: Call): Answer<Call> {
    return this.#asker.ask(() => this.#post({ kind: 'call', call })) as Answer<Call>;
  }

  /** Returns the type of what is at a path, following symlinks. */
  look(path: string): NodeStat['type'] | undefined {
    const found = this.files({ op: 'look', path });
    return found ? found.type : undefined;
  }

  /** As long as this stays the same, the answers of {@link look} and {@link namesIn} do. */
  get namesVersion(): number {
    return this.#names.current;
  }

  /** Returns null where the names in a folder cannot be told at once. */
  namesIn(folder: string): FolderNames | null {
    return this.files({ op: 'names', path: folder });
  }

  /** Returns the code of a module that an earlier process kept. */
  findModuleCode(name: string): Uint8Array | undefined {
    return this.ask({ kind: 'moduleCode', name });
  }

  keepModuleCode(name: string, code: Uint8Array): void {
    this.ask({ kind: 'keepModuleCode', name, code });
  }

  /** Lets the kernel hold a WebAssembly module, so that other processes need not compile it again. */
  holdCompiled(name: string, module: WebAssembly.Module): void {
    this.say({ kind: 'compiled', name, module });
  }

  files<Call extends NodeFsCall>(call: Call): FileAnswer<Call> {
    return this.#asker.ask(
      () => this.#post({ kind: 'call', call: { kind: 'files', call: sendable(call) } }),
      call,
    ) as FileAnswer<Call>;
  }

  /** Carries out several calls in order. Throws CallFailed if none of them could be. */
  severalFiles(calls: readonly NodeFsCall[]): readonly FileOutcome[] {
    return this.ask({ kind: 'severalFiles', calls: calls.map(sendable) });
  }

  print(stream: 1 | 2, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; at += OUTPUT_WINDOW) {
      const piece = copyOf(bytes.subarray(at, at + OUTPUT_WINDOW));
      this.say({ kind: 'output', stream, bytes: piece }, [piece.buffer]);
    }
  }

  /** Adds bytes to the end of an open file, without waiting. If that fails, the next call with the handle does. */
  append(handle: number, bytes: Uint8Array): void {
    const copy = copyOf(bytes);
    this.say({ kind: 'append', handle, bytes: copy }, [copy.buffer]);
  }

  readInput(): Uint8Array | undefined {
    return this.ask({ kind: 'readInput' });
  }

  /**
   * Posts a message, then blocks while more than {@link OUTPUT_WINDOW} bytes are unread on the other side.
   */
  say(message: FromNode, transfer: readonly Transferable[] = []): void {
    this.#asker.tells();
    const weight = weightOf(message);
    this.#post(message, [...transfer]);
    if (weight === 0) return;
    this.#sent = (this.#sent + weight) | 0;
    for (let taken = this.#asker.taken; ((this.#sent - taken) | 0) > OUTPUT_WINDOW; taken = this.#asker.taken)
      this.#asker.waitTaken(taken);
  }

  /** The rest of this thread never runs: the kernel ends it. */
  exit(exitCode: number, signal?: ProcessSignal): never {
    this.say({ kind: 'exit', exitCode, ...(signal && { signal }) });
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (;;) Atomics.wait(never, 0, 0);
  }

  startChild(what: Parameters<NodeHost['start']>[0], hear: (message: FromChild) => void) {
    const id = this.#nextChild++;
    const say = (message: ToChild, transfer?: readonly Transferable[]) =>
      this.say({ kind: 'child', message }, transfer);
    this.#children.set(id, (message) => {
      if (message.kind === 'childExited' || message.kind === 'childFailed') this.#children.delete(id);
      hear(message);
    });
    const pid = this.ask({ kind: 'startChild', start: { ...what, id } });
    return {
      pid: pid === 0 ? undefined : pid,
      input: (bytes: Uint8Array) => say({ kind: 'childInput', id, bytes }),
      endInput: () => say({ kind: 'endChildInput', id }),
      signal: (signal: ProcessSignal) => say({ kind: 'signalChild', id, signal }),
      resize: (columns: number, rows: number) => say({ kind: 'resizeChild', id, columns, rows }),
      used: (bytes: number) => say({ kind: 'childOutputUsed', id, bytes }),
      send: (data: unknown, transfer: readonly Transferable[] = []) =>
        say({ kind: 'messageChild', id, data, transfer }, transfer),
      disconnect: () => say({ kind: 'disconnectChild', id }),
    };
  }

  runChild(
    what: Parameters<NodeHost['start']>[0],
    input: Uint8Array,
    options: Pick<
      Extract<NodeCall, { kind: 'runChild' }>,
      'timeoutMs' | 'maxBytes' | 'killSignal' | 'inherits'
    >,
  ): RanChild & Pick<ReturnType<typeof unpackRan>, 'stdout' | 'stderr'> {
    const start = { ...what, id: this.#nextChild++ };
    const packed = this.ask({ kind: 'runChild', start, input, ...options });
    if (!(packed instanceof Uint8Array)) throw new Error('the child could not be waited for');
    const { ran, stdout, stderr } = unpackRan(packed);
    return { ...ran, stdout, stderr };
  }
}

/** Copies the content, because posting a view would clone its whole buffer. */
function sendable(call: NodeFsCall): NodeFsCall {
  return 'content' in call ? { ...call, content: copyOf(call.content) } : call;
}
