import { needFunction } from '../internal/errors.ts';
import { SuiteContext, TestContext, type HookName } from './context.ts';
import {
  count,
  durationOf,
  noTests,
  type Details,
  type EventData,
  type SourcePosition,
  type TestsStream,
} from './events.ts';
import { isTestFailure, testFailure, type TestFailure } from './failure.ts';
import type { Harness } from './harness.ts';
import { checkSignal, concurrencyOf, stopOf, timeoutOf, type Stop } from './limits.ts';
import type { MockTracker } from './mock/mock.ts';
import { callerPosition } from './position.ts';
import type { Plan } from './plan.ts';
import { ownTimers } from '../../loop/own-timers.ts';

export type Kind = 'test' | 'suite';

type Body = (...args: unknown[]) => unknown;

export interface TestOptions {
  readonly concurrency?: unknown;
  readonly only?: boolean;
  readonly plan?: unknown;
  readonly signal?: unknown;
  readonly skip?: boolean | string;
  readonly timeout?: unknown;
  readonly todo?: boolean | string;
}

export interface TestParts extends TestOptions {
  readonly name?: unknown;
  readonly body?: unknown;
  readonly position?: SourcePosition | undefined;
}

const nothing = () => {};

/** Runs it the first time; then answers what came of that. */
function once<Result>(run: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => (done ??= { result: run() }).result;
}

