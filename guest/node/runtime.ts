import { filesReporter, REPORTS_FILES } from './watching.ts';
import type { MakeBuiltin } from './builtins/builtin.ts';
import { systemError } from './fs/errors.ts';
import { parseCli, type Cli } from './cli.ts';
import { makeFetch } from './builtins/fetch.ts';
import { emittedStacks } from './builtins/internal/emitter.ts';
import { adaptPlatform } from './builtins/platform.ts';
import { makeChildProcess } from './child-process.ts';
import { childChannel } from './child-channel.ts';
import { makeConsole } from './console.ts';
import { programFinder } from './programs.ts';
import { makeFs } from './fs/index.ts';
import { defineGlobals, defineLazyGlobal, hideWorkerGlobals, switchOffGlobals } from './globals.ts';
import { makeHost } from './host.ts';
import { EventLoop } from './loop.ts';
import type { KernelLink } from './link.ts';
import { makeModuleBuiltin } from './module-builtin.ts';
import { Builtins, makeModules } from './modules.ts';
import { makeNavigator } from './navigator.ts';
import { kernelNetwork } from './network.ts';
import { makeProcess } from './process.ts';
import { runCli } from './run.ts';
import { sourceName, Sources } from './sources.ts';
import { prepareStacks } from './stacks.ts';
import { makeTimersModule } from './builtins/timers.ts';
import { makeTimers } from './timers.ts';
import { placeAt } from './loader/edits.ts';
import {
  decorate,
  LOADING,
  pointedAt,
  REJECTING,
  uncaughtText,
  whereThrown,
  type Thrown,
} from './uncaught.ts';
import { VERSION } from './versions.ts';
import {
  makeWorkerThreads,
  type FromThread,
  restrictProcess,
  type ThreadBegin,
  type WorkerThreads,
} from './worker-threads.ts';
import { holdForPromises } from './held.ts';
import { adaptPorts } from './ports.ts';
import type { NodeStart } from './wire.ts';
import { makeVm } from './vm.ts';
import { CryptoKey } from './builtins/crypto/key-object.ts';
import { SubtleCrypto } from './builtins/crypto/subtle.ts';
import { adaptWebCrypto } from './builtins/crypto/web-crypto.ts';
import { serveHooks } from './loader/hooks-server.ts';
import { HooksThread, type HooksRequest } from './loader/hooks-thread.ts';
import { TypeScript, type TypesMode } from './loader/typescript.ts';
import type { MakeWebSocket } from './builtins/websocket/main.ts';
import type { ReadTypes } from './loader/typescript/read.ts';

const PERFORMANCE = [
  'Performance',
  'PerformanceEntry',
  'PerformanceMark',
  'PerformanceMeasure',
  'PerformanceObserver',
  'PerformanceObserverEntryList',
  'performance',
];

type Origin = 'uncaughtException' | 'unhandledRejection';

