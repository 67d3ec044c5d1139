import type { Manifest } from '../manifest.ts';
import { LSP_ALIASES, type Operation } from './operations.ts';

const verbs: Readonly<Record<Operation, string>> = {
  goToDefinition: 'Definition',
  findReferences: 'References',
  hover: 'Type',
  documentSymbol: 'Symbols',
  workspaceSymbol: 'Find symbol',
  goToImplementation: 'Implementations',
  prepareCallHierarchy: 'Calls',
  incomingCalls: 'Callers',
  outgoingCalls: 'Callees',
  diagnostics: 'Check',
  codeActions: 'Code actions',
  rename: 'Rename',
};

export const lspManifest: Manifest = {
  id: 'lsp',
  // What it renames asks for the permission to change files.
  effect: 'reads',
  permission: { id: 'lsp', rules: { '*': 'allow' }, question: 'ask about code', label: 'Ask about code' },
  card: {
    verb: 'lsp',
    verbs,
    icon: 'braces',
    subject: ['operation', 'filePath', 'line', 'character', 'position', 'newName', 'title'],
    onlyWritten: true,
    quiet: true,
  },
  aliases: Object.fromEntries(Object.entries(LSP_ALIASES).map(([name, operation]) => [name, { operation }])),
};
