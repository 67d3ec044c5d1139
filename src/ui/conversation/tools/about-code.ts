import type { ToolPart } from '../../../session/log/state.ts';
import { LSP_ALIASES, type Operation } from '../../../tools/lsp/operations.ts';

/** Whether the call asked the language services. */
export function isAboutCode({ tool }: Pick<ToolPart, 'tool'>): boolean {
  return tool === 'lsp' || operationNamed(tool) !== undefined;
}

/** The operation of the language services that a tool's name stands for, if it is an alias of one. */
export function operationNamed(tool: string): Operation | undefined {
  const name = tool.toLowerCase();
  return Object.hasOwn(LSP_ALIASES, name) ? LSP_ALIASES[name] : undefined;
}
