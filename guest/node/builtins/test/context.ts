import { nodeError } from '../internal/errors.ts';
import type { Assertion } from './assertions.ts';
import { MockTracker } from './mock.ts';
import type { HookName, Test } from './test.ts';

type Add = (parent: Test, args: unknown[], change?: object) => Promise<void>;

/** What the body of a suite is given. */
export class SuiteContext {
  readonly #test: Test;

  constructor(test: Test) {
    this.#test = test;
  }

  get name(): string {
    return this.#test.name;
  }

  get fullName(): string {
    return this.#test.fullName;
  }

  get filePath(): string | undefined {
    return this.#test.harness.entryFile;
  }

  get signal(): AbortSignal {
    return this.#test.signal;
  }
}

/** What the body of a test is given. */
export class TestContext extends SuiteContext {
  readonly #test: Test;
  readonly #add: Add;
  readonly #assertions: () => Map<string, Assertion>;
  #assert: Record<string, (...args: unknown[]) => unknown> | undefined;
  #mock: MockTracker | undefined;

  constructor(test: Test, add: Add, assertions: () => Map<string, Assertion>) {
    super(test);
    this.#test = test;
    this.#add = add;
    this.#assertions = assertions;
  }

  get error(): unknown {
    return this.#test.failure ?? null;
  }

  get passed(): boolean {
    return this.#test.failure === undefined;
  }

  get mock(): MockTracker {
    if (!this.#mock) {
      const mock = (this.#mock = new MockTracker());
      this.#test.addHook('after', () => mock.reset());
    }
    return this.#mock;
  }

  /** Assertions that a plan counts. */
  get assert(): Record<string, (...args: unknown[]) => unknown> {
    return (this.#assert ??= Object.fromEntries(
      Array.from(this.#assertions(), ([name, run]) => [
        name,
        (...args: unknown[]) => {
          this.#test.asserted++;
          return Reflect.apply(run, this, args);
        },
      ]),
    ));
  }

  diagnostic(message: string): void {
    this.#test.diagnostics.push(String(message));
  }

  plan(count: number): void {
    if (this.#test.plan !== undefined) throw nodeError('ERR_TEST_FAILURE', 'cannot set plan more than once');
    this.#test.plan = count;
  }

  runOnly(): void {}

  skip(message?: string): void {
    this.#test.skip = message ?? true;
  }

  todo(message?: string): void {
    this.#test.todo = message ?? true;
  }

  test = (...args: unknown[]): Promise<void> => this.#add(this.#test, args);

  async waitFor(
    condition: () => unknown,
    options: { interval?: number; timeout?: number } = {},
  ): Promise<unknown> {
    const { interval = 50, timeout = 1000 } = options;
    const end = Date.now() + timeout;
    for (;;) {
      try {
        return await condition();
      } catch (cause) {
        if (Date.now() >= end) throw new Error('waitFor() timed out', { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }

  before(run: unknown, options?: { timeout?: number }): void {
    this.#hook('before', run, options);
  }

  after(run: unknown, options?: { timeout?: number }): void {
    this.#hook('after', run, options);
  }

  beforeEach(run: unknown, options?: { timeout?: number }): void {
    this.#hook('beforeEach', run, options);
  }

  afterEach(run: unknown, options?: { timeout?: number }): void {
    this.#hook('afterEach', run, options);
  }

  #hook(name: HookName, run: unknown, options?: { timeout?: number }): void {
    this.#test.addHook(name, run, options);
  }
}
