import ts from 'typescript';
import type {
  Diagnostic,
  DocumentSymbol,
  Location,
  NamedSymbol,
  Position,
  Range,
  Severity,
  SymbolCall,
} from '../language.ts';

const MAX_LINE = 200;

/** Converts TypeScript's offsets to positions, for the files of one program. */
export class Convert {
  readonly #source: (path: string) => ts.SourceFile | undefined;

  constructor(source: (path: string) => ts.SourceFile | undefined) {
    this.#source = source;
  }

  /** A position past the end of its line or file becomes that end. */
  offset(path: string, { line, character }: Position): number {
    const source = this.#source(path);
    if (!source) return 0;
    const starts = source.getLineStarts();
    const start = starts[line];
    if (start === undefined) return source.text.length;
    const end = starts[line + 1] ?? source.text.length + 1;
    return Math.min(start + character, end - 1);
  }

  range(path: string, { start, length }: ts.TextSpan): Range {
    const source = this.#source(path);
    if (!source) return { start: ORIGIN, end: ORIGIN };
    // The service's offsets may lie outside of a file that has changed.
    const at = (offset: number) =>
      source.getLineAndCharacterOfPosition(Math.min(Math.max(0, offset), source.text.length));
    return { start: at(start), end: at(start + length) };
  }

  diagnostic(path: string, problem: ts.Diagnostic): Diagnostic {
    return {
      range: this.range(path, { start: problem.start ?? 0, length: problem.length ?? 0 }),
      severity: SEVERITY[problem.category],
      message: ts.flattenDiagnosticMessageText(problem.messageText, '\n'),
      code: `TS${problem.code}`,
    };
  }

  location(path: string, span: ts.TextSpan): Location {
    const range = this.range(path, span);
    const source = this.#source(path);
    const from = source?.getLineStarts()[range.start.line] ?? 0;
    const line = /^[^\r\n]*/.exec(source?.text.slice(from, from + 2_000) ?? '')?.[0] ?? '';
    return { path, range, text: line.trim().slice(0, MAX_LINE) };
  }

  locations(found: readonly ts.DocumentSpan[] = []): readonly Location[] {
    return found.map(({ fileName, textSpan }) => this.location(fileName, textSpan));
  }

  symbols(path: string, tree: ts.NavigationTree): DocumentSymbol {
    const [span = { start: 0, length: 0 }] = tree.spans;
    return {
      name: tree.text,
      kind: tree.kind,
      range: this.range(path, tree.nameSpan ?? span),
      children: (tree.childItems ?? [])
        .filter(({ kind }) => kind !== 'alias')
        .map((item) => this.symbols(path, item)),
    };
  }

  item({ name, kind, file, selectionSpan, containerName }: ts.CallHierarchyItem): NamedSymbol {
    return { name, kind, container: containerName ?? '', location: this.location(file, selectionSpan) };
  }

  incoming({ from, fromSpans }: ts.CallHierarchyIncomingCall): SymbolCall {
    return { symbol: this.item(from), ranges: this.#ranges(from.file, fromSpans) };
  }

  /** `path` is the file of the calling symbol. */
  outgoing(path: string, { to, fromSpans }: ts.CallHierarchyOutgoingCall): SymbolCall {
    return { symbol: this.item(to), ranges: this.#ranges(path, fromSpans) };
  }

  /** Removes duplicates: a call of an overloaded function is reported once for each signature. */
  #ranges(path: string, spans: readonly ts.TextSpan[]): readonly Range[] {
    const unique = new Map(spans.map((span) => [span.start, span]));
    return [...unique.values()].map((span) => this.range(path, span));
  }
}

/** The comment of a declaration as text. */
export function documentationOf(info: {
  readonly documentation?: ts.SymbolDisplayPart[] | undefined;
  readonly tags?: ts.JSDocTagInfo[] | undefined;
}): string {
  const tags = (info.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`.trim());
  return [ts.displayPartsToString(info.documentation), ...tags].filter(Boolean).join('\n');
}

const ORIGIN: Position = { line: 0, character: 0 };

const SEVERITY: Readonly<Record<ts.DiagnosticCategory, Severity>> = {
  [ts.DiagnosticCategory.Error]: 'error',
  [ts.DiagnosticCategory.Warning]: 'warning',
  [ts.DiagnosticCategory.Message]: 'information',
  [ts.DiagnosticCategory.Suggestion]: 'hint',
};
