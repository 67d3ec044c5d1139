import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import {
  argTypeError,
  argValueError,
  needFunction,
  needInteger,
  needObject,
  needString,
} from '../internal/errors.ts';
import { reportedFiles, REPORTS_FILES, WatchedFiles } from '../../start/watching.ts';
import { FileTest, runFile } from './file-test.ts';
import type { TestsStream } from './events.ts';
import type { Harness } from './harness.ts';
import { testFiles } from './files.ts';
import { checkedShard, noCoverage, patternOf, type Config, type Shard } from './options.ts';
import { startAtTop } from './root.ts';
import { Test, type TestOptions } from './test.ts';

type Patterns = string | RegExp | readonly (string | RegExp)[];

export interface RunOptions extends TestOptions {
  readonly files?: readonly string[] | null;
  readonly globPatterns?: readonly string[] | null;
  readonly forceExit?: boolean | null;
  readonly watch?: boolean | null;
  readonly isolation?: string;
  readonly setup?: ((stream: TestsStream) => unknown) | null;
  readonly shard?: Shard | null;
  readonly testNamePatterns?: Patterns | null;
  readonly testSkipPatterns?: Patterns | null;
  readonly execArgv?: readonly string[];
  readonly argv?: readonly string[];
  readonly coverage?: boolean;
  readonly coverageIncludeGlobs?: string | readonly string[];
  readonly coverageExcludeGlobs?: string | readonly string[];
  readonly lineCoverage?: number;
  readonly branchCoverage?: number;
  readonly functionCoverage?: number;
}

export interface RunTools {
  readonly host: NodeHost;
  readonly load: LoadBuiltin;
  readonly makeTree: (
    options: TestOptions,
    config: Partial<Config>,
  ) => { readonly root: Test; readonly harness: Harness; readonly finish: () => Promise<void> };
  /** Starts to count what runs, where that is asked for. */
}

function listed(value: unknown, name: string): void {
  if (value !== undefined && value !== null && !Array.isArray(value))
    throw argTypeError(name, 'Array', value);
}

function yesOrNo(value: unknown, name: string): void {
  if (value !== undefined && value !== null && typeof value !== 'boolean')
    throw argTypeError(name, 'boolean', value);
}

function regexps(given: Patterns | null | undefined, name: string): readonly RegExp[] | undefined {
  if (given === undefined || given === null) return undefined;
  const list = Array.isArray(given) ? given : [given];
  return list.map((each: unknown, at) => {
    if (each instanceof RegExp) return each;
    if (typeof each !== 'string') throw argTypeError(`${name}[${at}]`, ['string', 'RegExp'], each);
    return patternOf(each, `${name}[${at}]`);
  });
}

function texts(given: unknown, name: string): readonly string[] {
  if (given === undefined || given === null) return [];
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return list.map((each, at) => {
    needString(each, `${name}[${at}]`);
    return each;
  });
}

function checked(options: RunOptions) {
  const given: unknown = options;
  needObject(given, 'options');
  const { files, forceExit, watch, globPatterns, setup, isolation = 'process' } = options;
  listed(files, 'options.files');
  yesOrNo(watch, 'options.watch');
  yesOrNo(forceExit, 'options.forceExit');
  if (forceExit && watch) throw argValueError('options.forceExit', watch, 'is not supported with watch mode');
  yesOrNo(options.only, 'options.only');
  listed(globPatterns, 'options.globPatterns');
  if (globPatterns?.length && files?.length)
    throw argValueError(
      'options.globPatterns',
      globPatterns,
      "is not supported when specifying 'options.files'",
    );
  const part: unknown = options.shard;
  if (part !== undefined && part !== null && (typeof part !== 'object' || Array.isArray(part)))
    throw argTypeError('options.shard', 'object', part);
  const shard = options.shard ? checkedShard(options.shard) : undefined;
  if (shard && watch) throw argValueError('options.shard', watch, 'shards not supported with watch mode');
  if (setup !== undefined && setup !== null) needFunction(setup, 'options.setup');
  const names = regexps(options.testNamePatterns, 'options.testNamePatterns');
  const skips = regexps(options.testSkipPatterns, 'options.testSkipPatterns');
  if (isolation !== 'process' && isolation !== 'none')
    throw argValueError('options.isolation', isolation, "must be one of: 'process', 'none'");
  yesOrNo(options.coverage, 'options.coverage');
  const { lineCoverage = 0, branchCoverage = 0, functionCoverage = 0 } = options;
  needInteger(lineCoverage, 'options.lineCoverage', 0, 100);
  needInteger(branchCoverage, 'options.branchCoverage', 0, 100);
  needInteger(functionCoverage, 'options.functionCoverage', 0, 100);
  texts(options.coverageIncludeGlobs, 'options.coverageIncludeGlobs');
  texts(options.coverageExcludeGlobs, 'options.coverageExcludeGlobs');
  if (options.coverage) throw noCoverage();
  return {
    shard,
    names,
    skips,
    isolation,
    argv: texts(options.argv, 'options.argv'),
    execArgv: texts(options.execArgv, 'options.execArgv'),
  };
}

/** Flags of this process that those of the files do not get. */
function passedOn(execArgv: readonly string[]): string[] {
  const withValue = ['--test-reporter', '--test-reporter-destination'];
  return execArgv.filter(
    (arg, at) =>
      !['--test', '--experimental-test-coverage', '--watch'].includes(arg) &&
      !withValue.some((name) => arg === name || arg.startsWith(`${name}=`) || execArgv[at - 1] === name),
  );
}

const ONE_PROCESS = Symbol('all files in one process');

