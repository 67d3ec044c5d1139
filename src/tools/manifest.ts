import type { JsonObject } from '../base/json.ts';
import type { Action } from '../permissions/types.ts';

/**
 * The description of a tool for the rules and the settings. It is part of the first page, so it must not import the
 * tool's code; how the page shows calls is in {@link ./card.ts}.
 */
export interface Manifest {
  readonly id: string;
  readonly effect: Effect;
  /** Absent where the tool never asks: it only makes other calls, or it is a question itself. */
  readonly permission?: Permission;
  /** True if a successful call that changed nothing needs no card of its own. */
  readonly quiet?: true;
  /** Other names that models use for it, in lower case, with the arguments that each name implies. */
  readonly aliases?: Readonly<Record<string, JsonObject>>;
}

/** The groups of effects, in the order of the settings. `session` is all that stays inside the session. */
export const EFFECTS = ['reads', 'changes', 'runs', 'web', 'session', 'asks'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A permission, which several tools may share. */
export interface Permission {
  readonly id: string;
  /** The default actions by pattern. The last match decides. */
  readonly rules: Readonly<Record<string, Action>>;
  /** The question of the page is whether the agent may do this. */
  readonly question?: string;
  /** The name in the settings. A permission without one is not listed there. */
  readonly label?: string;
  /** Tells the person why a default rule asks. */
  readonly asksByDefault?: string;
  /** The meaning of the pattern that matches everything. */
  readonly anything?: string;
}
