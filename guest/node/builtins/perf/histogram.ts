import {
  argTypeError,
  needInteger,
  needNumber,
  needObject,
  nodeError,
  outOfRange,
} from '../internal/errors.ts';
import { brief, SHOW, type InspectArguments } from './entries.ts';
import { clock } from '../../loop/browser-clock.ts';
import { ownTimers } from '../../loop/own-timers.ts';

const EMPTY_MIN = 2 ** 63;

export interface HistogramOptions {
  readonly lowest?: number | bigint;
  readonly highest?: number | bigint;
  /** Significant digits that are kept: 1 to 5. */
  readonly figures?: number;
}

/** High dynamic range: values share a bucket where they differ only after so many significant digits. */
export class Histogram {
  readonly #buckets = new Map<number, number>();
  readonly #unit: number;
  readonly #perSize: number;
  readonly #limit: number;
  #min = EMPTY_MIN;
  #max = 0;
  #count = 0;
  #exceeds = 0;

  constructor(lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3) {
    this.#unit = 2 ** Math.floor(Math.log2(lowest));
    this.#perSize = 2 ** Math.ceil(Math.log2(2 * 10 ** figures));
    let limit = this.#unit * this.#perSize;
    while (limit <= highest) limit *= 2;
    this.#limit = limit;
  }

  static keep(to: Histogram, value: number, times = 1): void {
    if (value >= to.#limit) {
      to.#exceeds += times;
      return;
    }
    const bucket = value - (value % to.#size(value));
    to.#buckets.set(bucket, (to.#buckets.get(bucket) ?? 0) + times);
    to.#count += times;
    to.#min = Math.min(to.#min, value);
    to.#max = Math.max(to.#max, value);
  }

  static merge(to: Histogram, from: Histogram): void {
    // Values above the maximum are only counted.
    const [count, exceeds] = [to.#count + from.#count, to.#exceeds + from.#exceeds];
    for (const [value, times] of from.#buckets) Histogram.keep(to, value, times);
    [to.#count, to.#exceeds] = [count, exceeds];
  }

  #size(value: number): number {
    let size = this.#unit;
    while (value >= size * this.#perSize) size *= 2;
    return size;
  }

  #sorted(): [number, number][] {
    return [...this.#buckets].sort(([one], [other]) => one - other);
  }

  /** Every value counts as the middle of its bucket. */
  #average(of: (value: number) => number): number {
    let sum = 0;
    for (const [value, times] of this.#buckets) sum += times * of(value + Math.floor(this.#size(value) / 2));
    return sum / this.#count;
  }

  get count(): number {
    return this.#count;
  }

  get countBigInt(): bigint {
    return BigInt(this.#count);
  }

  get min(): number {
    return this.#count === 0 ? EMPTY_MIN : this.#min - (this.#min % this.#size(this.#min));
  }

  get minBigInt(): bigint {
    return this.#count === 0 ? 2n ** 63n - 1n : BigInt(this.min);
  }

  get max(): number {
    return this.#count === 0 ? 0 : this.#top(this.#max);
  }

  get maxBigInt(): bigint {
    return BigInt(this.max);
  }

  get mean(): number {
    return this.#average((value) => value);
  }

  get exceeds(): number {
    return this.#exceeds;
  }

  get exceedsBigInt(): bigint {
    return BigInt(this.#exceeds);
  }

  get stddev(): number {
    const { mean } = this;
    return Math.sqrt(this.#average((value) => (value - mean) ** 2));
  }

  #top(value: number): number {
    const size = this.#size(value);
    return value - (value % size) + size - 1;
  }

  percentile(percentile: number): number {
    needNumber(percentile, 'percentile');
    if (!(percentile > 0 && percentile <= 100)) throw outOfRange('percentile', '> 0 && <= 100', percentile);
    let left = Math.max(1, Math.floor((percentile / 100) * this.#count + 0.5));
    for (const [value, times] of this.#sorted()) {
      left -= times;
      if (left <= 0) return this.#top(value);
    }
    return 0;
  }

  percentileBigInt(percentile: number): bigint {
    return BigInt(this.percentile(percentile));
  }

  /** Ever finer ones, each halving what is left to 100. */
  get percentiles(): Map<number, number> {
    const found = new Map<number, number>();
    let next = 0;
    let seen = 0;
    let last = 0;
    for (const [value, times] of this.#sorted()) {
      seen += times;
      last = value;
      while (next <= (100 * seen) / this.#count) {
        found.set(next, value);
        next += 100 / 2 ** (Math.floor(Math.log2(100 / (100 - next))) + 1);
        if (seen === this.#count) break;
      }
    }
    return found.set(100, last);
  }

  get percentilesBigInt(): Map<number, bigint> {
    return new Map(Array.from(this.percentiles, ([percent, value]) => [percent, BigInt(value)]));
  }

  reset(): void {
    this.#buckets.clear();
    this.#min = EMPTY_MIN;
    this.#max = this.#count = this.#exceeds = 0;
  }

  toJSON(): object {
    const { count, min, max, mean, exceeds, stddev, percentiles } = this;
    return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(percentiles) };
  }

  [SHOW](...look: InspectArguments): unknown {
    const { min, max, mean, exceeds, stddev, count, percentiles } = this;
    return brief('Histogram', { min, max, mean, exceeds, stddev, count, percentiles }, look);
  }
}

export class RecordableHistogram extends Histogram {
  #before = 0;

  record(value: number | bigint): void {
    if (typeof value === 'bigint') {
      if (value < 1n || value >= 2n ** 63n)
        throw nodeError('ERR_OUT_OF_RANGE', 'value is out of range', RangeError);
    } else needInteger(value, 'val', 1);
    Histogram.keep(this, Number(value));
  }

  /** The nanoseconds since it was called before. */
  recordDelta(): void {
    const now = clock.now();
    if (this.#before > 0) Histogram.keep(this, Math.max(1, Math.round((now - this.#before) * 1e6)));
    this.#before = now;
  }

  add(other: unknown): void {
    if (!(other instanceof RecordableHistogram)) throw argTypeError('other', 'RecordableHistogram', other);
    Histogram.merge(this, other);
  }
}

/** Records how long the event loop takes from one turn of a timer to the next, in nanoseconds. */
class ELDHistogram extends Histogram {
  readonly #resolution: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(resolution: number) {
    super(1, 3.6e12);
    this.#resolution = resolution;
  }

  enable(): boolean {
    if (this.#timer) return false;
    let before = clock.now();
    this.#timer = ownTimers()
      .setInterval(() => {
        const now = clock.now();
        Histogram.keep(this, Math.max(1, Math.round((now - before) * 1e6)));
        before = now;
      }, this.#resolution)
      .unref();
    return true;
  }

  disable(): boolean {
    if (!this.#timer) return false;
    ownTimers().clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }
}

export function monitorEventLoopDelay(options: { readonly resolution?: number } = {}): ELDHistogram {
  needObject(options, 'options');
  const { resolution = 10 } = options;
  needInteger(resolution, 'options.resolution', 1);
  return new ELDHistogram(resolution);
}

export function createHistogram(options: HistogramOptions = {}): RecordableHistogram {
  needObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') needInteger(lowest, 'options.lowest', 1);
  if (typeof highest !== 'bigint') needInteger(highest, 'options.highest', 2 * Number(lowest));
  needInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(Number(lowest), Number(highest), figures);
}
