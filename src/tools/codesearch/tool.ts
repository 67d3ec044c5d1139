import { builtin } from '../define.ts';
import type { ToolInfo } from '../tool.ts';
import type { SearchAccess } from '../websearch/service.ts';
import { codesearchManifest } from './manifest.ts';

/** Offered only while there is a key. The implementation is loaded when the tool is first offered to a model. */
export function codesearchTool(access: SearchAccess): ToolInfo {
  return builtin(
    codesearchManifest,
    async () =>
      access.key('github') === undefined && access.key('exa') === undefined
        ? undefined
        : (await import('./codesearch.ts')).codesearch(access),
    { condition: 'with a token of GitHub or a key of Exa' },
  );
}
