import type { ToolPart } from '../../session/state.ts';
import { LSP_ALIASES, type Operation } from '../../tools/lsp/operations.ts';

/** Whether it asked the language services. */
export function isAboutCode({ tool }: Pick<ToolPart, 'tool'>): boolean {
  return tool === 'lsp' || operationNamed(tool) !== undefined;
}

/** What a tool of this name asks them, where its name says it. */
export function operationNamed(tool: string): Operation | undefined {
  const name = tool.toLowerCase();
  return Object.hasOwn(LSP_ALIASES, name) ? LSP_ALIASES[name] : undefined;
}
