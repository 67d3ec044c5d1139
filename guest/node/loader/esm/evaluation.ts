import type { ModuleRecord } from './record.ts';

/** Runs linked modules, each once and after its imports. */
export class Evaluation {
  /** Modules with a top-level await that are running. */
  readonly #pending = new Set<ModuleRecord>();

  /** The modules whose top-level await has not settled. */
  get pending(): readonly ModuleRecord[] {
    return [...this.#pending];
  }

  /** Runs the graph of a module without top-level await. */
  runSync(record: ModuleRecord): void {
    if (record.failed) throw record.failed.error;
    if (record.state === 'evaluating' || record.state === 'evaluated') return;
    record.state = 'evaluating';
    try {
      for (const each of record.requested) this.runSync(each);
      void record.steps?.next();
      record.state = 'evaluated';
    } catch (error) {
      record.failed = { error };
      throw error;
    }
  }

  /** Runs a module after its imports. Those with a top-level await run at the same time. */
  run(record: ModuleRecord): Promise<void> {
    if (record.done) return record.done;
    if (record.failed) return Promise.reject(record.failed.error);
    if (record.state === 'evaluating' || record.state === 'evaluated') return Promise.resolve();
    if (!isGraphAsync(record)) {
      try {
        this.runSync(record);
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(error);
      }
    }
    record.state = 'evaluating';
    record.done = this.#runAsync(record);
    record.done.catch(() => {});
    return record.done;
  }

  async #runAsync(record: ModuleRecord): Promise<void> {
    try {
      const waits: Promise<void>[] = [];
      for (const each of record.requested) {
        if (each.done) waits.push(each.done);
        else if (isGraphAsync(each)) waits.push(this.run(each));
        else this.runSync(each);
      }
      if (waits.length > 0) await Promise.all(waits);
      this.#pending.add(record);
      await record.steps?.next();
      record.state = 'evaluated';
    } catch (error) {
      record.failed = { error };
      throw error;
    } finally {
      this.#pending.delete(record);
    }
  }
}

/** Whether a module that has not run yet, or one that it imports, has a top-level await. */
function isGraphAsync(record: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
  return record.state !== 'evaluated' && awaits(record, seen, (each) => isGraphAsync(each, seen));
}

/** Whether any module of the graph has a top-level await, even if it is evaluated already. */
export function hasAwait(record: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
  return awaits(record, seen, (each) => hasAwait(each, seen));
}

function awaits(
  record: ModuleRecord,
  seen: Set<ModuleRecord>,
  isOther: (each: ModuleRecord) => boolean,
): boolean {
  if (seen.has(record)) return false;
  seen.add(record);
  return record.isAsync || record.requested.some(isOther);
}

/** Whether the module is running synchronously. One that awaits is not. */
export function isInRun({ state, done, failed }: ModuleRecord): boolean {
  return state === 'evaluating' && !done && !failed;
}

/** Whether a module is another one or imports it. */
export function reaches(from: ModuleRecord, to: ModuleRecord, seen = new Set<ModuleRecord>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return from.requested.some((each) => reaches(each, to, seen));
}