/** Makes this worker the process that `start` describes, and runs it. */
export function startRuntime(start: NodeStart, link: KernelLink): void {
  const cli = parseCli(start.args, start.env.NODE_OPTIONS, VERSION);
  const listen = globalThis.addEventListener.bind(globalThis);
  const theNavigator = makeNavigator(navigator.hardwareConcurrency);
  const sources = new Sources();
  prepareStacks(sources);
  const loop = new EventLoop({ idle });
  const timers = makeTimers(loop);
  // What builtins are made of is found as programs find it: by its global names.
  hideWorkerGlobals();
  holdForPromises(loop);
  defineGlobals({ global: globalThis }, true);
  defineGlobals(
    {
      clearImmediate: timers.global.clearImmediate,
      setImmediate: timers.global.setImmediate,
      clearInterval: timers.global.clearInterval,
      clearTimeout: timers.global.clearTimeout,
      setInterval: timers.global.setInterval,
      setTimeout: timers.global.setTimeout,
      queueMicrotask,
      structuredClone,
      atob,
      btoa,
    },
    true,
  );

  const host = makeHost({
    link,
    loop,
    network: kernelNetwork(link, loop),
    process: () => made.process,
    modules: () => modules,
    fail: (error) => fail({ error }),
  });
  // Before any builtin is made, which take what the platform has.
  adaptPlatform(host);
  const own: Record<string, MakeBuiltin> = {
    fs: () => files.fs,
    'fs/promises': () => files.promises,
    process: () => made.process,
    console: () => theConsole,
    timers: (_host, load) => makeTimersModule(load, timers.enrolled),
    module: () => makeModuleBuiltin(modules, builtins, startHooks),
    vm: () =>
      makeVm(sources, {
        importMain: () => modules.esm.importFrom(`file://${process.cwd()}/`),
        withModules: cli.flags.has('--experimental-vm-modules'),
      }),
    child_process: () => children().module,
    worker_threads: () => threads.module,
  };
  const builtins = new Builtins(host, own);
  const { load } = builtins;
  const ports = adaptPorts(loop, load);
  link.cameIn = () => loop.cameIn();
  const made = makeProcess({
    start,
    link,
    loop,
    load,
    builtin: (name) => {
      const plain = name.replace(/^node:/, '');
      return builtins.has(plain) ? load(plain) : undefined;
    },
    checkFolder(path, given) {
      const found = link.look(path);
      if (found === 'directory') return path;
      throw systemError(found ? 'ENOTDIR' : 'ENOENT', 'chdir', made.process.cwd(), given);
    },
    end: (code, signal) => link.exit(code, signal),
    kept: () => timers.kept(),
    signalOther: (pid, signal) => children().signal(pid, signal),
  });
  const { process } = made;
  defineGlobals({ process });
  const files = makeFs({ link, load, loop, cwd: () => process.cwd(), umask: () => process.umask() });
  const links = { kept: cli.flags.has('--preserve-symlinks') || start.env.NODE_PRESERVE_SYMLINKS === '1' };
  const modules = makeModules({
    link,
    builtins,
    sources,
    core: () => files.core,
    cwd: () => process.cwd(),
    conditions: cli.conditions,
    strict: cli.flags.has('--use-strict'),
    warn: (text, code) => (code === undefined ? made.warnNow(text) : process.emitWarning(text, { code })),
    unfinished: (text) => process.emitWarning(text),
    deprecated: (text, code) => process.emitWarning(text, { type: 'DeprecationWarning', code }),
    links,
    typescript: new TypeScript(
      typesMode(cli),
      () => host.part('typescript') as ReadTypes,
      () =>
        process.emitWarning(
          'Transform Types is an experimental feature and might change at any time',
          'ExperimentalWarning',
        ),
    ),
    resolvesFrom: cli.flags.has('--experimental-import-meta-resolve'),
    requiresModules: !cli.flags.has('--no-experimental-require-module'),
    globalPaths: () => [
      ...(process.env.NODE_PATH ?? '').split(':').filter(Boolean),
      ...(process.env.HOME
        ? ['.node_modules', '.node_libraries'].map((name) => `${process.env.HOME}/${name}`)
        : []),
      '/usr/lib/node',
    ],
    loaded: (path) => reporter?.(path),
  });
  let madeChildren: ReturnType<typeof makeChildProcess> | undefined;
  const children = () =>
    (madeChildren ??= makeChildProcess({
      link,
      loop,
      load,
      process,
      streams: made.streams,
      findProgram: programFinder(link),
    }));
  const theConsole = makeConsole(
    load,
    () => process.stdout,
    () => process.stderr,
  );
  defineGlobals({ console: theConsole });
  for (const name of PERFORMANCE)
    defineLazyGlobal(name, () => Reflect.get(load('perf_hooks'), name) as unknown, name === 'performance');
  defineLazyGlobal('Buffer', () => load('buffer').Buffer);
  defineLazyGlobal('fetch', () => makeFetch(host, load), true);
  defineLazyGlobal('WebSocket', () => (host.part('websocket') as MakeWebSocket)(host, load));
  defineGlobals({ navigator: theNavigator }, true);
  defineGlobals({ Navigator: theNavigator.constructor });
  defineGlobals({ crypto }, true);
  const Crypto = adaptWebCrypto(() => load('crypto') as ReturnType<Parameters<typeof adaptWebCrypto>[0]>);
  defineGlobals({ Crypto, CryptoKey, SubtleCrypto });

  switchOffGlobals((flag) => cli.flags.has(flag));

  // What a kernel hands over is what this code gave it in another worker.
  const serves = hooksMemoryOf(start.thread);
  const isThread = start.thread !== undefined && !serves;
  let thread: ThreadBegin | undefined;
  /** The text that it was given is what runs now. */
  let evaluates = false;
  const threads = lazyThreads();
  function lazyThreads() {
    let made_: WorkerThreads | undefined;
    const get = () =>
      (made_ ??= makeWorkerThreads({
        link,
        loop,
        load,
        process,
        thread,
        isInternal: serves !== undefined,
        ports,
        shareEnv: () => made.shareEnv(),
      }));
    return {
      get module() {
        return get().module;
      },
      failed: (error: unknown) => get().failed(error),
    };
  }

  function startHooks(): HooksThread {
    const { NODE_OPTIONS: _own, ...env } = process.env as Record<string, string>;
    const args = [...cli.conditions.map((each) => `--conditions=${each}`), '-e', ''];
    const startThread = (memory: SharedArrayBuffer) => {
      const child = link.startChild(
        {
          program: { kind: 'node', args },
          cwd: process.cwd(),
          env,
          channel: true,
          thread: { hooks: memory },
        },
        (message) => {
          if (message.kind !== 'childOutput') return;
          link.print(message.stream, message.bytes);
          child.used(message.bytes.byteLength);
        },
      );
      return child;
    };
    return new HooksThread(startThread, (code) => process.exit(code), ports.pack);
  }

  const answersHooks = serves && hooksServer(serves);
  function hooksServer(memory: SharedArrayBuffer) {
    const { importFrom, usual } = modules.esm;
    const server = serveHooks({ memory, importFrom, usual });
    // Held: what it is asked next is not known to its loop.
    loop.handle();
    process.on('exit', (code) => server.ended(code));
    return server;
  }

  function asked(request: HooksRequest, server: ReturnType<typeof serveHooks>): void {
    if (request.kind === 'register') ports.adopt(request.packed);
    loop.add(() => void server.hear(request));
  }

  const channel = start.channel && start.thread === undefined ? parentChannel() : undefined;
  function parentChannel() {
    const ours = childChannel(
      made.events,
      loop,
      load,
      {
        send: (data, transfer = []) => link.say({ kind: 'message', data, transfer }, transfer),
        disconnect: () => link.say({ kind: 'disconnect' }),
      },
      start.env.NODE_CHANNEL_SERIALIZATION_MODE === 'advanced' ? 'advanced' : 'json',
    );
    ours.keep(false);
    // Only while the program listens does the channel keep it alive.
    const isHeard = (name: string | symbol) => name === 'message' || name === 'disconnect';
    made.events.on('newListener', (name) => isHeard(name) && ours.keep(true));
    made.events.on('removeListener', (name) => {
      if (
        isHeard(name) &&
        made.events.listenerCount('message') + made.events.listenerCount('disconnect') === 0
      )
        ours.keep(false);
    });
    return ours;
  }

  const reporter = start.env[REPORTS_FILES] && channel ? filesReporter(process) : undefined;
  // It is this process that is watched, and not those that it starts.
  delete process.env[REPORTS_FILES];

  loop.hearsRejections = () => made.events.listenerCount('unhandledRejection') > 0;
  link.events = {
    input: (bytes) => made.streams.took(bytes),
    signal: (signal) => made.signal(signal),
    resized: (columns, rows) => made.resized(columns, rows),
    message: (data) => {
      if (isThread) begin(data as ThreadBegin);
      else if (answersHooks) asked(data as HooksRequest, answersHooks);
      else loop.add(() => channel?.received(data));
    },
    disconnected: () => loop.add(() => channel?.closed()),
    changed: (watch, path, change) => files.changed(watch, path, change),
  };

  /** Nobody caught it: listeners are told, else the process says so and ends. */
  function fail(thrown: Thrown, origin: Origin = 'uncaughtException'): void {
    const { error } = thrown;
    try {
      made.events.emit('uncaughtExceptionMonitor', error as Error, origin);
      if (made.capture) return made.capture(error);
      if (process.listenerCount('uncaughtException') > 0)
        return void made.events.emit('uncaughtException', error as Error, origin);
    } catch (second) {
      report({ error: second });
      return leave(7);
    } finally {
      loop.afterFailure();
    }
    if (isThread || serves) {
      if (evaluates && origin === 'uncaughtException') decorate(error, whereThrown(sources, thrown) ?? '');
      threads.failed(error);
    } else report(thrown);
    leave(1);
  }

  function report(thrown: Thrown): void {
    showEmitter(thrown.error);
    const inspect = (value: unknown) =>
      load('util').inspect(value, {
        colors: process.stderr.isTTY === true,
        customInspect: false,
        depth: 5,
      });
    link.print(
      2,
      new TextEncoder().encode(
        uncaughtText(thrown, sources, inspect, VERSION, cli.flags.has('--trace-uncaught')),
      ),
    );
  }

  function leave(code: number): void {
    try {
      process.exitCode = code;
      process.exit();
    } catch (error) {
      report({ error });
      link.exit(7);
    }
  }

  listen('error', (event) => {
    event.preventDefault();
    const { error, filename, lineno, colno } = event as ErrorEvent;
    fail({ error, file: sourceName(filename), place: { line: lineno, column: colno } });
  });
  listen('unhandledrejection', (event) => {
    event.preventDefault();
    const { reason, promise } = event as PromiseRejectionEvent;
    if (!loop.hasTicks) return rejected(reason, promise);
    // The platform knows nothing of ticks: one of them may handle it yet.
    waiting.add(promise);
    loop.afterTicks(() => waiting.delete(promise) && rejected(reason, promise));
  });
  listen('rejectionhandled', (event) => {
    const { promise } = event as PromiseRejectionEvent;
    if (waiting.delete(promise)) return;
    const id = told.get(promise);
    if (made.events.emit('rejectionHandled', promise) || id === undefined) return;
    process.emitWarning(
      `Promise rejection was handled asynchronously (rejection id: ${id})`,
      'PromiseRejectionHandledWarning',
    );
  });

  let rejections = 0;
  /** Promises that were rejected, while ticks wait. */
  const waiting = new Set<Promise<unknown>>();
  /** Promises whose rejection nobody had handled when it was told, by their numbers. */
  const told = new WeakMap<Promise<unknown>, number>();
  function rejected(reason: unknown, promise: Promise<unknown>): void {
    const mode = cli.flags.get('--unhandled-rejections') ?? 'throw';
    const error = reason instanceof Error ? reason : unhandled(reason);
    told.set(promise, ++rejections);
    if (mode === 'strict') fail({ error }, 'unhandledRejection');
    let isHeard = false;
    try {
      isHeard = made.events.emit('unhandledRejection', reason, promise);
    } catch (thrown) {
      return fail({ error: thrown });
    } finally {
      loop.afterFailure();
    }
    if (mode === 'none' || (isHeard && mode !== 'warn')) return;
    if (mode === 'throw')
      return fail(reason === error ? { error } : { error, inside: REJECTING }, 'unhandledRejection');
    const text = reason instanceof Error ? (reason.stack ?? String(reason)) : String(reason);
    const name = 'UnhandledPromiseRejectionWarning';
    process.emitWarning(text, name);
    process.emitWarning(
      `Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on unhandled promise rejection, use the CLI flag \`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${rejections})`,
      name,
    );
    if (mode === 'warn-with-error-code') process.exitCode = 1;
  }

  let mainPending = false;
  let waited = false;
  function idle(): void {
    made.events.emit('beforeExit', made.code());
    // What its listeners began keeps the process alive.
    loop.settle(end);
  }

  function end(): void {
    loop.over();
    const unsettled = modules.esm.unsettled();
    if (!mainPending || unsettled.length === 0) return leaveNow();
    // It may wait for the browser, which does not tell.
    if (!waited) {
      waited = true;
      return loop.afterQuiet(BROWSER_MS, end);
    }
    // Who has set a code knows.
    if (process.exitCode === undefined && !cli.flags.has('--no-warnings'))
      link.print(2, new TextEncoder().encode(unsettledText(unsettled)));
    process.exitCode ??= 13;
    leaveNow();
  }

  /** Also where the program has taken `reallyExit` for itself. */
  function leaveNow(): void {
    process.exit();
    link.exit(made.code() & 255);
  }

  function unsettledText(modules: readonly { readonly name: string; readonly place: number }[]): string {
    const texts = modules.map(({ name, place }) => {
      const { line, column } = placeAt(sources.text(name) ?? '', place);
      const shown = pointedAt(name, line, sources.line(name, line) ?? '', column);
      return `Warning: Detected unsettled top-level await at ${shown}\n\n\n`;
    });
    return texts.join('');
  }

  /** A thread knows only now what it is. */
  function begin(data: ThreadBegin): void {
    thread = data;
    restrictProcess(process, data);
    if (data.env) made.shareEnv(data.env);
    // Its port is its own before the program asks for it.
    void threads.module;
    link.say({ kind: 'message', data: { kind: 'online' } satisfies FromThread });
    evaluates = data.isEval;
    loop.add(run);
    loop.add(() => (evaluates = false));
  }
  if (!isThread) loop.add(run);

  function run(): void {
    runCli({
      host,
      serving: answersHooks !== undefined,
      links,
      cli,
      link,
      loop,
      made,
      modules,
      builtins,
      sources,
      isWorkerEval: thread?.isEval === true,
      main(promise) {
        mainPending = true;
        promise.then(
          () => (mainPending = false),
          (error: unknown) => {
            mainPending = false;
            loop.add(() => fail({ error, inside: LOADING }));
          },
        );
      },
    });
    loop.endRound();
  }
}

