import type { MakeBuiltin } from '../builtins/builtin.ts';
import { makeConsole } from '../builtins/console.ts';
import { makeModuleBuiltin } from '../builtins/module-builtin.ts';
import { Builtins, type Modules } from '../builtins/modules.ts';
import { adaptPlatform } from '../builtins/platform.ts';
import { makeTimersModule } from '../builtins/timers.ts';
import { makeVm } from '../builtins/vm.ts';
import { Sources } from '../errors/sources.ts';
import { prepareStacks } from '../errors/stacks.ts';
import { systemError } from '../fs/errors.ts';
import { makeFs } from '../fs/index.ts';
import { makeHost } from '../host.ts';
import type { KernelLink } from '../kernel/link.ts';
import { kernelNetwork } from '../kernel/network.ts';
import type { HooksRequest } from '../loader/hooks-thread.ts';
import { ReplInputs } from '../loader/repl-inputs.ts';
import { keepAliveForPromises } from '../loop/browser-promises.ts';
import { EventLoop } from '../loop/loop.ts';
import { keepTimers } from '../loop/own-timers.ts';
import { makeTimers, type Timers } from '../loop/timers.ts';
import { makeChildProcess } from '../process/child-process.ts';
import type { Ports } from '../process/port-types.ts';
import { adaptPorts } from '../process/ports.ts';
import { makeProcess, type MadeProcess } from '../process/process.ts';
import { programFinder } from '../process/programs.ts';
import type { ThreadBegin } from '../process/threads/messages.ts';
import type { NodeStart } from '../../shared/wire.ts';
import { parseCli, type Cli } from './cli.ts';
import { reportCompiledModules } from './compiled-modules.ts';
import { Failures } from './failures.ts';
import { defineGlobals, hideWorkerGlobals, switchOffGlobals } from './globals.ts';
import { answerHooks, hooksMemoryOf, startHooks } from './hook-threads.ts';
import { makeNavigator } from './navigator.ts';
import { OwnThread } from './own-thread.ts';
import { openParentChannel } from './parent-channel.ts';
import { makeProcessModules } from './process-modules.ts';
import { ProgramEnd } from './program-end.ts';
import { runCli } from './run.ts';
import { VERSION } from './versions.ts';
import { filesReporter, REPORTS_FILES } from './watching.ts';
import { defineFirstGlobals, defineWebGlobals } from './web-globals.ts';

/** Without this line c8 would report that nothing ran. */
const NO_COVERAGE =
  'NODE_V8_COVERAGE has no effect here, because a browser does not tell which code ran. nyc counts without it, as jest and Vitest do with istanbul.';

/** Makes this worker the process that `start` describes, and runs it. */
export function startRuntime(start: NodeStart, link: KernelLink): void {
  const cli = parseCli(start.args, start.env.NODE_OPTIONS, VERSION);
  new Runtime(start, link, cli).start();
}

/** The parts of one process. They are made in the order in which they need each other. */
class Runtime {
  readonly #link: KernelLink;
  readonly #cli: Cli;
  /** `kept`: paths through symlinks stay as they are, as `--preserve-symlinks` asks. */
  readonly #links: { kept: boolean };
  readonly #sources = new Sources();
  readonly #loop = new EventLoop({ idle: () => this.#end.idle() });
  readonly #timers: Timers;
  readonly #host: ReturnType<typeof makeHost>;
  readonly #builtins: Builtins;
  readonly #ports: Ports;
  readonly #made: MadeProcess;
  readonly #files: ReturnType<typeof makeFs>;
  readonly #modules: Modules;
  readonly #console: ReturnType<typeof makeConsole>;
  readonly #thread: OwnThread;
  readonly #failures: Failures;
  readonly #end: ProgramEnd;
  #madeChildren: ReturnType<typeof makeChildProcess> | undefined;
  /** The memory for the answers, if this process runs hooks. It comes from this same code in another worker. */
  readonly #hooksMemory: SharedArrayBuffer | undefined;
  /** Whether this process is a thread of a program. */
  readonly #isThread: boolean;
  readonly #start: NodeStart;
  #reportFile: ((path: string) => void) | undefined;

