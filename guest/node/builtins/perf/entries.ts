import { clock } from '../../loop/browser-clock.ts';
import { argValueError, needNumber, needObject, nodeError } from '../internal/errors.ts';

export type InspectArguments = readonly [
  depth: number,
  options: { readonly depth?: number | null },
  inspect: (value: unknown, options: object) => string,
];

/** Shows an object as node does: the name of its class, then its members. */
export function brief(name: string, has: object, [depth, options, inspect]: InspectArguments): string {
  if (depth < 0) return `[${name}]`;
  const inner = typeof options.depth === 'number' ? options.depth - 1 : null;
  return `${name} ${inspect(has, { ...options, depth: inner })}`;
}

export const SHOW = Symbol.for('nodejs.util.inspect.custom');
/** Passed to constructors that only this module may call. */
export const OURS = Symbol('ours');
export const copied = (detail: unknown) =>
  detail === undefined || detail === null ? null : structuredClone(detail);
export const missing = (names: string) =>
  nodeError('ERR_MISSING_ARGS', `The ${names} must be specified`, TypeError);

export function needOurs(key: unknown): void {
  if (key !== OURS) throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
}

export function needArgument(given: number, name: string): void {
  if (given === 0) throw missing(`"${name}" argument`);
}

export class PerformanceEntry {
  readonly #name: string;
  readonly #entryType: string;
  readonly #startTime: number;
  readonly #duration: number;

  constructor(key: unknown, name: string, entryType: string, startTime: number, duration: number) {
    needOurs(key);
    this.#name = name;
    this.#entryType = entryType;
    this.#startTime = startTime;
    this.#duration = duration;
  }

  get name(): string {
    return this.#name;
  }

  get entryType(): string {
    return this.#entryType;
  }

  get startTime(): number {
    return this.#startTime;
  }

  get duration(): number {
    return this.#duration;
  }

  toJSON(): object {
    const { name, entryType, startTime, duration } = this;
    return { name, entryType, startTime, duration };
  }

  [SHOW](...look: InspectArguments): unknown {
    return brief(this.constructor.name, this.toJSON(), look);
  }
}

class DetailedEntry extends PerformanceEntry {
  readonly #detail: unknown;

  constructor(
    ...[key, name, type, start, duration, detail]: [
      ...ConstructorParameters<typeof PerformanceEntry>,
      unknown,
    ]
  ) {
    super(key, name, type, start, duration);
    this.#detail = detail;
  }

  get detail(): unknown {
    return this.#detail;
  }

  override toJSON(): object {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

/** The entry of a call that timerify watches. It also has the arguments as indexed properties. */
export class PerformanceNodeEntry extends DetailedEntry {
  constructor(name: string, start: number, duration: number, args: readonly unknown[]) {
    super(OURS, name, 'function', start, duration, args);
    for (const [index, value] of args.entries()) Reflect.set(this, index, value);
  }
}

export interface MarkOptions {
  readonly startTime?: number;
  readonly detail?: unknown;
}

export const MILESTONES = [
  'nodeStart',
  'v8Start',
  'environment',
  'loopStart',
  'loopExit',
  'bootstrapComplete',
];

export class PerformanceMark extends DetailedEntry {
  constructor(...given: [name: unknown, options?: MarkOptions | null]) {
    needArgument(given.length, 'name');
    const [name, options] = given;
    const text = `${name as string}`;
    if (MILESTONES.includes(text)) throw argValueError('name', text);
    if (options !== undefined && options !== null) needObject(options, 'options');
    const start: unknown = options?.startTime ?? clock.now();
    needNumber(start, 'startTime');
    needTimestamp(start);
    super(OURS, text, 'mark', start, 0, copied(options?.detail));
  }
}

export class PerformanceMeasure extends DetailedEntry {}

export function needTimestamp(time: number): void {
  if (time < 0)
    throw nodeError('ERR_PERFORMANCE_INVALID_TIMESTAMP', `${time} is not a valid timestamp`, TypeError);
}

export const inTime = (entries: Iterable<PerformanceEntry>) =>
  [...entries].sort((one, other) => one.startTime - other.startTime);

export const filtered = (entries: readonly PerformanceEntry[], name?: string, type?: string) =>
  entries.filter(
    (entry) =>
      (name === undefined || entry.name === name) && (type === undefined || entry.entryType === type),
  );

export class PerformanceObserverEntryList {
  readonly #entries: readonly PerformanceEntry[];

  constructor(key: unknown, entries: readonly PerformanceEntry[]) {
    needOurs(key);
    this.#entries = inTime(entries);
  }

  getEntries(): PerformanceEntry[] {
    return [...this.#entries];
  }

  getEntriesByType(type: string): PerformanceEntry[] {
    return filtered(this.#entries, undefined, `${type}`);
  }

  getEntriesByName(name: string, type?: string): PerformanceEntry[] {
    return filtered(this.#entries, `${name}`, type);
  }

  [SHOW](...look: InspectArguments): unknown {
    return brief(this.constructor.name, this.#entries, look);
  }
}