/** Calls a body as tests and hooks are: with a callback where it takes one more than its context. */
function call(body: Body, context: unknown, fail: (failure: TestFailure) => void): Promise<unknown> {
  if (body.length !== 2) return Promise.resolve(Reflect.apply(body, context, [context]));
  let calls = 0;
  let settle: (error: unknown) => void = nothing;
  const called = new Promise<void>((resolve, reject) => {
    // A thrown value is passed on unchanged.
    settle = (error) => (error ? reject(error as Error) : resolve());
  });
  const done = (error?: unknown) => {
    calls++;
    if (calls === 1) settle(error);
    else if (calls === 2) throw testFailure('callback invoked multiple times', 'multipleCallbackInvocations');
  };
  const result: unknown = Reflect.apply(body, context, [context, done]);
  if (!(result instanceof Promise)) return called;
  fail(testFailure('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
  return result;
}

/** A test; the root of all is one, too. */
export class Test {
  readonly kind: string = 'test';
  readonly name: string;
  readonly parent: Test | undefined;
  readonly root: Test;
  readonly harness: Harness;
  readonly nesting: number;
  readonly childNumber: number;
  readonly position: SourcePosition | undefined;
  readonly timeout: number;
  readonly concurrency: number;
  readonly only: boolean | undefined;
  readonly hooks: Record<HookName, Hook[]> = { before: [], after: [], beforeEach: [], afterEach: [] };
  readonly diagnostics: string[] = [];
  readonly abort = new AbortController();
  readonly outerSignal: AbortSignal | undefined;
  readonly #expected: unknown;
  readonly #ready = new Map<number, Test>();
  #pending: { readonly test: Test; readonly done: () => void }[] = [];
  #active = 0;
  #ownAfterEach = 0;
  #startTold = false;
  #reported = false;
  stream: TestsStream;
  entryFile: string | undefined;
  body: Body;
  subtests: Test[] = [];
  testNumber = 0;
  numbered = 0;
  waitingOn = 0;
  runsOnly = false;
  hasOnly = false;
  isFilteredByName = false;
  isFiltered = false;
  isSkipped = false;
  isTodo: boolean;
  isCancelled = false;
  buildOver = false;
  finished = false;
  passed = false;
  error: unknown = null;
  message: string | null;
  mock: MockTracker | undefined;
  plan: Plan | undefined;
  startTime: number | undefined;
  endTime: number | undefined;

  constructor(parts: TestParts, parent: Test | undefined, harness: Harness, stream: TestsStream) {
    const { name, skip, todo, only } = parts;
    let body = typeof parts.body === 'function' ? (parts.body as Body) : nothing;
    this.name = typeof name === 'string' && name !== '' ? name : body.name || '<anonymous>';
    if (body === nothing && this.name === nothing.name) this.name = '<anonymous>';
    this.parent = parent;
    this.root = parent?.root ?? this;
    this.harness = harness;
    this.stream = stream;
    this.nesting = parent?.parent ? parent.nesting + 1 : 0;
    this.childNumber = parent ? parent.subtests.length + 1 : 0;
    this.entryFile = parent?.entryFile;
    this.position = parts.position;
    this.only = parent ? only : harness.config.only;
    this.runsOnly = parent ? false : harness.config.only;
    if (parent) {
      this.#markFiltered(parent);
      if (harness.filtersByOnly) {
        if (this.only) this.#markOnly(parent);
        else if (this.only === false) body = nothing;
      } else if (only || parent.runsOnly)
        this.diagnose("'only' and 'runOnly' require the --test-only command-line option.");
    }
    this.concurrency = concurrencyOf(parts.concurrency, parent?.concurrency ?? 1, () =>
      parent ? Infinity : Math.max(1, harness.tools.load('os').availableParallelism() - 1),
    );
    this.timeout = timeoutOf(parts.timeout, parent?.timeout ?? Infinity);
    checkSignal(parts.signal);
    this.outerSignal = parts.signal;
    this.outerSignal?.addEventListener('abort', this.#aborted);
    if (skip) body = nothing;
    this.body = body;
    this.#expected = parts.plan;
    this.isSkipped = skip !== undefined && skip !== false;
    this.isTodo = (todo !== undefined && todo !== false) || parent?.isTodo === true;
    this.message = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : null;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get fullName(): string {
    return this.parent?.parent ? `${this.parent.fullName} > ${this.name}` : this.name;
  }

  get #path(): string {
    return this.parent ? `${this.parent.#path} ${this.name}` : '';
  }

  #matches(patterns: readonly RegExp[]): boolean {
    if (patterns.some((pattern) => matches(pattern, this.name))) return true;
    if (this.parent?.parent && this.parent.#matches(patterns)) return true;
    const path = this.#path.trim();
    return patterns.some((pattern) => matches(pattern, path));
  }

  #markFiltered(parent: Test): void {
    const { names, skips } = this.harness.config;
    this.isFilteredByName =
      (names !== undefined && !this.#matches(names)) || (skips !== undefined && this.#matches(skips));
    if (this.isFilteredByName || !this.harness.filtersByName) return;
    for (let at: Test | undefined = parent; at?.isFilteredByName; at = at.parent) at.isFilteredByName = false;
  }

  #markOnly(parent: Test): void {
    parent.runsOnly = true;
    if (parent !== this.root && parent.startTime !== undefined) return;
    for (let at: Test | undefined = parent; at && !at.hasOnly; at = at.parent) at.hasOnly = true;
  }

  #applyFilters(): void {
    if (this.error) return;
    if (this.isFilteredByName) this.isFiltered = true;
    else if (this.harness.filtersByOnly && !this.only && !this.hasOnly)
      this.isFiltered = Boolean(this.parent?.runsOnly || this.parent?.hasOnly || this.only === false);
  }

  /** `args`: name, options and body, each of which may be left out. */
  addTest(kind: Kind, args: readonly unknown[], change: TestOptions = {}, position = callerPosition()): Test {
    const [first, second, third] = args;
    const body = [first, second, third].find((arg) => typeof arg === 'function');
    const options = [first, second].find((arg) => typeof arg === 'object' && arg !== null) ?? {};
    const name = typeof first === 'string' ? first : undefined;
    return this.add((parent) => {
      const parts: TestParts = { name, body, ...options, ...change, position };
      return kind === 'suite'
        ? new Suite(parts, parent, this.harness, this.root.stream)
        : new Test(parts, parent, this.harness, this.root.stream);
    });
  }

  /** Adds a subtest. One that comes too late is added to the root, which reports it. */
  add<Made extends Test>(make: (parent: Test) => Made): Made {
    const isLate = this.finished || this.buildOver;
    const parent = isLate ? this.root : this;
    const test = make(parent);
    if (parent.waitingOn === 0) parent.waitingOn = test.childNumber;
    if (isLate)
      test.fail(
        testFailure('test could not be started because its parent finished', 'parentAlreadyFinished'),
      );
    parent.subtests.push(test);
    return test;
  }

  addHook(name: HookName, body: unknown, options: object | undefined, position = callerPosition()): void {
    const hook = new Hook(name, body, { ...options }, this, position);
    if (name === 'before' && this.startTime !== undefined)
      void hook.run(this.context()).then(() => hook.error && this.fail(hook.error));
    // Its own hooks come before those of the suites around it.
    if (name === 'afterEach') this.hooks.afterEach.splice(this.#ownAfterEach++, 0, hook);
    else this.hooks[name].push(hook);
  }

  diagnose(message: string): void {
    this.diagnostics.push(String(message));
  }

  skipNow(message?: string): void {
    this.isSkipped = true;
    this.message = message ?? null;
  }

  todoNow(message?: string): void {
    this.isTodo = true;
    this.message = message ?? null;
  }

  fail(error: unknown): void {
    if (this.error !== null) return;
    this.passed = false;
    this.error = error;
  }

  #pass(): void {
    if (this.error === null) this.passed = true;
  }

  readonly #aborted = (): void => {
    const reason: unknown =
      this.outerSignal?.reason ?? new DOMException('The test was aborted', 'AbortError');
    if (typeof reason === 'object' && reason !== null)
      try {
        Reflect.set(reason, 'failureType', 'testAborted');
      } catch {
        // It cannot be marked: it is told as it is.
      }
    this.cancel(reason);
  };

  cancel(error?: unknown): void {
    if (this.endTime !== undefined || this.error !== null) return;
    this.fail(
      error ?? testFailure('test did not finish before its parent and was cancelled', 'cancelledByParent'),
    );
    this.isCancelled = true;
    this.abort.abort();
  }

  #isAborted(): boolean {
    if (!this.signal.aborted && !this.outerSignal?.aborted) return false;
    this.#aborted();
    return true;
  }

  context(): unknown {
    return new TestContext(this);
  }

  /** Runs it as soon as its parent has room for it. */
  start(): Promise<void> {
    const { parent, harness } = this;
    if (!parent) return this.run();
    this.#applyFilters();
    if (this.isFiltered) this.stream = harness.tools.makeStream();
    else this.testNumber = ++parent.numbered;
    this.#tell('test:enqueue', { type: this.kind });
    if (harness.building || parent.concurrency <= parent.#active)
      return new Promise((done) => parent.#pending.push({ test: this, done }));
    this.#tell('test:dequeue', { type: this.kind });
    return this.run();
  }

  async startPending(): Promise<void> {
    while (this.#pending.length > 0 && this.concurrency > this.#active) {
      const { test, done } = this.#pending.shift() ?? { test: this, done: nothing };
      test.#tell('test:dequeue', { type: this.kind });
      await test.run();
      done();
    }
  }

  inheritHooks(): void {
    if (!this.parent) return;
    this.hooks.beforeEach.unshift(...this.parent.hooks.beforeEach);
    this.hooks.afterEach.push(...this.parent.hooks.afterEach);
  }

  async runHooks(name: HookName, context: unknown): Promise<void> {
    try {
      // Hooks that are added meanwhile run too.
      for (let at = 0; at < this.hooks[name].length; at++) {
        const hook = this.hooks[name][at];
        await hook?.run(context);
        if (hook?.error) throw hook.error as Error;
      }
    } catch (error) {
      const failure = testFailure(`failed running ${name} hook`, 'hookFailed');
      failure.cause = isTestFailure(error) ? error.cause : error;
      throw failure;
    }
  }

  /** It counts among its parent's tests that run. */
  protected enter(): void {
    if (this.parent) this.parent.#active++;
    this.inheritHooks();
  }

  run(): Promise<void> {
    return this.isFiltered ? this.#runFiltered() : this.runChosen();
  }

  async #runFiltered(): Promise<void> {
    this.#pass();
    this.subtests = [];
    ownTimers().queueMicrotask(() => this.end());
  }

  protected async runChosen(): Promise<void> {
    const { harness, parent } = this;
    const { tools } = harness;
    this.enter();
    this.startTime ??= tools.clock.now();
    if (this.#isAborted()) return this.end();
    const context = this.context();
    if (!this.plan && this.#expected && context instanceof TestContext) context.plan(this.#expected);
    const after = () => this.runHooks('after', context);
    const afterEach = once(async () => {
      if (parent && !this.isSkipped) await parent.runHooks('afterEach', context);
    });
    let stop: Stop | undefined;
    try {
      if (parent && parent.hooks.before.length > 0) await parent.runHooks('before', parent.context());
      if (parent && parent.hooks.beforeEach.length > 0 && !this.isSkipped)
        await parent.runHooks('beforeEach', context);
      stop = stopOf(tools.clock, this.timeout, this.signal);
      const work = tools.runAs(this, () => call(this.body, context, (error) => this.fail(error)));
      await Promise.race([work, stop.stopped]);
      this.#isAborted();
      const planned = this.plan?.check();
      if (planned) await Promise.race([planned, stop.stopped]);
      this.#pass();
      await afterEach();
      if (this.hooks.after.length > 0) await after();
    } catch (error) {
      if (isTestFailure(error) && error.failureType === 'testTimeoutFailure') this.cancel(error);
      else this.fail(isTestFailure(error) ? error : testFailure(error, 'testCodeFailure'));
      await afterEach().catch(nothing);
      await after().catch(nothing);
    } finally {
      stop?.dispose();
      if (parent) this.abort.abort();
    }
    if (parent) this.end();
    else if (harness.config.forceExit) tools.forceExit(this.stream);
  }

  /** It has run, or never will: what has not ended of its subtests is ended, and what can be told is. */
  end(pending?: unknown): void {
    this.endTime ??= this.harness.tools.clock.now();
    this.startTime ??= this.endTime;
    this.#pending = [];
    let failed = 0;
    for (const test of this.subtests) {
      if (!test.finished) {
        test.cancel(pending);
        test.end(pending);
      }
      if (!test.passed && !test.isTodo) failed++;
    }
    if ((this.passed || !this.parent) && failed > 0)
      this.fail(testFailure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed'));
    this.outerSignal?.removeEventListener('abort', this.#aborted);
    this.mock?.reset();
    if (!this.parent) return this.#endRun();
    if (!this.isFiltered) {
      this.testNumber ||= ++this.parent.numbered;
      const { details, directive } = this.#result();
      this.stream.tell('test:complete', {
        name: this.name,
        nesting: this.nesting,
        testNumber: this.testNumber,
        details: { ...details, passed: this.passed },
        ...this.position,
        ...directive,
      });
      this.parent.#active--;
    }
    this.parent.#ready.set(this.childNumber, this);
    this.parent.tellReady(false);
    void this.parent.startPending();
  }

  #endRun(): void {
    if (this.#reported) return;
    this.#reported = true;
    const { harness, stream, position } = this;
    const { counters } = harness;
    const tell = (type: string, data: EventData) => stream.tell(type, { nesting: 0, ...data, ...position });
    tell('test:plan', { count: counters.topLevel });
    harness.writeSnapshots();
    const diagnose = (message: string) => tell('test:diagnostic', { message, level: 'info' });
    for (const message of this.diagnostics) diagnose(message);
    const duration = this.#duration();
    const { tests, suites, passed, failed, cancelled, skipped, todo } = counters;
    for (const [name, value] of Object.entries({
      tests,
      suites,
      pass: passed,
      fail: failed,
      cancelled,
      skipped,
      todo,
      duration_ms: duration,
    }))
      diagnose(`${name} ${value}`);
    stream.tell('test:summary', {
      success: harness.success,
      counts: counters,
      duration_ms: duration,
      file: position?.file,
    });
    if (!harness.watching) return stream.close();
    this.#reported = false;
    harness.counters = noTests();
  }

  /** Tells what can be told in order; all of it where the test itself is being told. */
  tellReady(canTell: boolean): void {
    for (let number = this.waitingOn; ; number++) {
      const test = this.#ready.get(number);
      if (!test || !(canTell || this.mayTell())) return;
      test.#finalize();
      this.#ready.delete(number);
    }
  }

  mayTell(): boolean {
    return !this.parent || (this.parent.waitingOn === this.childNumber && this.parent.mayTell());
  }

  #finalize(): void {
    const { parent, root } = this;
    this.tellReady(true);
    if (!this.isFiltered) this.report();
    if (parent) parent.waitingOn++;
    this.finished = true;
    // All have run: the hooks behind them do, although something may still keep the process alive.
    if (parent === root && root.waitingOn > root.subtests.length) void root.run();
  }

  #duration(): number {
    return durationOf(this.startTime ?? 0, this.endTime ?? 0);
  }

  #result(): { details: Details; directive: EventData } {
    const said = this.message ?? true;
    const directive: EventData = this.isSkipped ? { skip: said } : this.isTodo ? { todo: said } : {};
    return {
      directive,
      details: {
        duration_ms: this.#duration(),
        type: this.kind,
        ...(!this.passed && { error: this.error }),
      },
    };
  }

  #tell(type: string, data: EventData): void {
    this.stream.tell(type, { nesting: this.nesting, name: this.name, ...data, ...this.position });
  }

  protected report(): void {
    const { harness, nesting, position } = this;
    const fine = count(harness.counters, this);
    harness.success &&= fine;
    if (this.numbered > 0) {
      const [first] = this.subtests;
      this.stream.tell('test:plan', { nesting: first?.nesting ?? 0, count: this.numbered, ...position });
    } else this.reportStart();
    const { details, directive } = this.#result();
    this.stream.tell(this.passed ? 'test:pass' : 'test:fail', {
      name: this.name,
      nesting,
      testNumber: this.testNumber,
      details,
      ...position,
      ...directive,
    });
    for (const message of this.diagnostics)
      this.stream.tell('test:diagnostic', { nesting, message, level: 'info', ...position });
  }

  reportStart(): void {
    if (this.#startTold || !this.parent) return;
    this.#startTold = true;
    this.parent.reportStart();
    this.stream.tell('test:start', { nesting: this.nesting, name: this.name, ...this.position });
  }
}

function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

/** A suite: its body runs at once and only names its tests. */
export class Suite extends Test {
  override readonly kind = 'suite';
  readonly building: Promise<void>;

  constructor(parts: TestParts, parent: Test, harness: Harness, stream: TestsStream) {
    super(parts, parent, harness, stream);
    const { body } = this;
    this.body = nothing;
    this.building = this.#build(body);
  }

  async #build(body: Body): Promise<void> {
    try {
      const context = this.context();
      await this.harness.tools.runAs(this, () => Reflect.apply(body, context, [context]));
    } catch (error) {
      this.fail(testFailure(error, 'testCodeFailure'));
    }
    this.buildOver = true;
  }

  override context(): unknown {
    return new SuiteContext(this);
  }

  protected override async runChosen(): Promise<void> {
    const { parent, harness } = this;
    const { clock } = harness.tools;
    const context = this.context();
    const after = once(() => this.runHooks('after', context));
    let stop: Stop | undefined;
    try {
      this.enter();
      await this.building;
      this.startTime = clock.now();
      if (this.signal.aborted || this.outerSignal?.aborted) {
        this.cancel(this.outerSignal?.reason);
        this.subtests = [];
        return this.end();
      }
      if (parent && parent.hooks.before.length > 0) await parent.runHooks('before', parent.context());
      await this.runHooks('before', context);
      stop = stopOf(clock, this.timeout, this.signal);
      const all = this.isSkipped || this.error ? [] : this.subtests;
      await Promise.race([Promise.all(all.map((test) => test.start())), stop.stopped]);
      await after();
      if (this.error === null) this.passed = true;
    } catch (error) {
      await after().catch(nothing);
      this.fail(isTestFailure(error) ? error : testFailure(error, 'testCodeFailure'));
    } finally {
      stop?.dispose();
    }
    this.end();
  }
}