/** `run()` of node:test: runs files of tests, each in a process of its own unless told otherwise. */
export function runTests(tools: RunTools, options: RunOptions = {}): TestsStream {
  const { host, load } = tools;
  const { process } = host;
  const { shard, names, skips, isolation, argv, execArgv } = checked(options);
  const { files, globPatterns, setup, watch, forceExit, only, signal, concurrency, timeout } = options;
  const config = isolation === 'none' ? { isolation, isRunner: true } : {};
  const { root, harness, finish } = tools.makeTree({ concurrency, timeout, signal }, config);
  const { stream } = root;
  const cwd = process.cwd();
  const found = files ?? testFiles(host, load, cwd, globPatterns ?? undefined);
  if (!found) process.stderr.write(`Could not find '${(globPatterns ?? []).join(', ')}'\n`);
  if (!found) return process.exit(1);
  let chosen = found.filter((_, at) => !shard || at % shard.total === shard.index - 1);
  if (isolation === 'process' && process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning(
      'node:test run() is being called recursively within a test file. skipping running files.',
    );
    root.end();
    return stream;
  }

  const flagsOf = () => [
    ...passedOn(process.execArgv),
    ...(forceExit ? ['--test-force-exit'] : []),
    ...(names ?? []).map((pattern) => `--test-name-pattern=${String(pattern)}`),
    ...(skips ?? []).map((pattern) => `--test-skip-pattern=${String(pattern)}`),
    ...(only ? ['--test-only'] : []),
    ...execArgv,
  ];
  const running = new Map<string | typeof ONE_PROCESS, { ended: Promise<void>; end: () => void }>();

  function start(file: string | typeof ONE_PROCESS, watched?: WatchedFiles): Promise<void> {
    const path = file === ONE_PROCESS ? '' : file;
    const own = file === ONE_PROCESS ? ['--test', ...process.argv.slice(1)] : [path];
    const position = { line: 1, column: 1, file: load('path').resolve(path) };
    const colors = (process.stdout.isTTY || process.env.FORCE_COLOR) && !process.env.NO_COLOR;
    const entry = { ended: Promise.resolve(), end: () => {} };
    const test: FileTest = root.add((parent) => {
      const body = (t: { signal: AbortSignal }) =>
        runFile(test, path, {
          host,
          cwd,
          args: [...flagsOf(), ...own, ...argv],
          signal: t.signal,
          env: {
            ...process.env,
            ...(colors && { FORCE_COLOR: '1' }),
            ...(watched && { [REPORTS_FILES]: '1' }),
          },
          started: (end) => (entry.end = end),
          ...(watched && {
            message: (message: unknown) => {
              for (const each of reportedFiles(message)) watched.add(String(file), each);
            },
          }),
        });
      return new FileTest({ name: path, body, position, signal }, parent, harness, stream);
    });
    running.set(file, entry);
    entry.ended = test.start();
    return entry.ended;
  }

  /** Runs the files of one batch. The summary after its last file is reported again after the next batch. */
  async function startAll(list: readonly (string | typeof ONE_PROCESS)[], watched?: WatchedFiles) {
    await Promise.all(
      list.map(async (file) => {
        const before = running.get(file);
        before?.end();
        await before?.ended;
        if (running.size === 0) harness.counters.topLevel = 0;
        await start(file, watched);
        running.delete(file);
      }),
    );
    if (!watched || running.size > 0) return;
    stream.tell('test:watch:drained', {});
    root.end();
  }

  async function runInProcess(): Promise<void> {
    let loaded = () => {};
    harness.bootstrap = new Promise<void>((resolve) => (loaded = resolve));
    let known = 0;
    for (const file of chosen) {
      root.entryFile = load('path').resolve(cwd, file);
      let thrown: { readonly error: unknown } | undefined;
      try {
        await host.import(load('url').pathToFileURL(root.entryFile).href);
      } catch (error) {
        thrown = { error };
      }
      if (known === root.subtests.length) {
        const test = root.add((parent) => new Test({ name: file }, parent, harness, stream));
        if (thrown) test.fail(thrown.error);
        void startAtTop(test, undefined);
      }
      known = root.subtests.length;
    }
    root.entryFile = undefined;
    loaded();
    void root.startPending();
  }

  function watchFiles(): void {
    harness.watching = true;
    const whole = isolation === 'none';
    const hit = (owners: ReadonlySet<string>) => {
      if (whole) return void startAll([ONE_PROCESS], watched);
      const before = new Set(chosen);
      if (!files) chosen = testFiles(host, load, cwd, globPatterns ?? undefined) ?? chosen;
      const concerned = chosen.filter((file) => owners.has(file) || !before.has(file));
      if (concerned.length > 0) void startAll(concerned, watched);
    };
    const watched = new WatchedFiles(load('fs'), hit);
    void startAll(whole ? [ONE_PROCESS] : chosen, watched);
    if (!files) watched.addNames(NEW_FILES, cwd);
    if (signal instanceof AbortSignal)
      signal.addEventListener('abort', () => {
        harness.watching = false;
        watched.close();
        root.end();
      });
  }

  async function runAll(): Promise<void> {
    await setup?.(stream);
    if (watch) {
      harness.bootstrap = undefined;
      harness.building = undefined;
      return watchFiles();
    }
    if (isolation === 'none') return runInProcess();
    harness.bootstrap = undefined;
    harness.building = undefined;
    await Promise.allSettled(chosen.map((file) => start(file)));
    root.end();
    await finish();
  }
  void runAll();
  return stream;
}

/** The name under which new files are watched, because they concern no file of the run. */
const NEW_FILES = '';
