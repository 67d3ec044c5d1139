import { DEFAULT_MODE, type Mode } from '../../permissions/modes.ts';

/** Whatever has a mode: a session, or the one that the next message begins. */
export interface Moded {
  readonly mode: Mode;
  readonly writable: boolean;
  setMode(mode: Mode): Promise<void>;
}

/** What is chosen at the message box for a session that is not there yet. */
export class Beginning implements Moded {
  readonly writable = true;
  #mode = $state.raw<Mode>(DEFAULT_MODE);

  get mode(): Mode {
    return this.#mode;
  }

  async setMode(mode: Mode): Promise<void> {
    this.#mode = mode;
  }
}
