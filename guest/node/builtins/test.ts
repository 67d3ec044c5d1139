import type { MakeBuiltin } from './builtin.ts';
import { Owner } from './async/owner.ts';
import { Assertions } from './test/assertions.ts';
import { makeTestsStream } from './test/events.ts';
import type { Tools } from './test/harness.ts';
import type { MockTracker } from './test/mock/mock.ts';
import { configOf, noCoverage, type Config } from './test/options.ts';
import { callerPlace } from './test/place.ts';
import { report } from './test/reporting.ts';
import { makeRoot, startAtTop } from './test/root.ts';
import { runTests, type RunOptions } from './test/run.ts';
import { Snapshots } from './test/snapshots.ts';
import { Hook, Suite, type HookName, type Kind, type Test, type TestOptions } from './test/test.ts';

export const makeTest: MakeBuiltin = (host, load) => {
  const { process } = host;
  const Stream = makeTestsStream(load);
  const owners = new Owner<Test | Hook | 'reporter'>();
  let config: Config | undefined;
  const theConfig = () => (config ??= configOf(process));
  const snapshots = new Snapshots(load, process.execArgv.includes('--test-update-snapshots'));
  const assertions = new Assertions(load, snapshots);
  let written: readonly NodeJS.WritableStream[] = [];
  const tools: Tools = {
    load,
    // Programs may replace the global timers with their own.
    clock: {
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
      now: performance.now.bind(performance),
    },
    runAs: (owner, run) => owners.run(owners.frameOf(owner), run),
    assertions: () => assertions.all(),
    makeMock: () => new (host.part('mock').MockTracker)(host, load),
    makeStream: () => new Stream(),
    forceExit(stream) {
      void finishRoot?.();
      const ended = [...written].map(
        (each) => new Promise<void>((resolve) => each.once('unpipe', () => closed(each, resolve))),
      );
      void (stream.readableEnded ? Promise.resolve() : Promise.all(ended)).then(() => process.exit());
    },
  };
  let root: Test | undefined;
  let finishRoot: (() => Promise<void>) | undefined;

  function closed(stream: NodeJS.WritableStream, done: () => void): void {
    if (stream === process.stdout || stream === process.stderr) return done();
    stream.end(done);
  }

  function makeTree(options: TestOptions, change: Partial<Config>, entryFile?: string) {
    const made = makeRoot({
      host,
      tools,
      config: { ...theConfig(), ...change },
      options,
      entryFile,
      place: entryFile === undefined ? undefined : { line: 1, column: 1, file: entryFile },
      running: (turns) => owners.last(turns),
    });
    made.harness.writeSnapshots = () => snapshots.writeFiles();
    root = made.root;
    finishRoot = made.finish;
    return made;
  }

  const reporting = (stream: InstanceType<typeof Stream>) =>
    owners.run(owners.frameOf('reporter'), () =>
      report({ host, load, config: theConfig() }, stream).then((all) => void (written = all)),
    );

  function theRoot(): Test {
    if (root) return root;
    const made = makeTree({}, {}, process.argv[1]);
    const { stream } = made.root;
    if (theConfig().coverage && process.env.NODE_TEST_CONTEXT === undefined) throw noCoverage();
    stream.on('test:summary', ({ success }: { success: boolean }) => {
      if (!success) process.exitCode = 1;
    });
    made.harness.bootstrap = reporting(stream);
    return made.root;
  }

  function current(): Test {
    const owner = owners.get();
    if (owner instanceof Hook) return owner.test;
    return owner === undefined || owner === 'reporter' ? theRoot() : owner;
  }

  function addTo(kind: Kind, args: readonly unknown[], change: TestOptions): Promise<void> {
    const parent = current();
    const test = parent.addTest(kind, args, change, callerPlace());
    if (parent instanceof Suite) return Promise.resolve();
    return startAtTop(test, test instanceof Suite ? test.building : undefined);
  }

  function entry(kind: Kind) {
    const variant =
      (change: TestOptions) =>
      (...args: unknown[]) =>
        addTo(kind, args, change);
    return Object.assign(variant({}), {
      skip: variant({ skip: true }),
      todo: variant({ todo: true }),
      only: variant({ only: true }),
    });
  }

  const hook = (name: HookName) => (run: unknown, options?: object) =>
    current().addHook(name, run, options, callerPlace());

  const test = entry('test');
  const suite = entry('suite');
  let mock: MockTracker | undefined;
  Object.assign(test, {
    after: hook('after'),
    afterEach: hook('afterEach'),
    before: hook('before'),
    beforeEach: hook('beforeEach'),
    describe: suite,
    it: test,
    run(options?: RunOptions) {
      return runTests({ host, load, makeTree }, options);
    },
    suite,
    test,
    snapshot: Object.assign(Object.create(null), {
      setDefaultSnapshotSerializers: snapshots.setDefaultSnapshotSerializers,
      setResolveSnapshotPath: snapshots.setResolveSnapshotPath,
    }),
    assert: { register: assertions.register },
  });
  Object.defineProperty(test, 'mock', {
    get: () => (mock ??= tools.makeMock()),
    enumerable: true,
    configurable: true,
  });
  /** `node --test`: runs tests as the flags say, with the reporters that they name. */
  Object.defineProperty(test, RUN_COMMAND, {
    // `watch` is a parameter because the process does not have the flags for watching.
    value: ((patterns, watch) => {
      const { shard, timeout, concurrency, isolation, coverage, forceExit, names, skips, only } = theConfig();
      const stream = runTests(
        { host, load, makeTree },
        {
          globPatterns: patterns,
          setup: (each) => reporting(each as InstanceType<typeof Stream>),
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
        },
      );
      stream.on('test:summary', ({ success }: { success: boolean }) => {
        if (!success) process.exitCode = 1;
      });
    }) satisfies RunCommand,
  });
  return test;
};

export type RunCommand = (patterns: readonly string[], watch: boolean) => void;

/** The property of the module that holds the functions for the command line. */
export const RUN_COMMAND = Symbol('node --test');
