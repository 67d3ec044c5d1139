import ts from 'typescript';
import type { Diagnostic } from '../language.ts';

/** Files whose programs take comments and commas at the end. */
const LENIENT = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.vscode\/[^/]*\.json|[^/]*\.jsonc)$/;

/** What keeps a JSON file from being read. */
export function jsonDiagnostics(path: string, text: string): readonly Diagnostic[] {
  const source = ts.parseJsonText(path, text);
  const found = parseErrors(source);
  if (found.length > 0)
    return found.map((problem) =>
      at(source, problem.start ?? 0, problem.length ?? 0, `TS${problem.code}`, textOf(problem)),
    );
  if (LENIENT.test(path)) return [];
  try {
    // A byte order mark is for who decodes the file.
    JSON.parse(text.replace(/^\ufeff/, ''));
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return [at(source, offset, 1, 'JSON', message.replace(/ \(line \d+ column \d+\)$/, ''))];
  }
}

function parseErrors(source: ts.JsonSourceFile): readonly ts.Diagnostic[] {
  return 'parseDiagnostics' in source && Array.isArray(source.parseDiagnostics)
    ? source.parseDiagnostics
    : [];
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}

function at(source: ts.SourceFile, start: number, length: number, code: string, message: string): Diagnostic {
  const position = (offset: number) =>
    source.getLineAndCharacterOfPosition(Math.min(Math.max(0, offset), source.text.length));
  return {
    range: { start: position(start), end: position(start + length) },
    severity: 'error',
    code,
    message,
  };
}
