import type assert from 'node:assert';
import type * as async_hooks from 'node:async_hooks';
import type * as buffer from 'node:buffer';
import type events from 'node:events';
import type * as fs from 'node:fs';
import type * as os from 'node:os';
import type * as path from 'node:path';
import type * as perf_hooks from 'node:perf_hooks';
import type * as stream from 'node:stream';
import type * as url from 'node:url';
import type * as util from 'node:util';
import type { NodePart } from '../../../src/workspace/embedded/protocol.ts';
import type { ConnectionEnd } from '../../connection.ts';
import type { NetServerClass } from './net/server.ts';
import type { SocketClass } from './net/socket.ts';
import type { ChildStart, FsCall, ProcessSignal } from '../../protocol.ts';

/** What a process gives its builtin modules. */
export interface NodeHost {
  /** The finished object. */
  readonly process: NodeJS.Process;
  /** What the script of a part of node makes. It is fetched where no program has used it yet. */
  part(part: NodePart): unknown;
  /** A file operation, synchronously. Throws an Error with code, errno, syscall and path as node words it. */
  files(call: FsCall): unknown;
  /** The process lives until every handle is released; unref'd ones do not count. */
  handle(): HostHandle;
  /** Of the event loop, in milliseconds of the process's clock; -1 for what has not been yet. */
  loopTimes(): {
    readonly began: number;
    readonly ended: number;
    readonly idle: number;
    readonly turns: number;
    readonly waiting: number;
  };
  /** Uncaught: ends the process as node does, after its 'uncaughtException' listeners. */
  fail(error: unknown): void;
  /** Loads a module, as `import()` in a file of the working directory does. */
  import(specifier: string): Promise<unknown>;
  /** The URL of what `import` would load from the file at `from`, a URL too. Throws where there is none. */
  resolve(specifier: string, from: string): string;
  /** Starts another process of the workspace. */
  start(what: Omit<ChildStart, 'id'>, events: ChildEvents): HostChild;
  /** Runs one to its end, synchronously. */
  startAndWait(
    what: Omit<ChildStart, 'id'>,
    input: Uint8Array,
    options: { readonly timeoutMs?: number; readonly maxBytes?: number },
  ): {
    readonly stdout: Uint8Array;
    readonly stderr: Uint8Array;
    readonly exitCode: number;
    readonly signal?: ProcessSignal;
  };
  /**
   * One HTTP exchange: with a server inside the workspace where one listens on that port, else through the app with an
   * allowed host. Rejects with an Error whose code is ECONNREFUSED and the like.
   */
  fetch(request: HostRequest): Promise<HostResponse>;
  /** On a port (0: any free one), or on the path of a socket. Throws EADDRINUSE. */
  listen(
    address: number | string,
    events: ServerEvents,
  ): { readonly address: number | string; close(): void };
  /** To a server of the workspace, which answers by the end's first message. `host`: how it was named. */
  connect(address: number | string, host: string): ConnectionEnd;
}

export interface ServerEvents {
  /** Somebody has connected, who named it `host` and has this port. */
  accept(connection: ConnectionEnd, host: string, port: number): void;
  /** Somebody who has no connection asks by HTTP: the shell's curl, and the page. */
  serve(request: ServedRequest): void;
}

export interface HostHandle {
  ref(): void;
  unref(): void;
  release(): void;
}

export interface ChildEvents {
  started(pid: number): void;
  output(stream: 1 | 2, bytes: Uint8Array): void | Promise<void>;
  exited(code: number, signal?: ProcessSignal): void;
  /** What it sent over its channel, where it was given one. */
  message?(data: unknown): void;
}

export interface HostChild {
  input(bytes: Uint8Array): void;
  endInput(): void;
  signal(signal: ProcessSignal): void;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface HostRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** Of hosts outside: what is done where one redirects; followed where it is not told. */
  readonly redirect?: 'error' | undefined;
  readonly signal?: AbortSignal;
}

export interface HostResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  /** Who answered in the end, where redirects were followed already: a browser keeps them to itself. */
  readonly url?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A request to a server of this process. `url` is its path and query, as on a request's first line. */
export interface ServedRequest {
  readonly method: string;
  /** As it was asked, with its port. */
  readonly host: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** `write` answers a promise where the next piece should wait for it. */
  respond(
    status: number,
    statusText: string,
    headers: HeaderList,
  ): { write(bytes: Uint8Array): Promise<void> | undefined; end(): void };
  /** Breaks off, wherever the answer is: whoever asked sees the connection lost. */
  drop(): void;
  /** Calls `listener` where whoever asked waits no more. */
  onGone(listener: () => void): void;
}

/** Another builtin by its name, without `node:`. */
export interface LoadBuiltin {
  <Name extends keyof BuiltinShapes>(name: Name): BuiltinShapes[Name];
  (name: string): unknown;
}

/** Builtins whose shape others rely on. */
export interface BuiltinShapes {
  readonly assert: typeof assert;
  readonly async_hooks: typeof async_hooks;
  readonly buffer: typeof buffer;
  readonly events: typeof events;
  readonly fs: typeof fs;
  readonly net: { readonly Socket: SocketClass; readonly Server: NetServerClass };
  readonly os: typeof os;
  readonly path: typeof path;
  readonly perf_hooks: typeof perf_hooks;
  readonly stream: typeof stream;
  readonly url: typeof url;
  readonly util: typeof util;
}

/** Makes a module's exports, once a process, when it is first asked for. */
export type MakeBuiltin = (host: NodeHost, load: LoadBuiltin) => unknown;
