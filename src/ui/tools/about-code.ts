import type { ToolPart } from '../../session/state.ts';
import { LSP_ALIASES } from '../../tools/lsp/operations.ts';

/** Whether it asked the language services. */
export function isAboutCode({ tool }: ToolPart): boolean {
  return tool === 'lsp' || Object.hasOwn(LSP_ALIASES, tool.toLowerCase());
}
