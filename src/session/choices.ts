import { firstOf } from '../agents/agents.ts';
import { plan } from '../agents/plan.ts';
import { configuredRules, ownRules } from '../agents/rules.ts';
import { NO_SETUP, type Setup } from '../agents/setup.ts';
import { DEFAULT_MODE, type Mode } from '../permissions/modes.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import type { GrantedRule } from '../permissions/types.ts';
import type { SessionDeps, SessionFamily } from './deps.ts';
import type { SessionState } from './log/state.ts';

/** The agent and the mode that the person chose for a session, and the rules that follow from them. */
export class Choices {
  readonly #deps: Pick<SessionDeps, 'settings' | 'setups'>;
  readonly #state: SessionState;
  readonly #family: SessionFamily;
  #granted: readonly GrantedRule[];
  #mode: Mode;
  /** `null` while nobody was chosen; prompts then go to the workspace's first agent. */
  #agent: string | null;

  constructor(deps: Pick<SessionDeps, 'settings' | 'setups'>, state: SessionState, family: SessionFamily) {
    this.#deps = deps;
    this.#state = state;
    this.#family = family;
    this.#granted = state.granted;
    this.#mode = state.mode ?? DEFAULT_MODE;
    this.#agent = state.agent;
  }

  /** The configuration files of the workspace, as last read. */
  get setup(): Setup {
    return this.#deps.setups?.current(this.#state.workspaceID) ?? NO_SETUP;
  }

  /** The agent that receives the next prompts. */
  get agent(): string {
    return this.#agent ?? firstOf(this.setup.agents).name;
  }

  /** The mode in force now, which the parent session and the planning agent can override. */
  get mode(): Mode {
    if (this.agent === plan.name) return 'plan';
    return this.#family.mode() ?? this.#mode;
  }

  /** Every "Allow for this session" rule that holds here, including those of the session's ancestors. */
  get granted(): readonly GrantedRule[] {
    return [...this.#family.inherited(), ...this.#granted];
  }

  grant(rules: readonly GrantedRule[]): void {
    this.#granted = [...this.#granted, ...rules];
  }

  /** Folding the events has the same effect: the plan mode and the planning agent go together. */
  switchTo(agent: string): void {
    this.#agent = agent;
    if (agent !== plan.name && this.#mode === 'plan') this.#mode = DEFAULT_MODE;
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    if (mode === 'plan') this.#agent = plan.name;
    else if (this.#agent === plan.name) this.#agent = null;
  }

  /** The defaults, the settings and the rules of configuration files for this agent, in that order. */
  configuredRules(agent: string): readonly SourcedRule[] {
    const rules = configuredRules(agent, this.#deps.settings(), this.#state.limits, this.setup);
    if (this.mode !== 'plan' || agent === plan.name) return rules;
    // A turn of another agent may still be running. From now on it may not change anything either.
    return [...rules, ...ownRules(plan.rules, 'mode')];
  }
}
