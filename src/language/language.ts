import type { Hash } from '../base/hash.ts';
import type { Visibility } from '../workspace/workspace.ts';

/** From 0, as in the Language Server Protocol; characters are UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  /** Absolute; what is no file of the workspace, such as the language's own declarations, is below {@link LIBRARIES}. */
  readonly path: string;
  readonly range: Range;
  /** The line it starts in, without the space around it, cut at 200 characters. */
  readonly text: string;
}

/** Where the declarations stand that come with the language: nothing of them can be read or changed. */
export const LIBRARIES = '/typescript';

export interface Hover {
  /** The declaration, as the language writes it. */
  readonly signature: string;
  readonly documentation: string;
  readonly range: Range;
}

export interface DocumentSymbol {
  readonly name: string;
  /** As the language calls it: `function`, `class`, `const`, … */
  readonly kind: string;
  readonly range: Range;
  readonly children: readonly DocumentSymbol[];
}

export interface NamedSymbol {
  readonly name: string;
  readonly kind: string;
  /** What it is part of; empty where that is a file. */
  readonly container: string;
  readonly location: Location;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  /** Which of the language's messages it is, such as `TS2322`. */
  readonly code: string;
}

export interface FileDiagnostics {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CodeAction {
  readonly title: string;
  /** As in the protocol: `quickfix`, `refactor.extract.function`, `source.organizeImports`, … */
  readonly kind: string;
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Changes to be made by who asked; each file's are in order, none overlaps another. */
export interface WorkspaceEdit {
  readonly files: readonly {
    readonly path: string;
    /** Of the content that the edits were worked out on; `null`: a file to be made. */
    readonly hash: Hash | null;
    readonly edits: readonly TextEdit[];
  }[];
}

export interface SymbolCall {
  /** Who calls, or is called. */
  readonly symbol: NamedSymbol;
  /** Where, in the file of the one who calls. */
  readonly ranges: readonly Range[];
}

interface At {
  readonly path: string;
  readonly position: Position;
}

/** What can be asked, named and shaped after the Language Server Protocol. */
export interface Requests {
  hover: { params: At; result: Hover | null };
  definition: { params: At; result: readonly Location[] };
  implementation: { params: At; result: readonly Location[] };
  references: { params: At & { readonly includeDeclaration: boolean }; result: readonly Location[] };
  documentSymbol: { params: { readonly path: string }; result: readonly DocumentSymbol[] };
  /** In the project of the file at `path`; without one, in all of the workspace. */
  workspaceSymbol: {
    params: { readonly path?: string; readonly query: string; readonly limit: number };
    result: readonly NamedSymbol[];
  };
  diagnostic: { params: { readonly path: string }; result: readonly Diagnostic[] };
  /** Of the files that import from the one at `path`: errors, of so many files that have some. */
  importerDiagnostic: {
    params: { readonly path: string; readonly limit: number };
    result: readonly FileDiagnostics[];
  };
  codeAction: { params: ActionPlace; result: readonly CodeAction[] };
  /** The first action of this title. */
  applyCodeAction: { params: ActionPlace & { readonly title: string }; result: WorkspaceEdit };
  rename: { params: At & { readonly newName: string }; result: WorkspaceEdit };
  prepareCallHierarchy: { params: At; result: readonly NamedSymbol[] };
  incomingCalls: { params: At; result: readonly SymbolCall[] };
  outgoingCalls: { params: At; result: readonly SymbolCall[] };
}

export interface ActionPlace {
  readonly path: string;
  readonly range: Range;
  /** Only actions of this kind and those below it. */
  readonly kind?: string;
}

export type Method = keyof Requests;

/** Answers about code. Rejects with a `FaultError`, in words for who asked. */
export interface Language {
  request<M extends Method>(
    method: M,
    params: Requests[M]['params'],
    signal?: AbortSignal,
  ): Promise<Requests[M]['result']>;
}

/** The language services of one workspace. */
export interface WorkspaceLanguage {
  /** It has been asked before: an answer takes no more than its work. */
  readonly running: boolean;
  /** Whether there is a service for files of this name. */
  covers(path: string): boolean;
  /**
   * Starts it where it does not run. It sees the files that `visibility` shows, as they are now, and no others.
   * `changed`: absolute paths that were changed just now, of which the workspace may not have told yet.
   */
  open(visibility: Visibility, changed?: readonly string[]): Promise<OpenLanguage>;
}

export interface OpenLanguage extends Language {
  /** How many files were left out by the `visibility`. */
  readonly hidden: number;
}
