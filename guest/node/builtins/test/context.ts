import { needFunction, needNumber, needObject } from '../internal/errors.ts';
import { testFailure } from './failure.ts';
import type { MockTracker } from './mock/mock.ts';
import { Plan } from './plan.ts';
import type { Harness } from './harness.ts';

export type HookName = 'before' | 'after' | 'beforeEach' | 'afterEach';

/** The test behind a context. */
interface ContextTest {
  readonly signal: AbortSignal;
  readonly name: string;
  readonly fullName: string;
  readonly entryFile: string | undefined;
  readonly error: unknown;
  readonly passed: boolean;
  readonly harness: Harness;
  mock: MockTracker | undefined;
  plan: Plan | undefined;
  runsOnly: boolean;
  diagnose(message: string): void;
  skipNow(message?: string): void;
  todoNow(message?: string): void;
  addTest(kind: 'test', args: readonly unknown[]): { start(): Promise<void> };
  addHook(name: HookName, run: unknown, options?: object): void;
}

const LONGEST = 2 ** 31 - 1;

/** The context that the body of a suite gets. */
export class SuiteContext {
  readonly #test: ContextTest;

  constructor(test: ContextTest) {
    this.#test = test;
  }

  get signal(): AbortSignal {
    return this.#test.signal;
  }

  get name(): string {
    return this.#test.name;
  }

  get filePath(): string | undefined {
    return this.#test.entryFile;
  }

  get fullName(): string {
    return this.#test.fullName;
  }
}

type Own = Record<string, (...args: unknown[]) => unknown>;

/** The context that the body of a test gets. */
export class TestContext {
  readonly #test: ContextTest;
  #assert: Own | undefined;

  constructor(test: ContextTest) {
    this.#test = test;
  }

  get signal(): AbortSignal {
    return this.#test.signal;
  }

  get name(): string {
    return this.#test.name;
  }

  get filePath(): string | undefined {
    return this.#test.entryFile;
  }

  get fullName(): string {
    return this.#test.fullName;
  }

  get error(): unknown {
    return this.#test.error;
  }

  get passed(): boolean {
    return this.#test.passed;
  }

  get mock(): MockTracker {
    return (this.#test.mock ??= this.#test.harness.tools.makeMock());
  }

  /** Assertions that a plan counts. */
  get assert(): Own {
    if (this.#assert) return this.#assert;
    const { plan, harness } = this.#test;
    const own = Object.create(null) as Own;
    for (const [name, run] of harness.tools.assertions())
      own[name] = (...args) => {
        plan?.count();
        return Reflect.apply(run, this, args);
      };
    return (this.#assert = own);
  }

  diagnostic(message: string): void {
    this.#test.diagnose(message);
  }

  plan(count: unknown, options?: unknown): void {
    if (this.#test.plan) throw testFailure('cannot set plan more than once', 'testCodeFailure');
    this.#test.plan = new Plan(this.#test.harness.tools.clock, count, options);
  }

  runOnly(value: unknown): void {
    this.#test.runsOnly = Boolean(value);
  }

  skip(message?: string): void {
    this.#test.skipNow(message);
  }

  todo(message?: string): void {
    this.#test.todoNow(message);
  }

  test(...args: unknown[]): Promise<void> {
    this.#test.plan?.count();
    return this.#test.addTest('test', args).start();
  }

  waitFor(condition: unknown, options: unknown = {}): Promise<unknown> {
    needFunction(condition, 'condition');
    needObject(options, 'options');
    const { interval = 50, timeout = 1000 } = options;
    needNumber(interval, 'options.interval', 0, LONGEST);
    needNumber(timeout, 'options.timeout', 0, LONGEST);
    const { setTimeout, clearTimeout } = this.#test.harness.tools.clock;
    return new Promise((resolve, reject) => {
      let failed: { readonly cause: unknown } | undefined;
      let next: ReturnType<typeof setTimeout>;
      const last = setTimeout(() => {
        clearTimeout(next);
        reject(new Error('waitFor() timed out', failed));
      }, timeout);
      const attempt = async () => {
        try {
          const result: unknown = await condition();
          clearTimeout(last);
          resolve(result);
        } catch (cause) {
          failed = { cause };
          next = setTimeout(() => void attempt(), interval);
        }
      };
      void attempt();
    });
  }

  before(run: unknown, options?: object): void {
    this.#hook('before', run, options);
  }

  after(run: unknown, options?: object): void {
    this.#hook('after', run, options);
  }

  beforeEach(run: unknown, options?: object): void {
    this.#hook('beforeEach', run, options);
  }

  afterEach(run: unknown, options?: object): void {
    this.#hook('afterEach', run, options);
  }

  #hook(name: HookName, run: unknown, options?: object): void {
    this.#test.addHook(name, run, options);
  }
}
