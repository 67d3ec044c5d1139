import type { MakeBuiltin } from './builtin.ts';
import { needFunction } from './internal/errors.ts';

type Timed = (this: unknown, ...args: unknown[]) => unknown;

class RecordableHistogram {
  readonly #values: number[] = [];
  readonly exceeds = 0;

  record(value: number | bigint): void {
    this.#values.push(Number(value));
  }

  recordDelta(): void {}

  reset(): void {
    this.#values.length = 0;
  }

  get count(): number {
    return this.#values.length;
  }

  get min(): number {
    return this.count ? Math.min(...this.#values) : 9223372036854776000;
  }

  get max(): number {
    return this.count ? Math.max(...this.#values) : 0;
  }

  get mean(): number {
    return this.#values.reduce((sum, value) => sum + value, 0) / this.count;
  }

  get stddev(): number {
    const { mean } = this;
    return Math.sqrt(this.#values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / this.count);
  }

  percentile(percent: number): number {
    const sorted = [...this.#values].sort((one, other) => one - other);
    return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
  }

  get percentiles(): Map<number, number> {
    return new Map([0, 50, 75, 90, 99, 100].map((percent) => [percent, this.percentile(percent)]));
  }

  enable(): boolean {
    return true;
  }

  disable(): boolean {
    return true;
  }
}

export const makePerfHooks: MakeBuiltin = () => {
  const { performance } = globalThis;
  const extras = {
    nodeTiming: {
      name: 'node',
      entryType: 'node',
      startTime: 0,
      duration: performance.now(),
      nodeStart: 0,
      v8Start: 0,
      environment: 0,
      loopStart: 0,
      loopExit: -1,
      bootstrapComplete: 0,
      idleTime: 0,
    },
    eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
    timerify(original: unknown, options: { histogram?: RecordableHistogram } = {}): Timed {
      needFunction(original, 'fn');
      const timed: Timed = function (...args) {
        const start = performance.now();
        const done = () =>
          options.histogram?.record(Math.max(1, Math.round((performance.now() - start) * 1e6)));
        const result = new.target
          ? (Reflect.construct(original, args) as unknown)
          : Reflect.apply(original, this, args);
        if (result instanceof Promise) return result.finally(done);
        done();
        return result;
      };
      return Object.defineProperty(timed, 'name', {
        value: `timerified ${original.name}`,
        configurable: true,
      });
    },
  };
  const asJson = performance.toJSON.bind(performance);
  Object.defineProperty(performance, 'toJSON', {
    value: function toJSON() {
      const { timeOrigin } = asJson() as { timeOrigin: number };
      const { nodeTiming, eventLoopUtilization } = extras;
      return { nodeTiming, timeOrigin, eventLoopUtilization: eventLoopUtilization() };
    },
    configurable: true,
    writable: true,
  });
  for (const [name, value] of Object.entries(extras))
    if (!(name in performance))
      Object.defineProperty(performance, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
  const histogram = () => new RecordableHistogram();
  const named = [
    'Performance',
    'PerformanceEntry',
    'PerformanceMark',
    'PerformanceMeasure',
    'PerformanceObserver',
    'PerformanceObserverEntryList',
    'PerformanceResourceTiming',
  ];
  return {
    ...Object.fromEntries(named.map((name) => [name, Reflect.get(globalThis, name) as unknown])),
    performance,
    monitorEventLoopDelay: histogram,
    createHistogram: histogram,
    constants: {
      NODE_PERFORMANCE_GC_MAJOR: 4,
      NODE_PERFORMANCE_GC_MINOR: 1,
      NODE_PERFORMANCE_GC_INCREMENTAL: 8,
      NODE_PERFORMANCE_GC_WEAKCB: 16,
      NODE_PERFORMANCE_GC_FLAGS_NO: 0,
      NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
      NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
      NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
      NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
      NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
      NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
    },
  };
};
