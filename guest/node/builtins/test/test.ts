import { needFunction } from '../internal/errors.ts';
import { durationOf, type FailureType, type Finished, type Place, type TestEvent } from './events.ts';
import { TestFailure } from './failure.ts';

export type Body = (...args: never[]) => unknown;
export type Kind = 'test' | 'suite';

export interface TestOptions {
  readonly concurrency?: number | boolean | null;
  readonly only?: boolean;
  readonly plan?: number;
  readonly signal?: AbortSignal;
  readonly skip?: boolean | string;
  readonly timeout?: number | null;
  readonly todo?: boolean | string;
}

export type HookName = 'before' | 'after' | 'beforeEach' | 'afterEach';

interface Hook {
  readonly run: Body;
  readonly timeout: number | undefined;
  /** Of `before` and `after`: they run once. */
  ran?: Promise<void>;
}

/** What all tests of a process share. */
export interface Harness {
  /** What the process runs. */
  readonly entryFile: string | undefined;
  readonly chosen: (test: Test) => boolean;
  report(event: TestEvent): void;
  /** Something of a top-level test is to be told. */
  changed(): void;
  now(): number;
  /** What the test's body is given. */
  context(test: Test): unknown;
  /** Runs code that may name tests: they belong to this one. */
  within(test: Test, run: () => unknown): unknown;
}

const never = new Promise<never>(() => {});

/** A test, or a suite of tests; the root is a suite too. */
export class Test {
  readonly harness: Harness;
  readonly parent: Test | undefined;
  readonly kind: Kind;
  readonly name: string;
  readonly nesting: number;
  readonly number: number;
  readonly place: Place | undefined;
  readonly #body: Body;
  readonly #options: TestOptions;
  readonly #timeout: number | undefined;
  readonly #concurrency: number;
  readonly #abort = new AbortController();
  readonly subtests: Test[] = [];
  readonly hooks: Record<HookName, Hook[]> = { before: [], after: [], beforeEach: [], afterEach: [] };
  readonly diagnostics: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #building: unknown;
  #started = 0;
  #ended = 0;
  #failure: TestFailure | undefined;
  #run: Promise<void> | undefined;
  finished = false;
  skip: string | true | undefined;
  todo: string | true | undefined;
  plan: number | undefined;
  asserted = 0;
  /** How many subtests have been told of, and whether this one's start has. */
  told = 0;
  startTold = false;

  constructor(
    harness: Harness,
    parent: Test | undefined,
    kind: Kind,
    name: string,
    options: TestOptions,
    body: Body,
    place: Place | undefined,
  ) {
    this.harness = harness;
    this.parent = parent;
    this.kind = kind;
    this.name = name;
    this.place = place;
    this.nesting = parent ? parent.nesting + 1 : -1;
    this.number = parent ? parent.subtests.length + 1 : 0;
    this.#body = body;
    this.#options = options;
    this.#timeout = options.timeout ?? parent?.timeout;
    this.#concurrency = concurrencyOf(options.concurrency, parent?.concurrency ?? 1);
    const { skip, todo } = options;
    if (skip !== undefined && skip !== false) this.skip = skip;
    else if (parent?.skip !== undefined) this.skip = true;
    if (todo !== undefined && todo !== false) this.todo = todo;
    this.plan = options.plan;
    options.signal?.addEventListener('abort', () => this.#abort.abort(options.signal?.reason));
    if (kind === 'suite' && parent && this.skip === undefined) this.#build();
  }

  get timeout(): number | undefined {
    return this.#timeout;
  }

  get concurrency(): number {
    return this.#concurrency;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get failure(): TestFailure | undefined {
    return this.#failure;
  }

  get only(): boolean {
    return this.#options.only === true;
  }

  get fullName(): string {
    return this.parent && this.parent.nesting >= 0 ? `${this.parent.fullName} > ${this.name}` : this.name;
  }

  // A suite's body runs at once: it only names its tests.
  #build(): void {
    try {
      const context = this.harness.context(this) as never;
      this.#building = this.harness.within(this, () => Reflect.apply(this.#body, context, [context]));
    } catch (error) {
      this.fail(new TestFailure(error, 'testCodeFailure'));
    }
  }

