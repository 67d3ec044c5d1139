import type { MakeBuiltin, NodeHost } from './builtin.ts';
import { argTypeError, needFunction, needObject } from './internal/errors.ts';
import {
  brief,
  needArgument,
  needOurs,
  OURS,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceNodeEntry,
  PerformanceObserverEntryList,
  SHOW,
  type InspectArguments,
} from './perf/entries.ts';
import { clock } from '../loop/browser-clock.ts';
import { createHistogram, monitorEventLoopDelay, RecordableHistogram } from './perf/histogram.ts';
import { isObserved, makeObserver, tell } from './perf/observer.ts';
import { Timeline, type MeasureOptions } from './perf/timeline.ts';

type Timed = (this: unknown, ...args: unknown[]) => unknown;

export interface Utilization {
  readonly idle: number;
  readonly active: number;
  readonly utilization: number;
}

const { PerformanceResourceTiming } = globalThis;

class PerformanceNodeTiming extends PerformanceEntry {
  readonly nodeStart = 0;
  readonly v8Start = 0;
  readonly environment = 0;
  readonly bootstrapComplete: number;
  readonly #loop: NodeHost['loopTimes'];

  constructor(loop: NodeHost['loopTimes'], bootstrapComplete: number) {
    super(OURS, 'node', 'node', 0, 0);
    this.#loop = loop;
    this.bootstrapComplete = bootstrapComplete;
  }

  override get duration(): number {
    return clock.now();
  }

  get loopStart(): number {
    return this.#loop().began;
  }

  get loopExit(): number {
    return this.#loop().ended;
  }

  get idleTime(): number {
    return this.#loop().idle;
  }

  get uvMetricsInfo(): object {
    const { turns, waiting } = this.#loop();
    return { loopCount: turns, events: turns, eventsWaiting: waiting };
  }

  override toJSON(): object {
    const { nodeStart, v8Start, bootstrapComplete, environment, loopStart, loopExit, idleTime } = this;
    const own = { nodeStart, v8Start, bootstrapComplete, environment, loopStart, loopExit, idleTime };
    return { ...super.toJSON(), ...own };
  }
}

/** Returns the idle and busy times of the loop since it began, or between two earlier results. */
function utilization(
  { began, idle: idleTime }: ReturnType<NodeHost['loopTimes']>,
  later?: Utilization,
  earlier?: Utilization,
): Utilization {
  if (began <= 0) return { idle: 0, active: 0, utilization: 0 };
  const now = { idle: idleTime, active: clock.now() - began - idleTime };
  const [to, from] = later && earlier ? [later, earlier] : [now, later ?? { idle: 0, active: 0 }];
  const idle = to.idle - from.idle;
  const active = to.active - from.active;
  return { idle, active, utilization: active / (idle + active) };
}

function timerify(original: unknown, options: { readonly histogram?: RecordableHistogram } = {}): Timed {
  needFunction(original, 'fn');
  needObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && !(histogram instanceof RecordableHistogram))
    throw argTypeError('options.histogram', 'RecordableHistogram', histogram);
  const timed: Timed = function (...args) {
    const start = clock.now();
    const done = () => {
      const duration = clock.now() - start;
      histogram?.record(Math.max(1, Math.ceil(duration * 1e6)));
      if (isObserved('function')) tell(new PerformanceNodeEntry(original.name, start, duration, args));
    };
    const result = new.target
      ? (Reflect.construct(original, args, original) as unknown)
      : Reflect.apply(original, this, args);
    if (!new.target && result instanceof Promise) return result.finally(done);
    done();
    return result;
  };
  return Object.defineProperties(timed, {
    name: { value: `timerified ${original.name}`, configurable: true },
    length: { value: original.length, configurable: true },
  });
}

function makePerformance(nodeTiming: PerformanceNodeTiming, timeline: Timeline, loop: NodeHost['loopTimes']) {
  return class Performance extends EventTarget {
    constructor(key: unknown) {
      needOurs(key);
      super();
    }

    clearMarks(...[name]: [name?: string]): void {
      timeline.clear('mark', name === undefined ? name : `${name}`);
    }

    clearMeasures(...[name]: [name?: string]): void {
      timeline.clear('measure', name === undefined ? name : `${name}`);
    }

    /** Does nothing, because resource timings are not recorded. */
    clearResourceTimings(): void {}

    getEntries(): PerformanceEntry[] {
      return timeline.find();
    }

    getEntriesByName(...given: [name: string, type?: string]): PerformanceEntry[] {
      needArgument(given.length, 'name');
      return timeline.find(`${given[0]}`, given[1]);
    }

    getEntriesByType(...given: [type: string]): PerformanceEntry[] {
      needArgument(given.length, 'type');
      return timeline.find(undefined, `${given[0]}`);
    }

    mark(...given: ConstructorParameters<typeof PerformanceMark>): PerformanceMark {
      const mark = new PerformanceMark(...given);
      timeline.mark(mark);
      return mark;
    }

    measure(
      ...given: [name: string, from?: string | MeasureOptions | null, endMark?: string]
    ): PerformanceMeasure {
      needArgument(given.length, 'name');
      return timeline.measure(...given);
    }

    now(): number {
      return clock.now();
    }

    setResourceTimingBufferSize(...given: [maxSize: number]): void {
      needArgument(given.length, 'maxSize');
    }

    get timeOrigin(): number {
      return clock.timeOrigin;
    }

    toJSON(): object {
      return { nodeTiming, timeOrigin: clock.timeOrigin, eventLoopUtilization: utilization(loop()) };
    }

    eventLoopUtilization(...given: [later?: Utilization, earlier?: Utilization]): Utilization {
      return utilization(loop(), ...given);
    }

    get nodeTiming(): PerformanceNodeTiming {
      return nodeTiming;
    }

    timerify(...given: Parameters<typeof timerify>): Timed {
      return timerify(...given);
    }

    [SHOW](...look: InspectArguments): unknown {
      return brief('Performance', { nodeTiming, timeOrigin: clock.timeOrigin }, look);
    }
  };
}

export const makePerfHooks: MakeBuiltin = ({ loopTimes }) => {
  const nodeTiming = new PerformanceNodeTiming(loopTimes, clock.now());
  const timeline = new Timeline(nodeTiming);
  const Performance = makePerformance(nodeTiming, timeline, loopTimes);
  const classes = {
    Performance,
    PerformanceEntry,
    PerformanceMark,
    PerformanceMeasure,
    PerformanceObserver: makeObserver((type) => timeline.find(undefined, type)),
    PerformanceObserverEntryList,
  };
  for (const [name, Class] of Object.entries(classes)) {
    const value = { value: name, configurable: true };
    // The bundler renames classes that have the name of a global.
    Object.defineProperty(Class, 'name', value);
    if (Class !== PerformanceEntry) Object.defineProperty(Class.prototype, Symbol.toStringTag, value);
  }
  return {
    ...classes,
    PerformanceResourceTiming,
    monitorEventLoopDelay,
    createHistogram,
    performance: new Performance(OURS),
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
