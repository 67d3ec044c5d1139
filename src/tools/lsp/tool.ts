import { builtin } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import type { LanguageOf } from './lsp.ts';
import { lspManifest } from './manifest.ts';

/** The implementation is loaded when the tool is first offered to a model, the services when it is first called. */
export function lspTool(languageOf: LanguageOf): ToolInfo {
  return builtin(lspManifest, async () => (await import('./lsp.ts')).lsp(languageOf), {
    filter: { flag: 'experimental.lsp_tool' },
  });
}
