import type { WorkspaceLanguage } from '../../language/language.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ToolDefinition } from '../tool.ts';
import { parameters } from './parameters.ts';

export type LanguageOf = (workspace: Workspace) => Promise<WorkspaceLanguage>;

export function lsp(languageOf: LanguageOf): ToolDefinition<typeof parameters> {
  return {
    description: [
      'Asks the language service of TypeScript and JavaScript (of JSON: diagnostics only) about the code of the workspace.',
      'goToDefinition, findReferences, hover, goToImplementation, prepareCallHierarchy, incomingCalls, outgoingCalls and rename are about the name at `line` and `character` of `filePath`.',
      'documentSymbol lists what a file declares, workspaceSymbol finds names by `query`, diagnostics lists the problems in a file.',
      'rename changes a name in every file. codeActions lists the actions for a position or range, and applies one with `title`. Both ask before they write; the files need not have been read.',
      'Lines and characters count from 1.',
    ].join('\n'),
    parameters,
    limits: ['TypeScript, JavaScript and JSON', 'files that may not be read without asking are left out'],
    asksFirst: true,
    execute: async (input, context) => (await import('./run.ts')).run(input, context, languageOf),
  };
}
