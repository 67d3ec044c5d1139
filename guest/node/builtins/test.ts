import type { MakeBuiltin, NodeHost } from './builtin.ts';
import { nodeError } from './internal/errors.ts';
import { Assertions } from './test/assertions.ts';
import { SuiteContext, TestContext } from './test/context.ts';
import { count, durationOf, noTests, type Place, type TestEvent } from './test/events.ts';
import { TestFailure } from './test/failure.ts';
import { MockTracker } from './test/mock.ts';
import { testFlags } from './test/options.ts';
import { CHILD_CONTEXT, EVENT_MARK, reporterFor } from './test/output.ts';
import { Snapshots } from './test/snapshots.ts';
import { tellFinished, Test, type Body, type HookName, type Kind, type TestOptions } from './test/test.ts';

/** Where the module's caller is, outside of this runtime's own code. */
function callerPlace(): Place | undefined {
  for (const line of new Error().stack?.split('\n') ?? []) {
    const found = /\(?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line);
    if (!found || /blob:|node:/.test(line)) continue;
    const [, place = '', row = '', column = ''] = found;
    const file = place.startsWith('file://') ? decodeURIComponent(place.slice(7)) : place;
    return { file: file.replace(/\?.*$/, ''), line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Tells events to whoever reads them: a person, or the process that runs this file. */
function teller({ process }: NodeHost, wanted: string | undefined) {
  if (process.env.NODE_TEST_CONTEXT === CHILD_CONTEXT)
    return {
      event: (event: TestEvent) => process.stdout.write(`${EVENT_MARK}${JSON.stringify(event)}\n`),
      end: () => {},
    };
  const reporter = reporterFor(process, wanted);
  const counters = noTests();
  const started = performance.now();
  let opened = false;
  const open = () => {
    if (!opened) process.stdout.write(reporter.start());
    opened = true;
  };
  return {
    event(event: TestEvent) {
      open();
      if (event.type === 'pass' || event.type === 'fail') count(counters, event);
      const text = reporter.report(event);
      if (text) process.stdout.write(text);
    },
    end() {
      open();
      process.stdout.write(reporter.end(counters, durationOf(started, performance.now())));
    },
  };
}

export const makeTest: MakeBuiltin = (host, load) => {
  const { process } = host;
  const flags = testFlags(process.execArgv);
  const snapshots = new Snapshots(load, flags.updatesSnapshots);
  const assertions = new Assertions(load, snapshots);
  let root: Test | undefined;
  let building: Test | undefined;

  function matches(test: Test): boolean {
    const name = test.fullName.replaceAll(' > ', ' ');
    if (flags.skips.some((skip) => skip.test(test.name))) return false;
    if (flags.names.length === 0 || test.subtests.length > 0) return true;
    return flags.names.some((wanted) => wanted.test(name));
  }

  function marked(test: Test): boolean {
    if (!flags.only || test.only) return true;
    for (let at = test.parent; at; at = at.parent) if (at.only) return true;
    return test.subtests.length > 0;
  }

  function startRoot(): Test {
    const tell = teller(host, flags.reporter);
    let due = false;
    let over = false;
    const queue: TestEvent[] = [];
    const flush = () => {
      due = false;
      for (const event of queue.splice(0)) tell.event(event);
    };
    const harness = {
      entryFile: process.argv[1],
      chosen: (test: Test) => matches(test) && marked(test),
      within(test: Test, run: () => unknown) {
        const around = building;
        building = test;
        try {
          return run();
        } finally {
          building = around;
        }
      },
      now: () => performance.now(),
      // After what the tests themselves wrote in the same turn.
      report(event: TestEvent) {
        queue.push(event);
        if (!due) setImmediate(flush);
        due = true;
      },
      changed: () => tellFinished(top),
      context: (test: Test) =>
        test.kind === 'suite' ? new SuiteContext(test) : new TestContext(test, addTo, () => assertions.all()),
    };
    const options = {
      ...(flags.timeout !== undefined && { timeout: flags.timeout }),
      concurrency: 1,
    };
    const top = new Test(harness, undefined, 'suite', '<root>', options, () => {}, undefined);
    const finish = () => {
      if (over) return;
      over = true;
      for (const test of top.subtests)
        test.cancel(
          'Promise resolution is still pending but the event loop has already resolved',
          'cancelledByParent',
        );
      tellFinished(top);
      flush();
      snapshots.writeFiles();
      if (top.subtests.some((test) => test.failure && test.todo === undefined)) process.exitCode = 1;
      tell.end();
    };
    process.on('beforeExit', () => {
      void afterHooks(top).finally(finish);
    });
    process.on('exit', finish);
    const uncaught = (kind: 'uncaughtException' | 'unhandledRejection') => (error: unknown) => {
      const running = top.subtests.find((test) => !test.finished);
      if (running) running.fail(new TestFailure(error, kind));
      else host.fail(error);
    };
    process.on('uncaughtException', uncaught('uncaughtException'));
    process.on('unhandledRejection', uncaught('unhandledRejection'));
    return top;
  }

  async function afterHooks(top: Test): Promise<void> {
    for (const hook of top.hooks.after) {
      hook.ran ??= Promise.resolve(Reflect.apply(hook.run, undefined, [])).then(() => {});
      await hook.ran;
    }
  }

  function addTo(parent: Test, args: unknown[], change: object = {}, kind: Kind = 'test'): Promise<void> {
    const { name, options, body } = readArgs(args);
    const test = parent.add(kind, name, { ...options, ...change }, body, callerPlace());
    // A suite's tests wait until it runs; those of a test, and of the file, start by themselves.
    if (parent.kind === 'suite' && parent.parent) return Promise.resolve();
    return parent.parent ? test.start() : Promise.resolve().then(() => test.start());
  }

  const current = (): Test => building ?? (root ??= startRoot());

  function entry(kind: Kind) {
    const run = (...args: unknown[]) => addTo(current(), args, {}, kind);
    const variant =
      (change: object) =>
      (...args: unknown[]) =>
        addTo(current(), args, change, kind);
    return Object.assign(run, {
      skip: variant({ skip: true }),
      todo: variant({ todo: true }),
      only: variant({ only: true }),
    });
  }

  const hook = (name: HookName) => (run: unknown, options?: { timeout?: number }) =>
    current().addHook(name, run, options);

  const test = entry('test');
  const suite = entry('suite');
  return Object.assign(test, {
    after: hook('after'),
    afterEach: hook('afterEach'),
    before: hook('before'),
    beforeEach: hook('beforeEach'),
    describe: suite,
    it: test,
    mock: new MockTracker(),
    run: () => {
      throw nodeError(
        'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
        'run() of node:test is not available in this workspace; use `node --test`',
      );
    },
    suite,
    test,
    snapshot: Object.assign(Object.create(null), {
      setDefaultSnapshotSerializers: snapshots.setDefaultSnapshotSerializers,
      setResolveSnapshotPath: snapshots.setResolveSnapshotPath,
    }),
    assert: { register: assertions.register },
  });
};

function readArgs(args: unknown[]): { name: string; options: TestOptions; body: Body } {
  const name = args.find((arg) => typeof arg === 'string');
  const body = args.find((arg): arg is Body => typeof arg === 'function');
  const options = args.find((arg) => typeof arg === 'object' && arg !== null) ?? {};
  return {
    name: name || body?.name || '<anonymous>',
    options: options as TestOptions,
    body: body ?? (() => {}),
  };
}
