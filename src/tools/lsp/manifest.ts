import type { Manifest } from '../manifest.ts';
import { LSP_ALIASES } from './operations.ts';

export const lspManifest: Manifest = {
  id: 'lsp',
  // A renaming asks for the permission to change files.
  effect: 'reads',
  permission: { id: 'lsp', rules: { '*': 'allow' }, question: 'ask about code', label: 'Ask about code' },
  quiet: true,
  aliases: Object.fromEntries(Object.entries(LSP_ALIASES).map(([name, operation]) => [name, { operation }])),
};
