import type { RecordedCall, RecordedStep } from './steps.ts';

/** What became of a recorded call when it was made again. */
export type CallDifference = {
  /** The call of which session of the recording it is, 0 being the one that was recorded, and in which of all its steps. */
  readonly session: number;
  readonly step: number;
  readonly recorded: RecordedCall;
} & (
  | { readonly state: 'to-come' | 'not-made' }
  | { readonly state: 'same' | 'differs'; readonly real: RecordedCall }
);

/** `real`: by index of the step, the calls it came to so far. `over`: nothing more is to come. */
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

/** Without what is never the same twice and means nothing: ids of sessions. */
export function comparable(output: string): string {
  return output.replace(/\bses_[a-z0-9]+\b/g, 'ses_…');
}
