import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { Owner } from '../async/owner.ts';
import { Assertions } from './assertions.ts';
import { makeTestsStream, type TestsStream } from './events.ts';
import type { Tools } from './harness.ts';
import { configOf, noCoverage, type Config } from './options.ts';
import { callerPosition } from './position.ts';
import { report } from './reporting.ts';
import { makeRoot, startAtTop } from './root.ts';
import { runTests } from './run.ts';
import type { RunOptions } from './run-options.ts';
import { Snapshots } from './snapshots.ts';
import type { HookName } from './context.ts';
import { Hook, Suite, Test, type Kind, type TestOptions } from './test.ts';
import { clock } from '../../loop/browser-clock.ts';
import { ownTimers } from '../../loop/own-timers.ts';

/** The tests of a process: the tree that its program declares, or those of the files that it runs. */
export class ProcessTests {
  readonly #host: NodeHost;
  readonly #load: LoadBuiltin;
  /** The test or hook to which running code belongs, or `reporter`. */
  readonly #owners = new Owner<object | 'reporter'>();
  readonly #Stream: ReturnType<typeof makeTestsStream>;
  readonly snapshots: Snapshots;
  readonly assertions: Assertions;
  readonly tools: Tools;
  #config: Config | undefined;
  #root: Test | undefined;
  #finishRoot: (() => Promise<void>) | undefined;
  /** The streams to which reporters write. */
  #written: readonly NodeJS.WritableStream[] = [];

  constructor(host: NodeHost, load: LoadBuiltin) {
    this.#host = host;
    this.#load = load;
    this.#Stream = makeTestsStream(load);
    this.snapshots = new Snapshots(load, host.process.execArgv.includes('--test-update-snapshots'));
    this.assertions = new Assertions(load, this.snapshots);
    this.tools = {
      load,
      clock: {
        setTimeout: ownTimers().setTimeout,
        clearTimeout: ownTimers().clearTimeout,
        now: () => clock.now(),
      },
      runAs: (owner, run) => this.#owners.run(this.#owners.frameOf(owner), run),
      assertions: () => this.assertions.all(),
      makeMock: () => new (host.part('mock').MockTracker)(host, load),
      makeStream: () => new this.#Stream(),
      forceExit: (stream) => this.#forceExit(stream),
    };
  }

  /** The flags of the process, which are read on first use. */
  get config(): Config {
    return (this.#config ??= configOf(this.#host.process));
  }

  #forceExit(stream: TestsStream): void {
    const { process } = this.#host;
    void this.#finishRoot?.();
    const ended = this.#written.map(
      (each) => new Promise<void>((resolve) => each.once('unpipe', () => this.#close(each, resolve))),
    );
    void (stream.readableEnded ? Promise.resolve() : Promise.all(ended)).then(() => process.exit());
  }

  #close(stream: NodeJS.WritableStream, done: () => void): void {
    const { process } = this.#host;
    if (stream === process.stdout || stream === process.stderr) return done();
    stream.end(done);
  }

  #makeTree(options: TestOptions, change: Partial<Config>, entryFile?: string) {
    const made = makeRoot({
      host: this.#host,
      tools: this.tools,
      config: { ...this.config, ...change },
      options,
      entryFile,
      position: entryFile === undefined ? undefined : { line: 1, column: 1, file: entryFile },
      running: (turns) => this.#owners.last(turns),
    });
    made.harness.writeSnapshots = () => this.snapshots.writeFiles();
    this.#root = made.root;
    this.#finishRoot = made.finish;
    return made;
  }

  #report(stream: TestsStream): Promise<void> {
    const parts = { host: this.#host, load: this.#load, config: this.config };
    return this.#owners.run(this.#owners.frameOf('reporter'), () =>
      report(parts, stream).then((all) => void (this.#written = all)),
    );
  }

  /** Makes the exit code tell whether a run succeeded. */
  #failWith(stream: TestsStream): void {
    stream.on('test:summary', ({ success }: { success: boolean }) => {
      if (!success) this.#host.process.exitCode = 1;
    });
  }

  get #ownRoot(): Test {
    if (this.#root) return this.#root;
    const { process } = this.#host;
    const made = this.#makeTree({}, {}, process.argv[1]);
    const { stream } = made.root;
    if (this.config.coverage && process.env.NODE_TEST_CONTEXT === undefined) throw noCoverage();
    this.#failWith(stream);
    made.harness.bootstrap = this.#report(stream);
    return made.root;
  }

  get #current(): Test {
    const owner = this.#owners.get();
    if (owner instanceof Hook) return owner.test;
    return owner instanceof Test ? owner : this.#ownRoot;
  }

  add(kind: Kind, args: readonly unknown[], change: TestOptions): Promise<void> {
    const parent = this.#current;
    const test = parent.addTest(kind, args, change, callerPosition());
    if (parent instanceof Suite) return Promise.resolve();
    return startAtTop(test, test instanceof Suite ? test.building : undefined);
  }

  addHook(name: HookName, run: unknown, options: object | undefined): void {
    this.#current.addHook(name, run, options, callerPosition());
  }

  run(options?: RunOptions): TestsStream {
    const makeTree = (given: TestOptions, change: Partial<Config>) => this.#makeTree(given, change);
    return runTests({ host: this.#host, load: this.#load, makeTree }, options);
  }

  /** Runs tests as `node --test` does, with the reporters that the flags name. */
  runCommand(patterns: readonly string[], watch: boolean): void {
    const { shard, timeout, concurrency, isolation, coverage, forceExit, names, skips, only } = this.config;
    const stream = this.run({
      globPatterns: patterns,
      setup: (each) => this.#report(each),
      concurrency,
      timeout,
      isolation,
      watch,
      forceExit,
      only,
      ...(shard && { shard }),
      ...(names && { testNamePatterns: names }),
      ...(skips && { testSkipPatterns: skips }),
      coverage,
    });
    this.#failWith(stream);
  }
}
