import type { Ruleset } from '../permissions/types.ts';

/** Who works on a prompt: what it is told, and what it may do beyond or short of the defaults. */
export interface Agent {
  readonly name: string;
  /** One sentence, for the person and for the agents that may give it work. */
  readonly description: string;
  /** `primary`: the person talks to it; `subagent`: other agents give it work; `all`: both. */
  readonly kind: 'primary' | 'subagent' | 'all';
  /** The app's own helper: never offered to the person or to other agents. */
  readonly hidden?: boolean;
  /** What it is told; fetched when it works. */
  prompt(): Promise<string>;
  /** On top of the defaults and the settings. */
  readonly rules: Ruleset;
  /** Permissions it has at all, as far as the defaults and the settings go; everything else is denied. Left out: all. */
  readonly only?: readonly string[];
  /** Most model calls in one turn. */
  readonly steps: number;
  /** Works for it in place of the one that a prompt goes to. */
  readonly model?: { readonly provider: string; readonly model: string };
}

export const DEFAULT_STEPS = 100;
