import { SvelteMap } from 'svelte/reactivity';
import type { RecordingRun } from '../../app.ts';

/** The recordings that run for real, keyed by session. */
export class RecordingRuns {
  readonly #runs = new SvelteMap<string, RecordingRun>();

  of(sessionID: string): RecordingRun | undefined {
    return this.#runs.get(sessionID);
  }

  add(run: RecordingRun): void {
    this.#runs.set(run.sessionID, run);
  }
}
