/** The operations of the tool; the first nine have the same names as in opencode. */
export const OPERATIONS = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
  'diagnostics',
  'codeActions',
  'rename',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Tool names, in lower case, that models may use for one operation. */
export const LSP_ALIASES: Readonly<Record<string, Operation>> = {
  lsp_hover: 'hover',
  lsp_goto_definition: 'goToDefinition',
  lsp_definitions: 'goToDefinition',
  lsp_find_references: 'findReferences',
  lsp_references: 'findReferences',
  lsp_document_symbols: 'documentSymbol',
  lsp_symbols: 'documentSymbol',
  lsp_workspace_symbols: 'workspaceSymbol',
  lsp_workspacesymbol: 'workspaceSymbol',
  lsp_diagnostics: 'diagnostics',
  lsp_code_actions: 'codeActions',
  lsp_rename: 'rename',
};