function typesMode({ flags }: Cli): TypesMode {
  if (flags.has('--experimental-transform-types')) return 'transform';
  return flags.has('--no-experimental-strip-types') || flags.has('--no-strip-types') ? 'none' : 'strip';
}

/** Of a thread that runs hooks of `module.register`: where its answers go. */
function hooksMemoryOf(thread: unknown): SharedArrayBuffer | undefined {
  const memory: unknown =
    typeof thread === 'object' && thread !== null ? Reflect.get(thread, 'hooks') : undefined;
  return memory instanceof SharedArrayBuffer ? memory : undefined;
}

/** So long an await at the top of a program may wait for something that keeps no process alive. */
const BROWSER_MS = 60;

function showEmitter(error: unknown): void {
  const stack = error instanceof Error ? emittedStacks.get(error) : undefined;
  if (stack) Object.defineProperty(error, 'stack', { value: stack(), configurable: true, writable: true });
}

/** As the engine names it by itself: nothing of the program is called. */
function withoutAsking(reason: unknown): string {
  if (typeof reason !== 'object' || reason === null) return String(reason);
  if (Reflect.get(reason, 'toString') !== Object.prototype.toString)
    return Object.prototype.toString.call(reason);
  const { constructor } = reason;
  return `#<${typeof constructor === 'function' && constructor.name ? constructor.name : 'Object'}>`;
}

function unhandled(reason: unknown): Error {
  const shown = withoutAsking(reason);
  const error = new Error(
    `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${shown}".`,
  );
  error.name = 'UnhandledPromiseRejection';
  error.stack = `${error.name}: ${error.message}\n    at throwUnhandledRejectionsMode (node:internal/process/promises:392:7)`;
  Object.defineProperty(error, 'name', { enumerable: false });
  return Object.assign(error, { code: 'ERR_UNHANDLED_REJECTION' });
}
