import type { Ruleset } from '../permissions/types.ts';

/** An agent: its prompt, and the permissions by which it differs from the defaults. */
export interface Agent {
  readonly name: string;
  /** One sentence, shown to the person and to the agents that may give it work. */
  readonly description: string;
  /** `primary`: the person talks to it; `subagent`: other agents give it work; `all`: both. */
  readonly kind: 'primary' | 'subagent' | 'all';
  /** The app's own helper, which is never offered to the person or to other agents. */
  readonly hidden?: boolean;
  /** Loads the agent's own part of the system prompt; for a small model a short one, where the agent has it. */
  prompt(isSmall?: boolean): Promise<string>;
  /** Apply after the defaults and the settings. */
  readonly rules: Ruleset;
  /**
   * The permissions it can have; the defaults and the settings decide about them, and everything else is denied.
   * Absent: all permissions.
   */
  readonly only?: readonly string[];
  /** The shell commands it can run, as rule patterns; every other command is denied. Absent: all commands. */
  readonly commands?: readonly string[];
  /** The maximum number of model calls in one turn. */
  readonly steps: number;
  /** The model it uses instead of the one that a prompt goes to. */
  readonly model?: { readonly provider: string; readonly model: string };
  /** How randomly its model samples, if that is configured. */
  readonly sampling?: { readonly temperature?: number; readonly topP?: number };
}

export const DEFAULT_STEPS = 100;