interface HookOptions {
  readonly timeout?: unknown;
  readonly signal?: unknown;
}

export class Hook {
  readonly name: HookName;
  readonly test: Test;
  readonly position: SourcePosition | undefined;
  readonly #body: Body;
  readonly #timeout: number;
  readonly #signal: AbortSignal | undefined;
  #ran: Promise<void> | undefined;
  error: unknown = null;

  constructor(
    name: HookName,
    body: unknown,
    { timeout, signal }: HookOptions,
    test: Test,
    position: SourcePosition | undefined,
  ) {
    if (body !== undefined) needFunction(body, 'fn');
    checkSignal(signal);
    this.name = name;
    this.test = test;
    this.position = position;
    this.#body = body ?? nothing;
    this.#timeout = timeoutOf(timeout, Infinity);
    this.#signal = signal;
  }

  /** `before` and `after` run once. */
  run(context: unknown): Promise<void> {
    if (this.name === 'before' || this.name === 'after') return (this.#ran ??= this.#run(context));
    return this.#run(context);
  }

  async #run(context: unknown): Promise<void> {
    const { tools } = this.test.harness;
    const started = tools.clock.now();
    this.error = null;
    const abort = new AbortController();
    const aborted = () => abort.abort();
    this.#signal?.addEventListener('abort', aborted);
    const stop = stopOf(tools.clock, this.#timeout, abort.signal);
    try {
      if (this.#signal?.aborted) throw this.#signal.reason as Error;
      const work = tools.runAs(this, () => call(this.#body, context, (error) => (this.error ??= error)));
      await Promise.race([work, stop.stopped]);
      if (this.#signal?.aborted) throw this.#signal.reason as Error;
    } catch (error) {
      this.error ??= isTestFailure(error) ? error : testFailure(error, 'testCodeFailure');
    } finally {
      stop.dispose();
      this.#signal?.removeEventListener('abort', aborted);
    }
    if (this.error && this.name === 'after' && !this.test.parent) this.#tellRoot(started);
  }

  /** There is no test that could be told to have failed with it. */
  #tellRoot(started: number): void {
    const { test, error, position } = this;
    if (isTestFailure(error)) error.failureType = 'hookFailed';
    test.stream.tell('test:fail', {
      name: position?.file ?? '',
      nesting: 0,
      testNumber: test.subtests.length + 1,
      details: { duration_ms: durationOf(started, test.harness.tools.clock.now()), error },
      ...position,
    });
  }
}
