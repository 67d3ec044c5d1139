import { filesReporter, REPORTS_FILES } from './watching.ts';
import type { MakeBuiltin } from '../builtins/builtin.ts';
import { systemError } from '../fs/errors.ts';
import { parseCli, type Cli } from './cli.ts';
import { emittedStacks } from '../builtins/internal/emitter.ts';
import { adaptPlatform } from '../builtins/platform.ts';
import { makeChildProcess } from '../process/child-process.ts';
import { childChannel } from '../process/child-channel.ts';
import { makeConsole } from '../builtins/console.ts';
import { programFinder } from '../process/programs.ts';
import { makeFs } from '../fs/index.ts';
import { defineGlobals, defineLazyGlobal, hideWorkerGlobals, switchOffGlobals } from './globals.ts';
import { makeHost } from '../host.ts';
import { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import { makeModuleBuiltin } from '../builtins/module-builtin.ts';
import { Builtins, makeModules } from '../builtins/modules.ts';
import { makeNavigator } from './navigator.ts';
import { kernelNetwork } from '../kernel/network.ts';
import { makeProcess } from '../process/process.ts';
import { runCli } from './run.ts';
import { sourceName, Sources } from '../errors/sources.ts';
import { prepareStacks } from '../errors/stacks.ts';
import { makeTimersModule } from '../builtins/timers.ts';
import { makeTimers } from '../loop/timers.ts';
import { positionAt } from '../loader/edits.ts';
import {
  decorate,
  LOADING,
  pointedAt,
  REJECTING,
  uncaughtText,
  whereThrown,
  type Thrown,
} from '../errors/uncaught.ts';
import { VERSION } from './versions.ts';
import {
  makeWorkerThreads,
  type FromThread,
  restrictProcess,
  type ThreadBegin,
  type WorkerThreads,
} from '../process/worker-threads.ts';
import { holdForPromises } from '../loop/held.ts';
import { adaptPorts } from '../process/ports.ts';
import type { NodeStart } from '../../shared/wire.ts';
import { makeVm } from '../builtins/vm.ts';
import { adaptWebCrypto } from '../builtins/crypto/web-crypto.ts';
import { serveHooks } from '../loader/hooks-server.ts';
import { HooksThread, type HooksRequest } from '../loader/hooks-thread.ts';
import { TypeScript, type TypesMode } from '../loader/typescript.ts';

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
  // Globals come first: builtins find what they use by its global name, as programs do.
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
  // This must precede the first builtin, since builtins copy what the platform has.
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
  const files = makeFs({
    link,
    load,
    loop,
    cwd: () => process.cwd(),
    umask: () => process.umask(),
    patterns: () => host.part('patterns'),
  });
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
      () => host.part('typescript'),
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
    lexer: () => host.part('lexer'),
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
  defineLazyGlobal('fetch', () => host.part('http').makeFetch(host, load), true);
  defineLazyGlobal('WebSocket', () => host.part('websocket')(host, load));
  defineGlobals({ navigator: theNavigator }, true);
  defineGlobals({ Navigator: theNavigator.constructor });
  defineGlobals({ crypto }, true);
  const Crypto = adaptWebCrypto(() => load('crypto') as ReturnType<Parameters<typeof adaptWebCrypto>[0]>);
  defineGlobals({ Crypto });
  for (const name of ['CryptoKey', 'SubtleCrypto'] as const)
    defineLazyGlobal(name, () => host.part('crypto')[name]);

  switchOffGlobals((flag) => cli.flags.has(flag));

  // The value comes from this same code in another worker and passed through the kernel unchanged.
  const serves = hooksMemoryOf(start.thread);
  const isThread = start.thread !== undefined && !serves;
  let thread: ThreadBegin | undefined;
  /** True while a thread runs the text that it was started with. */
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
    const { esm } = modules;
    const server = serveHooks({ memory, importFrom: (url) => esm.importFrom(url), usual: esm.usual });
    // The handle keeps the process alive, because the loop does not know of requests to come.
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
    // The channel keeps the process alive only while the program listens to it.
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
  // Only this process reports its files, and not those that it starts.
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

  /** Handles an uncaught error: calls the listeners, or else reports it and ends the process. */
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
    // The browser does not know of ticks. One of them may still handle the rejection.
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
  /** Rejected promises that a waiting tick may still handle. */
  const waiting = new Set<Promise<unknown>>();
  /** The rejection ids of promises whose rejection was reported as unhandled. */
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
    // Anything that listeners of `beforeExit` started keeps the process alive.
    loop.settle(end);
  }

  function end(): void {
    loop.over();
    const unsettled = modules.esm.unsettled();
    if (!mainPending || unsettled.length === 0) return leaveNow();
    // The program may await work of the browser that the loop does not know of.
    if (!waited) {
      waited = true;
      return loop.afterQuiet(BROWSER_MS, end);
    }
    // A program that has set an exit code expects this, so it gets no warning.
    if (process.exitCode === undefined && !cli.flags.has('--no-warnings'))
      link.print(2, new TextEncoder().encode(unsettledText(unsettled)));
    process.exitCode ??= 13;
    leaveNow();
  }

  /** Ends the process even if the program has replaced `reallyExit`. */
  function leaveNow(): void {
    process.exit();
    link.exit(made.code() & 255);
  }

  function unsettledText(modules: readonly { readonly name: string; readonly place: number }[]): string {
    const texts = modules.map(({ name, place }) => {
      const { line, column } = positionAt(sources.text(name) ?? '', place);
      const shown = pointedAt(name, line, sources.line(name, line) ?? '', column);
      return `Warning: Detected unsettled top-level await at ${shown}\n\n\n`;
    });
    return texts.join('');
  }

  /** Starts a thread, which learns its number, data and environment only from this message. */
  function begin(data: ThreadBegin): void {
    thread = data;
    restrictProcess(process, data);
    if (data.env) made.shareEnv(data.env);
    // The module is made now so that the thread hears its port before the program loads it.
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

/** Returns the memory for the answers of a thread that runs hooks of `module.register`. */
function hooksMemoryOf(thread: unknown): SharedArrayBuffer | undefined {
  const memory: unknown =
    typeof thread === 'object' && thread !== null ? Reflect.get(thread, 'hooks') : undefined;
  return memory instanceof SharedArrayBuffer ? memory : undefined;
}

/** Milliseconds that a top-level await may wait for something that does not keep the process alive. */
const BROWSER_MS = 60;

function showEmitter(error: unknown): void {
  const stack = error instanceof Error ? emittedStacks.get(error) : undefined;
  if (stack) Object.defineProperty(error, 'stack', { value: stack(), configurable: true, writable: true });
}

/** Describes a value as the engine does, without calling code of the program. */
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
