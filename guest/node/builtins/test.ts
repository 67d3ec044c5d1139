import type { MakeBuiltin } from './builtin.ts';
import type { MockTracker } from './test/mock/mock.ts';
import { ProcessTests } from './test/process-tests.ts';
import type { RunOptions } from './test/run-options.ts';
import type { HookName } from './test/context.ts';
import type { Kind, TestOptions } from './test/test.ts';

export const makeTest: MakeBuiltin = (host, load) => {
  const tests = new ProcessTests(host, load);

  function entry(kind: Kind) {
    const variant =
      (change: TestOptions) =>
      (...args: unknown[]) =>
        tests.add(kind, args, change);
    return Object.assign(variant({}), {
      skip: variant({ skip: true }),
      todo: variant({ todo: true }),
      only: variant({ only: true }),
    });
  }

  const hook = (name: HookName) => (run: unknown, options?: object) => tests.addHook(name, run, options);

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
      return tests.run(options);
    },
    suite,
    test,
    snapshot: Object.assign(Object.create(null), {
      setDefaultSnapshotSerializers: tests.snapshots.setDefaultSnapshotSerializers,
      setResolveSnapshotPath: tests.snapshots.setResolveSnapshotPath,
    }),
    assert: { register: tests.assertions.register },
  });
  Object.defineProperty(test, 'mock', {
    get: () => (mock ??= tests.tools.makeMock()),
    enumerable: true,
    configurable: true,
  });
  Object.defineProperty(test, RUN_COMMAND, {
    // `watch` is a parameter because the process does not have the flags for watching.
    value: ((patterns, watch) => tests.runCommand(patterns, watch)) satisfies RunCommand,
  });
  return test;
};

export type RunCommand = (patterns: readonly string[], watch: boolean) => void;

/** The property of the module that holds the functions for the command line. */
export const RUN_COMMAND = Symbol('node --test');
