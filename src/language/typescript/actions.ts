import ts from 'typescript';
import { FaultError } from '../../base/fault.ts';
import type { CodeAction } from '../language.ts';

/** An action whose changes are computed once it is chosen. */
export interface Action extends CodeAction {
  changes(): readonly ts.FileTextChanges[];
}

const PREFERENCES: ts.UserPreferences = {
  includePackageJsonAutoImports: 'off',
  allowTextChangesInNewFiles: true,
  providePrefixAndSuffixTextForRename: true,
};

interface ActionRequest {
  readonly service: ts.LanguageService;
  readonly source: ts.SourceFile;
  readonly from: number;
  readonly to: number;
  readonly problems: readonly ts.Diagnostic[];
}

/** The actions for a range of a file, limited to `kind` and its sub-kinds. */
export function actionsAt(request: ActionRequest, kind = ''): readonly Action[] {
  const wants = (offered: string) =>
    kind === '' || offered === kind || offered.startsWith(`${kind}.`) || kind.startsWith(`${offered}.`);
  const all = [
    ...(wants('quickfix') ? fixes(request) : []),
    ...(wants('refactor') ? refactors(request) : []),
    ...(wants('source') ? importActions(request) : []),
  ];
  return all.filter((action) => kind === '' || action.kind === kind || action.kind.startsWith(`${kind}.`));
}

function fixes({ service, source, from, to, problems }: ActionRequest): readonly Action[] {
  const { fileName } = source;
  const format = formatOf(source.text);
  const near = problems.filter(({ start = 0, length = 0 }) => start <= to && start + length >= from);
  const found = near.flatMap(({ start = 0, length = 0, code }) =>
    service.getCodeFixesAtPosition(fileName, start, start + length, [code], format, PREFERENCES),
  );
  const single = found.map(({ description, changes }) => ({
    title: description,
    kind: 'quickfix',
    changes: () => changes,
  }));
  const all = found.flatMap(({ fixId, fixAllDescription }) =>
    fixId === undefined || fixAllDescription === undefined
      ? []
      : {
          title: fixAllDescription,
          kind: 'quickfix',
          changes: () =>
            service.getCombinedCodeFix({ type: 'file', fileName }, fixId, format, PREFERENCES).changes,
        },
  );
  return unique([...single, ...all]);
}

function refactors({ service, source, from, to }: ActionRequest): readonly Action[] {
  const { fileName } = source;
  const range = { pos: from, end: to };
  const offered = service.getApplicableRefactors(fileName, range, PREFERENCES, 'invoked');
  return unique(
    offered.flatMap(({ name, actions }) =>
      actions
        .filter(({ notApplicableReason, isInteractive }) => !notApplicableReason && !isInteractive)
        .map(({ name: action, description, kind }) => ({
          title: description,
          kind: kind ?? 'refactor',
          changes: () =>
            service.getEditsForRefactor(fileName, formatOf(source.text), range, name, action, PREFERENCES)
              ?.edits ?? [],
        })),
    ),
  );
}

function importActions({ service, source }: ActionRequest): readonly Action[] {
  const format = formatOf(source.text);
  return [
    {
      title: 'Organize imports',
      kind: 'source.organizeImports',
      changes: () =>
        service.organizeImports({ type: 'file', fileName: source.fileName }, format, PREFERENCES),
    },
  ];
}

function unique(actions: readonly Action[]): readonly Action[] {
  return [...new Map(actions.map((action) => [`${action.kind}\n${action.title}`, action])).values()];
}

/** Format settings that follow the file's own style. */
function formatOf(text: string): ts.FormatCodeSettings {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '    ';
  const tabs = indent.startsWith('\t');
  return {
    ...ts.getDefaultFormatCodeSettings(text.includes('\r\n') ? '\r\n' : '\n'),
    convertTabsToSpaces: !tabs,
    indentSize: tabs ? 4 : Math.min(indent.length, 8),
    semicolons: ts.SemicolonPreference.Ignore,
  };
}

/** The changes that rename the symbol at `offset`. Throws a fault where it cannot get this name. */
export function renameChanges(
  service: ts.LanguageService,
  path: string,
  offset: number,
  { newName, everywhere }: { readonly newName: string; readonly everywhere: boolean },
): readonly ts.FileTextChanges[] {
  const info = service.getRenameInfo(path, offset, {});
  if (!info.canRename)
    throw new FaultError({
      code: 'cannot-rename',
      what: `${info.localizedErrorMessage.replace(/\.*$/, '')}. Nothing was changed.`,
      next: 'Give line and character of the name itself.',
    });
  if (!isName(newName))
    throw new FaultError({
      code: 'not-a-name',
      what: `“${newName.slice(0, 100)}” cannot be a name in TypeScript or JavaScript. Nothing was changed.`,
    });
  const locations =
    service.findRenameLocations(path, offset, false, false, {
      ...PREFERENCES,
      providePrefixAndSuffixTextForRename: !everywhere,
    }) ?? [];
  return [...new Set(locations.map(({ fileName }) => fileName))].map((file) => ({
    fileName: file,
    textChanges: locations
      .filter(({ fileName }) => fileName === file)
      .map(({ textSpan, prefixText = '', suffixText = '' }) => ({
        span: textSpan,
        newText: prefixText + newName + suffixText,
      })),
  }));
}

function isName(text: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, false, ts.LanguageVariant.Standard, text);
  const kind = scanner.scan();
  // Contextual keywords such as `type` and `of` are valid names.
  const fits =
    kind === ts.SyntaxKind.Identifier ||
    kind === ts.SyntaxKind.PrivateIdentifier ||
    (kind > ts.SyntaxKind.LastReservedWord && kind <= ts.SyntaxKind.LastKeyword);
  return fits && scanner.getTokenEnd() === text.length;
}
