import { messageOf } from '../../base/message-of.ts';
import ts from 'typescript';
import type { Diagnostic } from '../language.ts';
import { Convert } from './convert.ts';

/** Files whose readers accept comments and trailing commas. */
const LENIENT = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.vscode\/[^/]*\.json|[^/]*\.jsonc)$/;

/** The syntax errors of a JSON file. */
export function jsonDiagnostics(path: string, text: string): readonly Diagnostic[] {
  const source = ts.parseJsonText(path, text);
  const convert = new Convert(() => source);
  const found = parseErrors(source);
  if (found.length > 0) return found.map((problem) => convert.diagnostic(path, problem));
  if (LENIENT.test(path)) return [];
  try {
    // A byte order mark is valid, but JSON.parse rejects it.
    JSON.parse(text.replace(/^\ufeff/, ''));
    return [];
  } catch (error) {
    const message = messageOf(error);
    const start = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return [
      {
        range: convert.range(path, { start, length: 1 }),
        severity: 'error',
        code: 'JSON',
        message: message.replace(/ \(line \d+ column \d+\)$/, ''),
      },
    ];
  }
}

function parseErrors(source: ts.JsonSourceFile): readonly ts.Diagnostic[] {
  return 'parseDiagnostics' in source && Array.isArray(source.parseDiagnostics)
    ? source.parseDiagnostics
    : [];
}