  add(kind: Kind, name: string, options: TestOptions, body: Body, place: Place | undefined): Test {
    const test = new Test(this.harness, this, kind, name, options, body, place);
    if (!this.harness.chosen(test)) {
      test.finished = true;
      return test;
    }
    this.subtests.push(test);
    if (this.finished) {
      test.fail(
        new TestFailure('test could not be started because its parent finished', 'parentAlreadyFinished'),
      );
      test.#end();
    }
    return test;
  }

  addHook(name: HookName, run: unknown, options: { timeout?: number } = {}): void {
    needFunction(run, 'fn');
    this.hooks[name].push({ run: run as Body, timeout: options.timeout });
  }

  /** Runs it as soon as its parent has room; resolved when it has ended, however that was. */
  start(): Promise<void> {
    if (this.finished) return Promise.resolve();
    this.#run ??= this.#startWithRoom();
    return this.#run;
  }

  async #startWithRoom(): Promise<void> {
    const { parent } = this;
    if (parent) {
      if (parent.#active >= parent.#concurrency)
        await new Promise<void>((resolve) => parent.#waiting.push(resolve));
      if (this.finished) return;
      parent.#active++;
    }
    await this.#execute();
    if (parent) {
      parent.#active--;
      parent.#waiting.shift()?.();
    }
  }

  async #execute(): Promise<void> {
    this.#started = this.harness.now();
    if (this.skip === undefined && !this.#failure) {
      try {
        if (this.parent) await this.parent.#runOnce('before');
        await (this.kind === 'suite' ? this.#runSuite() : this.#runTest());
      } catch (error) {
        this.fail(error instanceof TestFailure ? error : new TestFailure(error, 'testCodeFailure'));
      }
    }
    this.#end();
  }

  async #runSuite(): Promise<void> {
    await this.#limited(Promise.resolve(this.#building));
    if (this.subtests.length > 0) {
      const all = Promise.all(this.subtests.map((test) => test.start()));
      await this.#limited(all);
    }
    await this.#runOnce('before');
    await this.#runOnce('after');
  }

