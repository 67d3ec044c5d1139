import type { Clock } from '../../base/clock.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { ToolRecord } from './record.ts';

/** How long it took to prepare a tool, in milliseconds. */
export interface Startup {
  /** Includes loading the implementation. */
  readonly first: number;
  readonly last: number;
}

/** Records which tools were prepared since the page was opened, as no session's log has that. */
export class ToolStarts {
  readonly #clock: Clock;
  readonly #changed = new Listeners<void>();
  readonly #startups = new Map<string, Startup>();
  #records: readonly ToolRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be called when a tool was prepared for a model, with the time it took in milliseconds. */
  readonly started = (tool: string, duration: number): void => {
    const known = this.#startups.get(tool);
    this.#startups.set(tool, { first: known?.first ?? duration, last: duration });
    if (!known) this.#records = [...this.#records, this.#record(tool, duration)];
    this.#changed.emit();
  };

  /** The first start of each tool, oldest first. The list stays the same object until one is added. */
  records(): readonly ToolRecord[] {
    return this.#records;
  }

  startups(): ReadonlyMap<string, Startup> {
    return this.#startups;
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  #record(tool: string, duration: number): ToolRecord {
    return {
      id: this.#records.length,
      service: `tool.${tool}`,
      event: 'start',
      time: this.#clock.now(),
      duration,
      success: true,
      outcome: 'ok',
      timedOut: false,
    };
  }
}
