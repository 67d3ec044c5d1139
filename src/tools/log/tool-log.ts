import type { Clock } from '../../base/clock.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { EndedCall, ToolHooks } from '../hooks.ts';
import { Counts, type ToolMetrics } from './metrics.ts';
import { MASKED_CHARACTERS, shortened } from './shorten.ts';

/** So many records are kept, the newest. */
export const KEPT_RECORDS = 1_000;
const RESULT_CHARACTERS = 2_000;

/** One call that ended, or a tool that was made ready for the first time. */
export interface ToolRecord {
  /** Counts up from 0. */
  readonly id: number;
  /** `tool.<name>` */
  readonly service: string;
  readonly event: 'call' | 'start';
  /** Milliseconds since the epoch, at its end. */
  readonly time: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly success: boolean;
  readonly outcome: EndedCall['outcome'];
  readonly timedOut: boolean;
  readonly sessionID?: string;
  readonly callID?: string;
  readonly agent?: string;
  /** Without secrets, long texts cut. */
  readonly args?: Json;
  /** The start of it, without secrets. */
  readonly result?: string;
}

export interface ToolLogDeps {
  readonly clock: Clock;
  /** The text without any secret. */
  mask(text: string): string;
}

/**
 * What tools did, in memory: the newest records and counts by tool. It is a user of the hooks like any other, and
 * keeps nothing that could not be shown.
 */
export class ToolLog {
  readonly #deps: ToolLogDeps;
  readonly #counts = new Map<string, Counts>();
  readonly #changed = new Listeners<void>();
  #records: readonly ToolRecord[] = [];
  #next = 0;

  constructor(deps: ToolLogDeps) {
    this.#deps = deps;
  }

  readonly hooks: ToolHooks = {
    'tool.execute.after': (call, { output, metadata }) => this.#ended(call, output, metadata),
  };

  /** A tool was made ready for a model in so many milliseconds. */
  started(tool: string, duration: number): void {
    const counts = this.#countsOf(tool);
    const first = counts.metrics(tool).startup === null;
    counts.started(duration);
    if (first)
      this.#add({
        service: `tool.${tool}`,
        event: 'start',
        duration,
        success: true,
        outcome: 'ok',
        timedOut: false,
      });
  }

  /** Oldest first. The same list until something is added. */
  records(): readonly ToolRecord[] {
    return this.#records;
  }

  /** By tool, sorted by name. */
  metrics(): readonly ToolMetrics[] {
    return [...this.#counts]
      .map(([tool, counts]) => counts.metrics(tool))
      .sort((a, b) => (a.tool < b.tool ? -1 : 1));
  }

  /** Takes the records away; the counts stay. */
  clear(): void {
    this.#records = [];
    this.#changed.emit();
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  #ended(call: EndedCall, output: string, metadata: JsonObject): void {
    const { tool, sessionID, callID, agent, outcome, durationMs: duration } = call;
    const { mask } = this.#deps;
    const timedOut =
      call.faultCode === 'timeout' || metadata['ended'] === 'timeout' || metadata['timedOut'] === true;
    this.#countsOf(tool).add({ outcome, duration, timedOut });
    const result = mask(output.slice(0, MASKED_CHARACTERS)).slice(0, RESULT_CHARACTERS);
    this.#add({
      service: `tool.${tool}`,
      event: 'call',
      duration,
      success: outcome === 'ok',
      outcome,
      timedOut,
      sessionID,
      callID,
      agent,
      args: shortened(call.args, mask),
      result: output.length > RESULT_CHARACTERS ? `${result}…` : result,
    });
  }

  #add(record: Omit<ToolRecord, 'id' | 'time'>): void {
    const whole = { id: this.#next++, time: this.#deps.clock.now(), ...record };
    this.#records = [...this.#records, whole].slice(-KEPT_RECORDS);
    this.#changed.emit();
  }

  #countsOf(tool: string): Counts {
    const known = this.#counts.get(tool) ?? new Counts();
    this.#counts.set(tool, known);
    return known;
  }
}

/** Records and counts as a file. */
export function logAsJSON(records: readonly ToolRecord[], metrics: readonly ToolMetrics[]): string {
  return JSON.stringify({ records, metrics }, null, 2);
}
