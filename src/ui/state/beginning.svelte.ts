import { defaultAgent } from '../../agents/agents.ts';
import { plan } from '../../agents/plan.ts';
import { DEFAULT_MODE, type Mode } from '../../permissions/modes.ts';

/** Whatever has a mode and an agent: a session, or the one that the next message begins. */
export interface Chosen {
  readonly mode: Mode;
  readonly agent: string;
  readonly writable: boolean;
  setMode(mode: Mode): Promise<void>;
  chooseAgent(name: string): Promise<void>;
}

/** What is chosen at the message box for a session that is not there yet. The plan mode and the planning agent go together. */
export class Beginning implements Chosen {
  readonly writable = true;
  #mode = $state.raw<Mode>(DEFAULT_MODE);
  #agent = $state.raw<string>(defaultAgent.name);

  get mode(): Mode {
    return this.#agent === plan.name ? 'plan' : this.#mode;
  }

  get agent(): string {
    return this.#agent;
  }

  async setMode(mode: Mode): Promise<void> {
    this.#mode = mode;
    if (mode === 'plan') this.#agent = plan.name;
    else if (this.#agent === plan.name) this.#agent = defaultAgent.name;
  }

  async chooseAgent(name: string): Promise<void> {
    this.#agent = name;
    if (name !== plan.name && this.#mode === 'plan') this.#mode = DEFAULT_MODE;
  }

  /** The session is there: it gets what was chosen, and the next begins as any. Rejects where it does not take it. */
  async handTo(session: Chosen): Promise<void> {
    if (this.#mode !== session.mode) await session.setMode(this.#mode);
    if (this.#agent !== session.agent && this.#mode !== 'plan') await session.chooseAgent(this.#agent);
    this.#mode = DEFAULT_MODE;
    this.#agent = defaultAgent.name;
  }
}
