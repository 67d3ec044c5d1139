import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { reportedFiles, REPORTS_FILES, WatchedFiles } from '../../start/watching.ts';
import { FileTest, runFile } from './file-test.ts';
import type { TestsStream } from './events.ts';
import type { Harness } from './harness.ts';
import { testFiles } from './files.ts';
import type { Config } from './options.ts';
import { startAtTop } from './root.ts';
import { checkedRun, passedOn, type RunOptions } from './run-options.ts';
import { Test, type TestOptions } from './test.ts';

export interface RunTools {
  readonly host: NodeHost;
  readonly load: LoadBuiltin;
  readonly makeTree: (options: TestOptions, config: Partial<Config>) => Tree;
}

const ONE_PROCESS = Symbol('all files in one process');

/** The path of a file, or all files in one process. */
type Started = string | typeof ONE_PROCESS;

interface Tree {
  readonly root: Test;
  readonly harness: Harness;
  readonly finish: () => Promise<void>;
}

/** `run()` of node:test: runs files of tests, each in a process of its own unless told otherwise. */
export function runTests(tools: RunTools, options: RunOptions = {}): TestsStream {
  const { host, load } = tools;
  const { process } = host;
  const checked = checkedRun(options);
  const { files, globPatterns, signal, concurrency, timeout } = options;
  const { isolation, shard } = checked;
  const config = isolation === 'none' ? { isolation, isRunner: true } : {};
  const tree = tools.makeTree({ concurrency, timeout, signal }, config);
  const found = files ?? testFiles(host, load, process.cwd(), globPatterns ?? undefined);
  if (!found) process.stderr.write(`Could not find '${(globPatterns ?? []).join(', ')}'\n`);
  if (!found) return process.exit(1);
  const chosen = found.filter((_, at) => !shard || at % shard.total === shard.index - 1);
  if (isolation === 'process' && process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning(
      'node:test run() is being called recursively within a test file. skipping running files.',
    );
    tree.root.end();
  } else void new FilesRun(tools, tree, options, checked, chosen).run();
  return tree.root.stream;
}

/** One run of files, from its start until all have ended or, where it watches them, until it is aborted. */
class FilesRun {
  readonly #tools: RunTools;
  readonly #tree: Tree;
  readonly #options: RunOptions;
  readonly #checked: ReturnType<typeof checkedRun>;
  readonly #cwd: string;
  readonly #running = new Map<Started, { ended: Promise<void>; end: () => void }>();
  #chosen: readonly string[];

  constructor(
    tools: RunTools,
    tree: Tree,
    options: RunOptions,
    checked: ReturnType<typeof checkedRun>,
    chosen: readonly string[],
  ) {
    this.#tools = tools;
    this.#tree = tree;
    this.#options = options;
    this.#checked = checked;
    this.#cwd = tools.host.process.cwd();
    this.#chosen = chosen;
  }

  async run(): Promise<void> {
    const { root, harness, finish } = this.#tree;
    const { setup, watch } = this.#options;
    await setup?.(root.stream);
    if (!watch && this.#checked.isolation === 'none') return this.#runInProcess();
    harness.bootstrap = undefined;
    harness.building = undefined;
    if (watch) return this.#watchFiles();
    await Promise.allSettled(this.#chosen.map((file) => this.#start(file)));
    root.end();
    await finish();
  }

  #start(file: Started, watched?: WatchedFiles): Promise<void> {
    const { host, load } = this.#tools;
    const { root, harness } = this.#tree;
    const { signal } = this.#options;
    const path = file === ONE_PROCESS ? '' : file;
    const position = { line: 1, column: 1, file: load('path').resolve(path) };
    const entry = { ended: Promise.resolve(), end: () => {} };
    const test: FileTest = root.add((parent) => {
      const body = (t: { signal: AbortSignal }) =>
        runFile(test, path, {
          host,
          cwd: this.#cwd,
          args: this.#argsOf(file),
          signal: t.signal,
          env: this.#environment(watched !== undefined),
          started: (end) => (entry.end = end),
          ...(watched && {
            message: (message: unknown) => {
              for (const each of reportedFiles(message)) watched.add(String(file), each);
            },
          }),
        });
      return new FileTest({ name: path, body, position, signal }, parent, harness, root.stream);
    });
    this.#running.set(file, entry);
    entry.ended = test.start();
    return entry.ended;
  }

  /** The arguments of the process that runs a file. */
  #argsOf(file: Started): string[] {
    const { process } = this.#tools.host;
    const { forceExit, only } = this.#options;
    const { names, skips, argv, execArgv } = this.#checked;
    return [
      ...passedOn(process.execArgv),
      ...(forceExit ? ['--test-force-exit'] : []),
      ...(names ?? []).map((pattern) => `--test-name-pattern=${String(pattern)}`),
      ...(skips ?? []).map((pattern) => `--test-skip-pattern=${String(pattern)}`),
      ...(only ? ['--test-only'] : []),
      ...execArgv,
      ...(file === ONE_PROCESS ? ['--test', ...process.argv.slice(1)] : [file]),
      ...argv,
    ];
  }

