import { needString, nodeError } from '../internal/errors.ts';
import {
  copied,
  filtered,
  inTime,
  MILESTONES,
  needTimestamp,
  OURS,
  PerformanceMeasure,
  type PerformanceEntry,
  type PerformanceMark,
} from './entries.ts';
import { clock } from '../../loop/browser-clock.ts';
import { tell } from './observer.ts';

export interface MeasureOptions {
  readonly start?: string | number;
  readonly end?: string | number;
  readonly duration?: number;
  readonly detail?: unknown;
}

/** The performance entries of this process, and their observers. */
export class Timeline {
  entries: PerformanceEntry[] = [];
  readonly #marks = new Map<string, number>();
  readonly #milestones: object;

  constructor(milestones: object) {
    this.#milestones = milestones;
  }

  mark(mark: PerformanceMark): void {
    this.#marks.set(mark.name, mark.startTime);
    this.#add(mark);
  }

  #add(entry: PerformanceEntry): void {
    this.entries.push(entry);
    tell(entry);
  }

  #time(of: string | number): number {
    if (typeof of === 'number') {
      needTimestamp(of);
      return of;
    }
    const time = MILESTONES.includes(of)
      ? (Reflect.get(this.#milestones, of) as number)
      : this.#marks.get(of);
    if (time === undefined)
      throw new DOMException(`The "${of}" performance mark has not been set`, 'SyntaxError');
    return time;
  }

  measure(name: unknown, from?: string | MeasureOptions | null, endMark?: string): PerformanceMeasure {
    needString(name, 'name');
    const isOptions = typeof from === 'object' && from !== null;
    const { start, end, duration, detail }: MeasureOptions = isOptions ? from : {};
    const refuse = (why: string) => nodeError('ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', why, TypeError);
    if (isOptions && endMark !== undefined) throw refuse('endMark must not be specified');
    if (start !== undefined && end !== undefined && duration !== undefined)
      throw refuse('Must not have options.start, options.end, and options.duration specified');
    const last = endMark ?? end;
    const first = typeof from === 'string' ? from : start;
    let until: number;
    if (last !== undefined) until = this.#time(last);
    else if (first !== undefined && duration !== undefined) until = this.#time(first) + duration;
    else until = clock.now();
    let since = 0;
    if (first !== undefined) since = this.#time(first);
    else if (end !== undefined && duration !== undefined) since = until - duration;
    const measure = new PerformanceMeasure(OURS, name, 'measure', since, until - since, copied(detail));
    this.#add(measure);
    return measure;
  }

  find(name?: string, type?: string): PerformanceEntry[] {
    return inTime(filtered(this.entries, name, type));
  }

  clear(type: string, name: string | undefined): void {
    if (type === 'mark') {
      if (name === undefined) this.#marks.clear();
      else this.#marks.delete(name);
    }
    this.entries = this.entries.filter(
      (entry) => entry.entryType !== type || (name !== undefined && entry.name !== name),
    );
  }
}
