import type { Hash } from '../base/hash.ts';
import type { Visibility } from '../workspace/workspace.ts';

/** Counts from 0, as in the Language Server Protocol; characters are UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  /** An absolute path; files from outside the workspace, such as built-in declarations, are below {@link LIBRARIES}. */
  readonly path: string;
  readonly range: Range;
  /** The text of the first line, trimmed and cut at 200 characters. */
  readonly text: string;
}

/** The virtual folder of the declarations that come with the language; they cannot be read or changed. */
export const LIBRARIES = '/typescript';

export interface Hover {
  /** The declaration in the syntax of the language. */
  readonly signature: string;
  readonly documentation: string;
  readonly range: Range;
}

export interface DocumentSymbol {
  readonly name: string;
  /** The language's term, such as `function`, `class` or `const`. */
  readonly kind: string;
  readonly range: Range;
  readonly children: readonly DocumentSymbol[];
}

export interface NamedSymbol {
  readonly name: string;
  readonly kind: string;
  /** The name of the enclosing symbol; empty at the top level of a file. */
  readonly container: string;
  readonly location: Location;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  /** The language's code for the message, such as `TS2322`. */
  readonly code: string;
}

export interface FileDiagnostics {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CodeAction {
  readonly title: string;
  /** As in the protocol, such as `quickfix`, `refactor.extract.function` or `source.organizeImports`. */
  readonly kind: string;
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Changes for the caller to apply. Those of each file are sorted and do not overlap. */
export interface WorkspaceEdit {
  readonly files: readonly {
    readonly path: string;
    /** The hash of the content that the edits were computed from; `null` for a new file. */
    readonly hash: Hash | null;
    readonly edits: readonly TextEdit[];
  }[];
}

export interface Completion {
  readonly label: string;
  /** The language's term, such as `function`, `class` or `const`. */
  readonly kind: string;
  /** The text that is inserted, where it is not the label. */
  readonly insert?: string;
  /** The range that is replaced, where it is not the word before the position. */
  readonly range?: Range;
  /** Completions that fit better sort lower. */
  readonly order: string;
}

export interface CompletionDetail {
  readonly signature: string;
  readonly documentation: string;
}

export interface SymbolCall {
  /** The caller or the callee. */
  readonly symbol: NamedSymbol;
  /** The positions of the calls in the caller's file. */
  readonly ranges: readonly Range[];
}

/** A file in a request, with its unsaved text if it has one. */
interface FileParams {
  readonly path: string;
  /** The text of the file in an editor; the answer is about it, and not about the file's own. */
  readonly unsaved?: string;
}

interface PositionParams extends FileParams {
  readonly position: Position;
}

/** The requests, with names and types after the Language Server Protocol. */
export interface Requests {
  hover: { params: PositionParams; result: Hover | null };
  completion: { params: PositionParams; result: readonly Completion[] };
  /** More about one of the completions at a position. */
  completionDetail: {
    params: PositionParams & { readonly label: string };
    result: CompletionDetail | null;
  };
  definition: { params: PositionParams; result: readonly Location[] };
  implementation: { params: PositionParams; result: readonly Location[] };
  references: {
    params: PositionParams & { readonly includeDeclaration: boolean };
    result: readonly Location[];
  };
  documentSymbol: { params: { readonly path: string }; result: readonly DocumentSymbol[] };
  /** Searches the project of the file at `path`, or the whole workspace without one. */
  workspaceSymbol: {
    params: { readonly path?: string; readonly query: string; readonly limit: number };
    result: readonly NamedSymbol[];
  };
  diagnostic: { params: FileParams; result: readonly Diagnostic[] };
  /** The errors of up to `limit` files with errors that import from the file at `path`. */
  importerDiagnostic: {
    params: { readonly path: string; readonly limit: number };
    result: readonly FileDiagnostics[];
  };
  codeAction: { params: ActionParams; result: readonly CodeAction[] };
  /** Applies the first action with this title. */
  applyCodeAction: { params: ActionParams & { readonly title: string }; result: WorkspaceEdit };
  /**
   * A name that is renamed in a file that imports it is renamed in that file only, by an alias. With `everywhere`, it
   * gets the new name in all files, as it does where it is declared.
   */
  rename: {
    params: PositionParams & { readonly newName: string; readonly everywhere?: boolean };
    result: WorkspaceEdit;
  };
  prepareCallHierarchy: { params: PositionParams; result: readonly NamedSymbol[] };
  incomingCalls: { params: PositionParams; result: readonly SymbolCall[] };
  outgoingCalls: { params: PositionParams; result: readonly SymbolCall[] };
}

export interface ActionParams {
  readonly path: string;
  readonly range: Range;
  /** Limits the actions to this kind and its sub-kinds. */
  readonly kind?: string;
}

export type Method = keyof Requests;

/** Answers requests about code. Rejects with a `FaultError` for the caller. */
export interface Language {
  request<M extends Method>(
    method: M,
    params: Requests[M]['params'],
    signal?: AbortSignal,
  ): Promise<Requests[M]['result']>;
}

/** The language services of one workspace. */
export interface WorkspaceLanguage {
  /** Whether the service is running, so that an answer does not have to wait for its start. */
  readonly running: boolean;
  /** Whether there is a service for files with this name. */
  covers(path: string): boolean;
  /**
   * Starts the service if it is not running. It sees the current files that `visibility` shows, and no others.
   * `changed` has absolute paths that were just changed and that the workspace may not have reported yet.
   */
  open(visibility: Visibility, changed?: readonly string[]): Promise<OpenLanguage>;
}

export interface OpenLanguage extends Language {
  /** How many files the `visibility` hides. */
  readonly hidden: number;
}