  #environment(isWatched: boolean) {
    const { env, stdout } = this.#tools.host.process;
    const colors = (stdout.isTTY || env.FORCE_COLOR) && !env.NO_COLOR;
    return { ...env, ...(colors && { FORCE_COLOR: '1' }), ...(isWatched && { [REPORTS_FILES]: '1' }) };
  }

  /** Runs the files of one batch. The summary after its last file is reported again after the next batch. */
  async #startAll(list: readonly Started[], watched: WatchedFiles): Promise<void> {
    const { root, harness } = this.#tree;
    await Promise.all(
      list.map(async (file) => {
        const before = this.#running.get(file);
        before?.end();
        await before?.ended;
        if (this.#running.size === 0) harness.counters.topLevel = 0;
        await this.#start(file, watched);
        this.#running.delete(file);
      }),
    );
    if (this.#running.size > 0) return;
    root.stream.tell('test:watch:drained', {});
    root.end();
  }

  async #runInProcess(): Promise<void> {
    const { host, load } = this.#tools;
    const { root, harness } = this.#tree;
    let loaded = () => {};
    harness.bootstrap = new Promise<void>((resolve) => (loaded = resolve));
    let known = 0;
    for (const file of this.#chosen) {
      root.entryFile = load('path').resolve(this.#cwd, file);
      let thrown: { readonly error: unknown } | undefined;
      try {
        await host.import(load('url').pathToFileURL(root.entryFile).href);
      } catch (error) {
        thrown = { error };
      }
      if (known === root.subtests.length) {
        const test = root.add((parent) => new Test({ name: file }, parent, harness, root.stream));
        if (thrown) test.fail(thrown.error);
        void startAtTop(test, undefined);
      }
      known = root.subtests.length;
    }
    root.entryFile = undefined;
    loaded();
    void root.startPending();
  }

  #watchFiles(): void {
    const { load } = this.#tools;
    const { root, harness } = this.#tree;
    const { files, signal } = this.#options;
    harness.watching = true;
    const whole = this.#checked.isolation === 'none';
    const watched = new WatchedFiles(load('fs'), (owners) => {
      if (whole) return void this.#startAll([ONE_PROCESS], watched);
      const concerned = this.#concerned(owners);
      if (concerned.length > 0) void this.#startAll(concerned, watched);
    });
    void this.#startAll(whole ? [ONE_PROCESS] : this.#chosen, watched);
    if (!files) watched.addNames(NEW_FILES, this.#cwd);
    if (signal instanceof AbortSignal)
      signal.addEventListener('abort', () => {
        harness.watching = false;
        watched.close();
        root.end();
      });
  }

  /** Returns the files that a change concerns: those that load what was changed, and new ones. */
  #concerned(owners: ReadonlySet<string>): readonly string[] {
    const { host, load } = this.#tools;
    const { files, globPatterns } = this.#options;
    const before = new Set(this.#chosen);
    if (!files) this.#chosen = testFiles(host, load, this.#cwd, globPatterns ?? undefined) ?? this.#chosen;
    return this.#chosen.filter((file) => owners.has(file) || !before.has(file));
  }
}

/** The name under which new files are watched, because they concern no file of the run. */
const NEW_FILES = '';