  async #runTest(): Promise<void> {
    let failure: unknown;
    try {
      await this.parent?.runEach('beforeEach', this);
      await this.#limited(this.#call());
      await this.#checkPlan();
    } catch (error) {
      failure = error;
    }
    if (failure !== undefined)
      this.fail(failure instanceof TestFailure ? failure : new TestFailure(failure, 'testCodeFailure'));
    // A hook of a failed test still runs; the first failure is the one that is told.
    try {
      await this.#runOnce('after');
    } finally {
      await this.parent?.runEach('afterEach', this);
    }
  }

  #call(): Promise<unknown> {
    const context = this.harness.context(this);
    const body = this.#body as (...args: unknown[]) => unknown;
    if (body.length < 2)
      return new Promise((resolve) =>
        resolve(this.harness.within(this, () => Reflect.apply(body, context, [context]))),
      );
    return new Promise((resolve, reject) => {
      let called = false;
      const done = (error: unknown) => {
        if (called)
          return this.fail(new TestFailure('callback invoked multiple times', 'multipleCallbackInvocations'));
        called = true;
        if (error) reject(error as Error);
        else resolve(undefined);
      };
      const result = this.harness.within(this, () => Reflect.apply(body, context, [context, done]));
      if (result instanceof Promise)
        reject(new TestFailure('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
    });
  }

  async #checkPlan(): Promise<void> {
    if (this.plan === undefined) return;
    const made = this.asserted + this.subtests.length;
    if (made === this.plan) return;
    throw new TestFailure(`plan expected ${this.plan} assertions but received ${made}`, 'testCodeFailure');
  }

  /** Ends with the work, the time limit or an abort, whichever is first. */
  async #limited(work: Promise<unknown>, timeout = this.#timeout): Promise<void> {
    const { signal } = this;
    let timer: { unref?: () => void } | number | undefined;
    let aborted = () => {};
    const timedOut =
      timeout === undefined || timeout === Infinity
        ? never
        : new Promise<never>((_resolve, reject) => {
            timer = setTimeout(() => {
              this.#abort.abort();
              reject(new TestFailure(`test timed out after ${timeout}ms`, 'testTimeoutFailure'));
            }, timeout);
            if (typeof timer === 'object') timer.unref?.();
          });
    const stopped = new Promise<never>((_resolve, reject) => {
      aborted = () =>
        reject(new TestFailure((signal.reason as unknown) ?? 'This operation was aborted', 'testAborted'));
      if (this.#options.signal?.aborted) aborted();
      else this.#options.signal?.addEventListener('abort', aborted, { once: true });
    });
    try {
      await Promise.race([work, timedOut, stopped]);
    } finally {
      clearTimeout(timer as number | undefined);
      this.#options.signal?.removeEventListener('abort', aborted);
    }
  }

  async #runOnce(name: 'before' | 'after'): Promise<void> {
    for (const hook of this.hooks[name]) {
      hook.ran ??= this.#runHook(hook, this);
      await hook.ran;
    }
  }

  /** Hooks of all that is around it, from the outside in. */
  async runEach(name: 'beforeEach' | 'afterEach', test: Test): Promise<void> {
    await this.parent?.runEach(name, test);
    for (const hook of this.hooks[name]) await this.#runHook(hook, test);
  }

  async #runHook(hook: Hook, test: Test): Promise<void> {
    const context = this.harness.context(test);
    const run = hook.run as (...args: unknown[]) => unknown;
    try {
      const work =
        run.length < 2
          ? new Promise((resolve) => resolve(Reflect.apply(run, context, [context])))
          : new Promise((resolve, reject) => {
              Reflect.apply(run, context, [
                context,
                (error: unknown) => (error ? reject(error as Error) : resolve(0)),
              ]);
            });
      await this.#limited(work, hook.timeout ?? this.#timeout);
    } catch (error) {
      const cause = error instanceof TestFailure ? error.cause : error;
      throw new TestFailure(cause, 'hookFailed');
    }
  }

  fail(failure: TestFailure): void {
    if (this.finished) return;
    this.#failure ??= failure;
  }

  /** Ends what has not ended by itself. */
  cancel(message: string, failureType: FailureType): void {
    if (this.finished) return;
    this.fail(new TestFailure(message, failureType));
    this.#abort.abort();
    this.#end();
  }

  #end(): void {
    if (this.finished) return;
    for (const test of this.subtests)
      test.cancel('test did not finish before its parent and was cancelled', 'cancelledByParent');
    const failed = this.subtests.filter((test) => test.failure && test.todo === undefined).length;
    if (failed > 0 && !this.#failure)
      this.fail(new TestFailure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed'));
    this.finished = true;
    this.#ended = this.harness.now();
    this.#abort.abort();
    this.harness.changed();
  }

  result(): Finished {
    return {
      name: this.name,
      nesting: this.nesting,
      place: this.place,
      testNumber: this.number,
      kind: this.kind,
      durationMs: Math.max(0, durationOf(this.#started || this.#ended, this.#ended)),
      skip: this.skip,
      todo: this.todo,
      failed: this.#failure?.report(),
    };
  }
}

function concurrencyOf(wanted: number | boolean | null | undefined, inherited: number): number {
  if (typeof wanted === 'number') return wanted;
  if (wanted === true) return Infinity;
  return wanted === false ? 1 : inherited;
}

/** Tells what can be told in order; answers whether anything of this test's own subtests is left. */
export function tellFinished(test: Test): void {
  const { harness } = test;
  for (; test.told < test.subtests.length; test.told++) {
    const next = test.subtests[test.told];
    if (!next || !hasEnded(next)) return;
    tellStart(next);
    tellFinished(next);
    if (!next.finished) return;
    if (next.subtests.length > 0)
      harness.report({ type: 'plan', nesting: next.nesting + 1, count: next.subtests.length });
    harness.report({ type: next.failure ? 'fail' : 'pass', ...next.result() });
    for (const message of next.diagnostics)
      harness.report({ type: 'diagnostic', nesting: next.nesting, message });
  }
}

const hasEnded = (test: Test): boolean => test.finished || test.subtests.some(hasEnded);

function tellStart(test: Test): void {
  if (test.startTold) return;
  test.startTold = true;
  const { name, nesting, place } = test;
  test.harness.report({ type: 'start', name, nesting, place });
}
