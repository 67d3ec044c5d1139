import type { JsonObject } from '../base/json.ts';
import type { Action } from '../permissions/types.ts';

/**
 * The description of a tool for everything but the model: the rules, the settings and the page. It is part of the first
 * page, so it must not import the tool's code.
 */
export interface Manifest {
  readonly id: string;
  readonly effect: Effect;
  /** Absent where the tool never asks: it only makes other calls, or it is a question itself. */
  readonly permission?: Permission;
  readonly card: Card;
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

/** How the page shows a call. */
export interface Card {
  readonly verb: string;
  /** Verbs by the argument `operation`, for a tool that has it. */
  readonly verbs?: Readonly<Record<string, string>>;
  readonly icon: Icon;
  /** The arguments that the head of the card shows. Without a describer, that is the first that is not empty. */
  readonly subject?: readonly string[];
  /** The subject where those arguments are empty. */
  readonly noSubject?: string;
  /** The argument with the folder of a search, which the card shows after the subject. */
  readonly folder?: string;
  /** True if arguments that the model left out are not shown. */
  readonly onlyWritten?: true;
  /** True if a successful call that changed nothing needs no card of its own. */
  readonly quiet?: true;
}

export type Icon =
  | 'bot'
  | 'braces'
  | 'file-pen'
  | 'file-plus'
  | 'file-text'
  | 'folder'
  | 'globe'
  | 'list-todo'
  | 'pencil'
  | 'search'
  | 'terminal'
  | 'wrench';
