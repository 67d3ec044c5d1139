import type { LoadBuiltin } from '../builtin.ts';
import type { Assertion } from './assertions.ts';
import type { Clock } from './clock.ts';
import { noTests, type Counters, type TestsStream } from './events.ts';
import type { MockTracker } from './mock/mock.ts';
import type { Config } from './options.ts';

export interface Tools {
  readonly load: LoadBuiltin;
  readonly clock: Clock;
  /** Runs something as part of a test or a hook, to which what it starts belongs, too. */
  runAs(owner: object, run: () => unknown): unknown;
  assertions(): Map<string, Assertion>;
  makeMock(): MockTracker;
  makeStream(): TestsStream;
  /** Ends the process although something keeps it alive. */
  forceExit(stream: TestsStream): void;
}

/** The state that all tests of one tree share. */
export class Harness {
  readonly config: Config;
  readonly tools: Tools;
  counters: Counters = noTests();
  success = true;
  watching = false;
  /** Resolves when the top-level suites have declared their tests. */
  building: Promise<void> | undefined;
  readonly built: () => void;
  readonly suites: Promise<void>[] = [];
  waitsForBuilding = false;
  /** Resolves when the reporters are loaded. */
  bootstrap: Promise<unknown> | undefined = Promise.resolve();
  writeSnapshots: () => void = () => {};

  constructor(config: Config, tools: Tools) {
    this.config = config;
    this.tools = tools;
    let built = () => {};
    this.building = new Promise((resolve) => (built = resolve));
    this.built = built;
  }

  get filtersByName(): boolean {
    return this.config.names !== undefined || this.config.skips !== undefined;
  }

  get filtersByOnly(): boolean {
    return this.config.only || (this.config.isRunner && this.config.isolation === 'none');
  }
}
