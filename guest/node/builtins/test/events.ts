/** Why a test failed, in node's words. */
export type FailureType =
  | 'testCodeFailure'
  | 'hookFailed'
  | 'testTimeoutFailure'
  | 'cancelledByParent'
  | 'parentAlreadyFinished'
  | 'subtestsFailed'
  | 'testAborted'
  | 'multipleCallbackInvocations'
  | 'callbackAndPromisePresent'
  | 'uncaughtException'
  | 'unhandledRejection';

/** A failure as it is reported: already text, since it may come from another process. */
export interface Failed {
  readonly failureType: FailureType;
  /** As `inspect` shows what was thrown. */
  readonly shown: string;
  /** Lines below `failureType` of the report in TAP, without indentation. */
  readonly tap: string;
  readonly message: string;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** In milliseconds, to the nanosecond. */
export const durationOf = (started: number, ended: number): number =>
  Math.round((ended - started) * 1e6) / 1e6;

interface Named {
  readonly name: string;
  readonly nesting: number;
  readonly place?: Place | undefined;
}

export interface Finished extends Named {
  readonly testNumber: number;
  readonly kind: 'test' | 'suite';
  readonly durationMs: number;
  readonly skip?: string | true | undefined;
  readonly todo?: string | true | undefined;
  readonly failed?: Failed | undefined;
}

/** What a run reports, in the order in which it is to be read. */
export type TestEvent =
  | ({ readonly type: 'start' } & Named)
  | ({ readonly type: 'pass' | 'fail' } & Finished)
  | { readonly type: 'plan'; readonly nesting: number; readonly count: number }
  | { readonly type: 'diagnostic'; readonly nesting: number; readonly message: string }
  /** Of a test file that another process runs. */
  | { readonly type: 'stdout' | 'stderr'; readonly text: string };

export interface Counters {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  cancelled: number;
  skipped: number;
  todo: number;
  topLevel: number;
}

export const noTests = (): Counters => ({
  tests: 0,
  suites: 0,
  pass: 0,
  fail: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
  topLevel: 0,
});

export function count(counters: Counters, event: Finished): void {
  if (event.nesting === 0) counters.topLevel++;
  if (event.kind === 'suite') {
    counters.suites++;
    return;
  }
  counters.tests++;
  const { failureType } = event.failed ?? {};
  if (event.skip !== undefined) counters.skipped++;
  else if (event.todo !== undefined) counters.todo++;
  else if (
    failureType === 'cancelledByParent' ||
    failureType === 'testTimeoutFailure' ||
    failureType === 'testAborted'
  )
    counters.cancelled++;
  else if (event.failed) counters.fail++;
  else counters.pass++;
}

export function summary(counters: Counters, durationMs: number): string[] {
  const { tests, suites, pass, fail, cancelled, skipped, todo } = counters;
  return [
    `tests ${tests}`,
    `suites ${suites}`,
    `pass ${pass}`,
    `fail ${fail}`,
    `cancelled ${cancelled}`,
    `skipped ${skipped}`,
    `todo ${todo}`,
    `duration_ms ${durationMs}`,
  ];
}
