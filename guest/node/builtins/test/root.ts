import type { NodeHost } from '../builtin.ts';
import { testFailure } from './failure.ts';
import { Harness, type Tools } from './harness.ts';
import type { Config } from './options.ts';
import type { SourcePosition } from './events.ts';
import { Hook, Test, type TestOptions } from './test.ts';
import { ownTimers } from '../../loop/own-timers.ts';

interface RootParts {
  readonly host: NodeHost;
  readonly config: Config;
  readonly tools: Tools;
  readonly options: TestOptions;
  readonly entryFile: string | undefined;
  readonly position: SourcePosition | undefined;
  /** The owner of the code that ran last: a test, a hook, or a reporter. */
  readonly running: (turns: 1 | 2) => object | 'reporter' | undefined;
}

/** The test that all others of the process are below of, told when the process has nothing left to do. */
export function makeRoot({ host, config, tools, options, entryFile, position, running }: RootParts) {
  const { process } = host;
  const harness = new Harness(config, tools);
  const root = new Test({ ...options, name: '<root>', position }, undefined, harness, tools.makeStream());
  root.entryFile = entryFile;
  root.startTime = tools.clock.now();

  /** Reports errors that belong to no test at the end, and fails the run. */
  const uncaught = (event: 'uncaughtException' | 'unhandledRejection') => (error: unknown) => {
    // A rejection is told of a turn later.
    const owner = running(event === 'unhandledRejection' ? 2 : 1);
    if (harness.bootstrap || owner === 'reporter') throw error;
    if (owner instanceof Test && !owner.finished) {
      owner.fail(testFailure(error, event));
      owner.abort.abort();
      return;
    }
    let text =
      'Error: A resource generated asynchronous activity after the test ended. ' +
      `This activity created the error "${String(error)}" which triggered an ${event} event, caught by the test runner.`;
    if (owner instanceof Hook || owner instanceof Test) {
      const name = owner instanceof Hook ? `Test hook "${owner.name}"` : `Test "${owner.name}"`;
      const at = owner.position;
      const relative = at && tools.load('path').relative(process.cwd(), at.file);
      const where = at ? ` at ${relative}:${at.line}:${at.column}` : '';
      text =
        `Error: ${name}${where} generated asynchronous activity after the test ended. This activity created the error ` +
        `"${String(error)}" and would have caused the test to fail, but instead triggered an ${event} event.`;
    }
    root.diagnose(text);
    harness.success = false;
    process.exitCode = 1;
  };
  const exceptions = uncaught('uncaughtException');
  const rejections = uncaught('unhandledRejection');

  const over = () => void finish();
  const finish = async () => {
    const { before, after } = root.hooks;
    if (root.subtests.length === 0 && before.length + after.length > 0) await root.run();
    root.end(
      testFailure(
        'Promise resolution is still pending but the event loop has already resolved',
        'cancelledByParent',
      ),
    );
    unlisten();
  };
  const unlisten = () => {
    process.off('uncaughtException', exceptions);
    process.off('unhandledRejection', rejections);
    process.off('beforeExit', over);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, terminate);
  };
  const terminate = () => {
    void finish();
    process.exit();
  };
  process.on('uncaughtException', exceptions);
  process.on('unhandledRejection', rejections);
  process.on('beforeExit', over);
  if (config.isRunner) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, terminate);
  return { root, harness, finish };
}

/** Tests at the top wait until the reporters are there and the suites have named theirs. */
export async function startAtTop(test: Test, suite: Promise<void> | undefined): Promise<void> {
  const { harness } = test;
  if (harness.building) {
    if (harness.bootstrap) {
      await harness.bootstrap;
      harness.bootstrap = undefined;
    }
    if (suite) harness.suites.push(suite);
    if (!harness.waitsForBuilding) {
      harness.waitsForBuilding = true;
      ownTimers().queueMicrotask(() => void Promise.all(harness.suites).then(harness.built));
    }
    await harness.building;
    harness.building = undefined;
  }
  await test.start();
}