  constructor(start: NodeStart, link: KernelLink, cli: Cli) {
    this.#start = start;
    this.#link = link;
    this.#cli = cli;
    this.#links = {
      kept: cli.flags.has('--preserve-symlinks') || start.env.NODE_PRESERVE_SYMLINKS === '1',
    };
    this.#hooksMemory = hooksMemoryOf(start.thread);
    this.#isThread = start.thread !== undefined && !this.#hooksMemory;
    const listen = globalThis.addEventListener.bind(globalThis);
    const navigator = makeNavigator(globalThis.navigator.hardwareConcurrency);
    prepareStacks(this.#sources);
    const loop = this.#loop;
    this.#timers = makeTimers(loop);
    // Globals come first: builtins find what they use by its global name, as programs do.
    hideWorkerGlobals();
    keepAliveForPromises(loop);
    reportCompiledModules((name, module) => link.holdCompiled(name, module));
    defineFirstGlobals(this.#timers);
    this.#host = this.#makeHost();
    // This must precede the first builtin, since builtins copy what the platform has.
    adaptPlatform(this.#host);
    keepTimers();
    this.#builtins = new Builtins(this.#host, this.#ownBuiltins());
    const { load } = this.#builtins;
    this.#ports = adaptPorts(loop, load);
    link.cameIn = () => loop.cameIn();
    this.#made = this.#makeProcess();
    const { process } = this.#made;
    defineGlobals({ process });
    this.#files = makeFs({
      link,
      load,
      loop,
      cwd: () => process.cwd(),
      umask: () => process.umask(),
      patterns: () => this.#host.part('patterns'),
      input: (take) => this.#made.streams.input.pass(take),
    });
    const context = {
      cli,
      link,
      loop,
      load,
      host: this.#host,
      builtins: this.#builtins,
      sources: this.#sources,
      made: this.#made,
      ports: this.#ports,
    };
    this.#modules = makeProcessModules({
      ...context,
      core: () => this.#files.core,
      links: this.#links,
      images: start.images,
      loaded: (path) => this.#reportFile?.(path),
    });
    this.#console = makeConsole(
      load,
      () => process.stdout,
      () => process.stderr,
    );
    defineGlobals({ console: this.#console });
    defineWebGlobals(this.#host, load, navigator);
    switchOffGlobals((flag) => cli.flags.has(flag));
    const thread = new OwnThread({ ...context, isInternal: this.#hooksMemory !== undefined });
    this.#thread = thread;
    this.#failures = new Failures({
      ...context,
      failInParent: start.thread === undefined ? undefined : (thrown, origin) => thread.fail(thrown, origin),
    });
    this.#end = new ProgramEnd({
      ...context,
      esm: this.#modules.esm,
      fail: (thrown) => this.#failures.fail(thrown),
    });
    this.#failures.listen(listen);
  }

  start(): void {
    const { env, thread } = this.#start;
    const { process, events } = this.#made;
    const { load } = this.#builtins;
    const link = this.#link;
    const loop = this.#loop;
    const answer =
      this.#hooksMemory && answerHooks({ ...this.#shared(), esm: this.#modules.esm }, this.#hooksMemory);
    const channel =
      this.#start.channel && thread === undefined
        ? openParentChannel({ link, loop, load, events, mode: env.NODE_CHANNEL_SERIALIZATION_MODE })
        : undefined;
    if (env.NODE_V8_COVERAGE && thread === undefined) process.emitWarning(NO_COVERAGE);
    if (env[REPORTS_FILES] && channel) this.#reportFile = filesReporter(process);
    // Only this process reports its files, and not those that it starts.
    delete process.env[REPORTS_FILES];
    loop.hearsRejections = () => events.listenerCount('unhandledRejection') > 0;
    link.events = {
      input: (bytes) => this.#made.streams.input.took(bytes),
      signal: (signal) => this.#made.signal(signal),
      resized: (columns, rows) => this.#made.resized(columns, rows),
      message: (data) => {
        if (this.#isThread) this.#thread.begin(data as ThreadBegin, () => this.#run());
        else if (answer) answer(data as HooksRequest);
        else loop.add(() => channel?.received(data));
      },
      disconnected: () => loop.add(() => channel?.closed()),
      changed: (watch, path, change, isWritten) => this.#files.changed(watch, path, change, isWritten),
    };
    if (!this.#isThread) loop.add(() => this.#run());
  }

  #run(): void {
    runCli({
      host: this.#host,
      serving: this.#hooksMemory !== undefined,
      links: this.#links,
      cli: this.#cli,
      link: this.#link,
      loop: this.#loop,
      made: this.#made,
      modules: this.#modules,
      builtins: this.#builtins,
      sources: this.#sources,
      isWorkerEval: this.#thread.isEval,
      main: (promise) => this.#end.main(promise),
    });
    this.#loop.endRound();
  }

  #shared() {
    return { link: this.#link, loop: this.#loop, process: this.#made.process, ports: this.#ports };
  }

  #makeHost(): ReturnType<typeof makeHost> {
    return makeHost({
      link: this.#link,
      loop: this.#loop,
      network: kernelNetwork(this.#link, this.#loop),
      process: () => this.#made.process,
      modules: () => this.#modules,
      fail: (error) => this.#failures.fail({ error }),
    });
  }

  /** The builtins that need more of the process than its host. */
  #ownBuiltins(): Record<string, MakeBuiltin> {
    const { conditions, flags } = this.#cli;
    return {
      fs: () => this.#files.fs,
      'fs/promises': () => this.#files.promises,
      process: () => this.#made.process,
      console: () => this.#console,
      timers: (_host, load) => makeTimersModule(load, this.#timers.enrolled),
      module: () =>
        makeModuleBuiltin(this.#modules, this.#builtins, () => startHooks({ ...this.#shared(), conditions })),
      vm: () =>
        makeVm(this.#sources, {
          importMain: () => this.#modules.esm.importFrom(`file://${this.#made.process.cwd()}/`),
          withModules: flags.has('--experimental-vm-modules'),
        }),
      repl: (host, load) => host.part('readline').makeRepl(host, load, new ReplInputs(this.#sources)),
      child_process: () => this.#children.module,
      worker_threads: () => this.#thread.threads.module,
    };
  }

  #makeProcess(): MadeProcess {
    const link = this.#link;
    const { load } = this.#builtins;
    return makeProcess({
      start: this.#start,
      link,
      loop: this.#loop,
      load,
      builtin: (name) => {
        const plain = name.replace(/^node:/, '');
        return this.#builtins.has(plain) ? load(plain) : undefined;
      },
      builtinNames: () => this.#builtins.plainNames,
      checkFolder: (path, given) => {
        const found = link.look(path);
        if (found === 'directory') return path;
        throw systemError(found ? 'ENOTDIR' : 'ENOENT', 'chdir', this.#made.process.cwd(), given);
      },
      end: (code, signal) => link.exit(code, signal),
      kept: () => this.#timers.kept(),
      signalOther: (pid, signal) => this.#children.signal(pid, signal),
    });
  }

  get #children() {
    return (this.#madeChildren ??= makeChildProcess({
      link: this.#link,
      loop: this.#loop,
      load: this.#builtins.load,
      process: this.#made.process,
      input: this.#made.streams.input,
      findProgram: programFinder(this.#link),
    }));
  }
}
