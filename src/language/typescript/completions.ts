import ts from 'typescript';
import type { Completion, CompletionDetail } from '../language.ts';
import { documentationOf, type Convert } from './convert.ts';

/** More than anybody looks through. The list is asked for again as the person types. */
const MOST = 2_000;

const PREFERENCES: ts.UserPreferences = {
  includeCompletionsWithInsertText: true,
  includeCompletionsForModuleExports: false,
  includePackageJsonAutoImports: 'off',
  importModuleSpecifierEnding: 'auto',
};

export function completionsAt(
  service: ts.LanguageService,
  convert: Convert,
  path: string,
  offset: number,
): readonly Completion[] {
  const found = service.getCompletionsAtPosition(path, offset, PREFERENCES);
  const entries = (found?.entries ?? []).toSorted((a, b) => (a.sortText < b.sortText ? -1 : 1));
  return entries.slice(0, MOST).map(({ name, kind, insertText, replacementSpan, sortText }) => {
    const span = replacementSpan ?? found?.optionalReplacementSpan;
    return {
      label: name,
      kind,
      order: sortText,
      ...(insertText !== undefined && insertText !== name && { insert: insertText }),
      ...(span && { range: convert.range(path, span) }),
    };
  });
}

export function completionDetail(
  service: ts.LanguageService,
  path: string,
  offset: number,
  label: string,
): CompletionDetail | null {
  const detail = service.getCompletionEntryDetails(
    ...([path, offset, label, undefined, undefined, PREFERENCES, undefined] as const),
  );
  if (!detail) return null;
  return {
    signature: ts.displayPartsToString(detail.displayParts),
    documentation: documentationOf(detail),
  };
}
