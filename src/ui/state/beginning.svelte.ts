import { defaultAgent } from '../../agents/agents.ts';
import { plan } from '../../agents/plan.ts';
import { DEFAULT_MODE, type Mode } from '../../permissions/modes.ts';

/** Anything with a mode and an agent: a session, or the choices for the next one. */
export interface Chosen {
  readonly mode: Mode;
  readonly agent: string;
  readonly writable: boolean;
  setMode(mode: Mode): Promise<void>;
  chooseAgent(name: string): Promise<void>;
}

/**
 * The choices at the message box for a session that does not exist yet. The plan mode and the planning agent
 * go together.
 */
export class Beginning implements Chosen {
  readonly writable = true;
  #mode = $state.raw<Mode>(DEFAULT_MODE);
  #agent = $state.raw<string | null>(null);
  readonly #first: () => string;

  /** `first` returns the agent that gets prompts if the person chose none. */
  constructor(first: () => string = () => defaultAgent.name) {
    this.#first = first;
  }

  get mode(): Mode {
    return this.agent === plan.name ? 'plan' : this.#mode;
  }

  get agent(): string {
    return this.#agent ?? this.#first();
  }

  async setMode(mode: Mode): Promise<void> {
    this.#mode = mode;
    if (mode === 'plan') this.#agent = plan.name;
    else if (this.agent === plan.name) this.#agent = defaultAgent.name;
  }

  async chooseAgent(name: string): Promise<void> {
    this.#agent = name;
    if (name !== plan.name && this.#mode === 'plan') this.#mode = DEFAULT_MODE;
  }

  /** Applies the choices to a new session and resets them. Rejects if the session does not accept them. */
  async handTo(session: Chosen): Promise<void> {
    if (this.#mode !== session.mode) await session.setMode(this.#mode);
    // If the person chose no agent, the session decides, since its files may name the first agent.
    const agent = this.#agent;
    if (agent !== null && agent !== session.agent && this.#mode !== 'plan') await session.chooseAgent(agent);
    this.#mode = DEFAULT_MODE;
    this.#agent = null;
  }
}
