import type { RecordedCall, RecordedStep } from './steps.ts';

/** How a recorded call compares with the same call when it is run again. */
export type CallDifference = {
  /** The index of the call's session, 0 being the recorded one, and of its step among all steps. */
  readonly session: number;
  readonly step: number;
  readonly recorded: RecordedCall;
} & (
  | { readonly state: 'to-come' | 'not-made' }
  | { readonly state: 'same' | 'differs'; readonly real: RecordedCall }
);

/** `real` has the calls that were made so far, by index of the step. `over` means that no more will come. */
export function differences(
  session: number,
  recorded: readonly RecordedStep[],
  real: ReadonlyMap<number, readonly RecordedCall[]>,
  over: boolean,
): readonly CallDifference[] {
  return recorded.flatMap(({ calls }, step) =>
    calls.map((call): CallDifference => {
      const made = real.get(step)?.find(({ callID }) => callID === call.callID);
      if (!made?.outcome) return { session, step, recorded: call, state: over ? 'not-made' : 'to-come' };
      return {
        session,
        step,
        recorded: call,
        real: made,
        state: sameResult(call, made) ? 'same' : 'differs',
      };
    }),
  );
}

function sameResult(recorded: RecordedCall, real: RecordedCall): boolean {
  return recorded.outcome === real.outcome && comparable(recorded.output) === comparable(real.output);
}

/** Times as test runners and builds print them: `0.62ms`, `812 ms`, `1.4s`, `duration_ms 45.3`. */
const TIMES =
  /(?<![\w.])(?:\d+(?:\.\d+)?(?= ?(?:ms|µs)\b)|\d+\.\d+(?= ?s\b))|(?<=\bduration_ms:? )\d+(?:\.\d+)?/g;

/** Removes session ids and measured times, which always differ and mean nothing. */
export function comparable(output: string): string {
  return output.replace(/\bses_[a-z0-9]+\b/g, 'ses_…').replace(TIMES, '…');
}
