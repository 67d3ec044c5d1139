import type { Describe } from './describe.ts';

/** How the page shows a call. */
export interface Card {
  readonly verb: string;
  /** Verbs by the argument `operation`, for a tool that has it. */
  readonly verbs?: Readonly<Record<string, string>>;
  readonly icon: Icon;
  /** The arguments that the head of the card shows. Without `describe`, that is the first that is not empty. */
  readonly subject?: readonly string[];
  /** The subject where those arguments are empty. */
  readonly noSubject?: string;
  /** The argument with the folder of a search, which the card shows after the subject. */
  readonly folder?: string;
  /** True if arguments that the model left out are not shown. */
  readonly onlyWritten?: true;
  readonly describe?: Describe;
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
