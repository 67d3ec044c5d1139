import { Listeners, type Unlisten } from '../../src/base/listeners.ts';
import { STARTING, type AppOffline, type OfflineState } from '../../src/offline/state.ts';

/** The state of working offline, set by hand. It notes the page's requests. */
export class FakeOffline implements AppOffline {
  readonly asked: unknown[] = [];
  readonly #changed = new Listeners<void>();
  state: OfflineState;

  constructor(state: Partial<OfflineState> = {}) {
    this.state = { ...STARTING, ...state };
  }

  set(change: Partial<OfflineState>): void {
    this.state = { ...this.state, ...change };
    this.#changed.emit();
  }

  download(): void {
    this.asked.push('download');
  }

  async setAllowed(isAllowed: boolean): Promise<void> {
    this.asked.push(isAllowed);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }
}
