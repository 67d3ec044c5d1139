import { argTypeError, argValueError, needFunction, needObject } from '../internal/errors.ts';
import {
  brief,
  missing,
  OURS,
  PerformanceObserverEntryList,
  SHOW,
  type InspectArguments,
  type PerformanceEntry,
} from './entries.ts';
import { ownTimers } from '../../loop/own-timers.ts';

/** The types that may be observed. Only `function`, `mark` and `measure` occur here. */
const TYPES = ['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource'];

interface ObserveOptions {
  readonly entryTypes?: readonly string[];
  readonly type?: string;
  readonly buffered?: boolean;
}

/** The types and entries of an observer, kept apart from the object that programs see. */
class Watch {
  static readonly all = new Set<Watch>();
  static readonly pending = new Set<Watch>();
  readonly types = new Set<string>();
  kind: 'single' | 'multiple' | undefined;
  buffer: PerformanceEntry[] = [];
  readonly call: (list: PerformanceObserverEntryList) => void;

  constructor(call: Watch['call']) {
    this.call = call;
  }

  listen(types: readonly string[]): void {
    for (const type of types) if (TYPES.includes(type)) this.types.add(type);
    if (this.types.size > 0) Watch.all.add(this);
  }

  take(entries: readonly PerformanceEntry[]): void {
    this.buffer.push(...entries);
    if (Watch.pending.size === 0) ownTimers().setImmediate(tellAll);
    Watch.pending.add(this);
  }

  taken(): PerformanceEntry[] {
    return this.buffer.splice(0);
  }

  stop(): void {
    Watch.all.delete(this);
    Watch.pending.delete(this);
    this.types.clear();
    this.buffer = [];
    this.kind = undefined;
  }
}

function tellAll(): void {
  const waiting = [...Watch.pending];
  Watch.pending.clear();
  for (const watch of waiting) watch.call(new PerformanceObserverEntryList(OURS, watch.taken()));
}

export const isObserved = (type: string) => [...Watch.all].some(({ types }) => types.has(type));

export function tell(entry: PerformanceEntry): void {
  for (const watch of Watch.all) if (watch.types.has(entry.entryType)) watch.take([entry]);
}

/** `recorded`: what the process has had so far, for observers that ask for it. */
export function makeObserver(recorded: (type: string) => readonly PerformanceEntry[]) {
  return class PerformanceObserver {
    readonly #watch: Watch;

    static get supportedEntryTypes(): readonly string[] {
      return TYPES;
    }

    constructor(callback: (list: PerformanceObserverEntryList, observer: PerformanceObserver) => void) {
      needFunction(callback, 'callback');
      this.#watch = new Watch((list) => callback.call(this, list, this));
    }

    observe(options: ObserveOptions = {}): void {
      needObject(options, 'options');
      const { entryTypes, type, buffered }: ObserveOptions = options;
      if (entryTypes === undefined && type === undefined)
        throw missing('"options.entryTypes" and "options.type" arguments');
      if (entryTypes !== undefined && type !== undefined)
        throw argValueError(
          'options.entryTypes',
          entryTypes,
          'options.entryTypes can not set with options.type together',
        );
      const watch = this.#watch;
      const kind = entryTypes ? 'multiple' : 'single';
      if (watch.kind && watch.kind !== kind)
        throw new DOMException(
          `PerformanceObserver can not change to ${kind === 'single' ? 'single observation' : 'multiple observations'}`,
          'InvalidModificationError',
        );
      watch.kind = kind;
      if (entryTypes !== undefined) {
        if (!Array.isArray(entryTypes)) throw argTypeError('options.entryTypes', 'string[]', entryTypes);
        watch.types.clear();
        return watch.listen(entryTypes);
      }
      const asked = `${type}`;
      if (!TYPES.includes(asked)) return;
      watch.listen([asked]);
      const before = buffered ? recorded(asked) : [];
      if (before.length > 0) watch.take(before);
    }

    disconnect(): void {
      this.#watch.stop();
    }

    takeRecords(): PerformanceEntry[] {
      return this.#watch.taken();
    }

    [SHOW](...look: InspectArguments): unknown {
      const { types, buffer } = this.#watch;
      const pending = Watch.pending.has(this.#watch);
      return brief(
        'PerformanceObserver',
        { connected: Watch.all.has(this.#watch), pending, entryTypes: [...types], buffer },
        look,
      );
    }
  };
}
