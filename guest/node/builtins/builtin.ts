import type assert from 'node:assert';
import type * as async_hooks from 'node:async_hooks';
import type * as buffer from 'node:buffer';
import type events from 'node:events';
import type * as fs from 'node:fs';
import type * as os from 'node:os';
import type * as path from 'node:path';
import type * as perf_hooks from 'node:perf_hooks';
import type * as readline from 'node:readline';
import type * as stream from 'node:stream';
import type * as url from 'node:url';
import type * as util from 'node:util';
import type * as v8 from 'node:v8';
import type * as vm from 'node:vm';
import type { NodePart } from '../../../src/protocol/frame.ts';
import type { ConnectionEnd } from '../../shared/connection.ts';
import type { LexImports } from '../loader/imports/main.ts';
import type { MakeLexer } from '../loader/lexer/main.ts';
import type { ReadTypes } from '../loader/typescript/read.ts';
import type { Picomatch } from '../patterns/main.ts';
import type { ChildStart, FsCall, ProcessSignal, ShellOnlyCall } from '../../shared/protocol.ts';

/**
 * The exports of each part of node that is fetched with its first use. Parts that use builtins themselves are
 * declared in `parts.ts`, so that this file does not import them.
 */
export interface NodeParts {
  readonly imports: LexImports;
  readonly lexer: MakeLexer;
  readonly patterns: Picomatch;
  readonly typescript: ReadTypes;
}

/** The services of a process for its builtin modules. */
export interface NodeHost {
  /** The finished object. */
  readonly process: NodeJS.Process;
  /** The value that the script of a part of node creates. It is fetched on first use. */
  part<Name extends NodePart>(name: Name): NodeParts[Name];
  /** A file operation, synchronously. Throws an Error with code, errno, syscall and path as node words it. */
  files(call: Exclude<FsCall, ShellOnlyCall>): unknown;
  /** Keeps the process alive until the handle is released. After `unref` it does not. */
  handle(): HostHandle;
  /** Times of the event loop, in milliseconds of the process's clock; -1 for events that have not happened yet. */
  loopTimes(): {
    readonly began: number;
    readonly ended: number;
    readonly idle: number;
    readonly turns: number;
    readonly waiting: number;
  };
  /** Handles an uncaught error: ends the process as node does, after its 'uncaughtException' listeners. */
  fail(error: unknown): void;
  /** Loads a module, as `import()` in a file of the working directory does. */
  import(specifier: string): Promise<unknown>;
  /** Returns the URL of the module that `import` would load from the URL `from`. Throws if there is none. */
  resolve(specifier: string, from: string): string;
  /** Starts another process of the workspace. */
  start(what: Omit<ChildStart, 'id'>, events: ChildEvents): HostChild;
  /** Runs a process and waits for its end, synchronously. */
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
   * Makes one HTTP exchange: with the workspace's server on that port, or else through the app with an
   * allowed host. Rejects with an Error whose code is ECONNREFUSED or the like.
   */
  fetch(request: HostRequest): Promise<HostResponse>;
  /** Listens on a port (0: any free one) or the path of a socket. Throws EADDRINUSE. */
  listen(
    address: number | string,
    events: ServerEvents,
  ): { readonly address: number | string; close(): void };
  /**
   * Connects to a server of the workspace. Its answer is the first message. `host`: the name that was used.
   */
  connect(address: number | string, host: string): ConnectionEnd;
}

export interface ServerEvents {
  /** Accepts a connection. `host` is the name that the client used, `port` the client's own. */
  accept(connection: ConnectionEnd, host: string, port: number): void;
  /** Answers an HTTP request that comes without a connection, from the shell's curl or the page. */
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
  /** Receives a message of the child, where it was given a channel. */
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
  /** With `error`, a redirect of a host outside fails the request. By default it is followed. */
  readonly redirect?: 'error' | undefined;
  readonly signal?: AbortSignal;
}

export interface HostResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  /** The address that answered, where redirects were followed already: a browser does not report them. */
  readonly url?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A request to a server of this process. `url` is its path and query, as on a request's first line. */
export interface ServedRequest {
  readonly method: string;
  /** The host of the request, with its port. */
  readonly host: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** `write` returns a promise if the next piece should wait. */
  respond(
    status: number,
    statusText: string,
    headers: HeaderList,
  ): { write(bytes: Uint8Array): Promise<void> | undefined; end(): void };
  /** Breaks off the answer at any point. The client sees a lost connection. */
  drop(): void;
  /** Calls `listener` if the client no longer waits. */
  onGone(listener: () => void): void;
}

/** Loads another builtin by its name, without `node:`. */
export interface LoadBuiltin {
  <Name extends keyof BuiltinShapes>(name: Name): BuiltinShapes[Name];
  (name: string): unknown;
}

/** Builtins whose shape others rely on. Those that use builtins themselves are declared in `parts.ts`. */
export interface BuiltinShapes {
  readonly assert: typeof assert;
  readonly async_hooks: typeof async_hooks;
  readonly buffer: typeof buffer;
  readonly events: typeof events;
  readonly fs: typeof fs;
  readonly os: typeof os;
  readonly path: typeof path;
  readonly perf_hooks: typeof perf_hooks;
  readonly process: NodeJS.Process;
  readonly readline: typeof readline;
  readonly stream: typeof stream;
  readonly url: typeof url;
  readonly util: typeof util;
  readonly v8: typeof v8;
  readonly vm: typeof vm;
}

/** Makes a module's exports, on first use and once per process. */
export type MakeBuiltin = (host: NodeHost, load: LoadBuiltin) => unknown;
